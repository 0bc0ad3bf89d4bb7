import Crypto
import FoundationEssentials

/// A token, password or other secret text, which nothing prints by accident.
///
/// Descriptions, string interpolation, reflection and dumps all show `‹redacted›`. The text is had by ``exposed`` only,
/// so that every place where a secret leaves the program can be found by that one word.
public struct Secret: Sendable, Hashable {
  /// The secret text itself.
  public let exposed: String

  /// Wraps a secret text.
  public init(_ exposed: String) {
    self.exposed = exposed
  }

  /// Tells two tokens apart without giving either away: the first 8 hexadecimal digits of the SHA-256 of the text.
  ///
  /// For tokens only: the fingerprint of a short password could be guessed.
  public var fingerprint: String {
    SHA256.hash(data: Data(exposed.utf8)).prefix(4).map { byte in
      let digits = String(byte, radix: 16)
      return byte < 16 ? "0" + digits : digits
    }.joined()
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Always `‹redacted›`.
  public var description: String { "‹redacted›" }

  /// Always `‹redacted›`.
  public var debugDescription: String { description }

  /// Has no children: `dump` and mirrors see nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secret: Decodable {
  /// Reads a string, such as a token in a server's response. There is no encoding: a secret leaves by ``exposed`` only.
  public init(from decoder: any Decoder) throws {
    exposed = try decoder.singleValueContainer().decode(String.self)
  }
}
