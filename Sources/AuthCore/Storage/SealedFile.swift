import Crypto
import FoundationEssentials

/// The content of a session file, which is encrypted and authenticated (ChaCha20-Poly1305, RFC 8439).
///
/// The header is not encrypted, but authenticated with the content: 8 bytes `ACTLSEAL`, one byte with the version of
/// the format, 8 bytes that identify the key, the nonce (12 bytes), the nonce of the file that this one replaces (12
/// bytes, zero if there was none), the length of the sealed content (4 bytes, big-endian), the length of the profile's
/// name (1 byte) and the name.
struct SealedFile: Sendable {
  /// The reason why bytes are not a file of a profile that can be opened.
  enum Fault: Error, Equatable {
    /// The end is missing.
    case truncated
    /// It is another kind of file.
    case foreign
    /// It has the format of a later version.
    case later(version: Int)
    /// It belongs to the profile with this name.
    case ofProfile(String)
    /// It was sealed with another key.
    case otherKey
    /// The header or the content was changed.
    case damaged
  }

  private static let magic = Array("ACTLSEAL".utf8)
  private static let version: UInt8 = 1
  private static let nonceSize = 12
  private static let tagSize = 16
  private static let noNonce = [UInt8](repeating: 0, count: nonceSize)

  /// The nonce, which is different in each file.
  let nonce: [UInt8]
  /// The nonce of the file that this one replaces.
  private let former: [UInt8]
  /// The content.
  let content: [UInt8]
  /// The number of bytes of the file; what follows them is room that was reserved.
  let size: Int

  /// Opens a file.
  ///
  /// - Throws: ``Fault``.
  init(_ bytes: [UInt8], profile: String, key: SealingKey) throws(Fault) {
    var reader = Reader(bytes: bytes)
    let beginning = bytes.prefix(SealedFile.magic.count)
    guard SealedFile.magic.starts(with: beginning) else { throw .foreign }
    _ = try reader.next(SealedFile.magic.count)
    let version = try reader.next(1)[0]
    guard version == SealedFile.version else { throw .later(version: Int(version)) }
    let keyID = try reader.next(8)
    nonce = try reader.next(SealedFile.nonceSize)
    former = try reader.next(SealedFile.nonceSize)
    let length = try reader.next(4).reduce(0) { $0 << 8 | Int($1) }
    let name = try reader.next(Int(try reader.next(1)[0]))
    let header = bytes.prefix(reader.position)
    guard name == Array(profile.utf8) else { throw .ofProfile(String(decoding: name, as: UTF8.self)) }
    guard keyID == key.id else { throw .otherKey }
    guard length >= SealedFile.tagSize else { throw .damaged }
    let text = try reader.next(length - SealedFile.tagSize)
    let tag = try reader.next(SealedFile.tagSize)
    // The only possible error is that the content does not match: its cause can't be known.
    guard let nonce = try? ChaChaPoly.Nonce(data: nonce),
      let box = try? ChaChaPoly.SealedBox(nonce: nonce, ciphertext: text, tag: tag),
      let content = try? ChaChaPoly.open(box, using: key.key, authenticating: header)
    else { throw .damaged }
    self.content = Array(content)
    size = reader.position
  }

  /// Whether this file was written to replace another one, or, for nil, the first file.
  func follows(_ other: SealedFile?) -> Bool { former == other?.nonce ?? SealedFile.noNonce }

  /// Returns the bytes of a new file.
  ///
  /// - Parameter former: the file that it replaces; nil if there is none.
  /// - Throws: the error of the encryption.
  static func sealed(
    _ content: [UInt8], profile: String, key: SealingKey, replacing former: SealedFile?
  ) throws -> [UInt8] {
    // Random: it is never used twice with a key.
    let nonce = ChaChaPoly.Nonce()
    let length = content.count + tagSize
    var header = magic + [version] + key.id + Array(nonce) + (former?.nonce ?? noNonce)
    header += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
    header += [UInt8(truncatingIfNeeded: profile.utf8.count)] + Array(profile.utf8)
    let box = try ChaChaPoly.seal(content, using: key.key, nonce: nonce, authenticating: header)
    return header + Array(box.ciphertext) + Array(box.tag)
  }

  /// Takes parts of bytes in their order.
  private struct Reader {
    let bytes: [UInt8]
    var position = 0

    mutating func next(_ count: Int) throws(Fault) -> [UInt8] {
      guard bytes.count - position >= count else { throw .truncated }
      defer { position += count }
      return Array(bytes[position..<position + count])
    }
  }
}

/// What a session file holds.
struct SessionContents: Codable, Equatable {
  /// The items of the profile, by their kind.
  private var items: [String: String] = [:]
  /// The clients that were registered for the profile, by their issuer.
  private var registrations: [String: String] = [:]

  var isEmpty: Bool { items.isEmpty && registrations.isEmpty }

  subscript(item: SecretItem) -> Secret? {
    get { (item.issuer.map { registrations[$0] } ?? items[item.kind.rawValue]).map { Secret($0) } }
    set {
      if let issuer = item.issuer {
        registrations[issuer] = newValue?.exposed
      } else {
        items[item.kind.rawValue] = newValue?.exposed
      }
    }
  }
}
