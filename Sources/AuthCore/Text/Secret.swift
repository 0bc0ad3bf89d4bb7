import Crypto
import FoundationEssentials

/// A token, password or other secret text that can't be printed by accident.
///
/// Descriptions, string interpolation, reflection and dumps all show `‹redacted›`. The text is available only as
/// ``exposed``, so that a search for this word finds every place where a secret leaves the program.
public struct Secret: Sendable, Hashable {
  /// The secret text itself.
  public let exposed: String

  /// Wraps a secret text.
  public init(_ exposed: String) {
    self.exposed = exposed
  }

  /// Compares the bytes: texts that look the same may be different passwords.
  public static func == (one: Secret, other: Secret) -> Bool { one.exposed.isEqual(toBytes: other.exposed) }

  /// Identifies a token without revealing it: the first 8 hexadecimal digits of the SHA-256 of the text.
  ///
  /// For tokens only: a short password could be guessed from its fingerprint.
  public var fingerprint: String {
    SHA256.hash(data: Array(exposed.utf8)).prefix(4).map { $0.hexadecimal(2) }.joined()
  }
}

extension Secret {
  /// Wraps the JSON text of a keyring item; dates are in the form of RFC 3339.
  ///
  /// - Throws: the error of the encoder.
  init(encoding item: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    self.init(String(decoding: try encoder.encode(item), as: UTF8.self))
  }

  /// Reads the item that ``init(encoding:)`` has wrapped.
  ///
  /// - Throws: the error of the decoder.
  func decoded<Item: Decodable>(as type: Item.Type) throws -> Item {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try decoder.decode(type, from: Data(exposed.utf8))
  }
}

extension Secret: Decodable {
  /// Reads a string, such as a token in a server's response. Encoding is not supported: the text is available only as
  /// ``exposed``.
  public init(from decoder: any Decoder) throws {
    exposed = try decoder.singleValueContainer().decode(String.self)
  }
}
