import Crypto
package import FoundationEssentials
package import SystemPackage

/// The key that seals the session file of a profile: 32 random bytes, in its file as a line of Base64.
package struct SealingKey: Sendable {
  /// The number of bytes of a key.
  private static let size = 32
  /// The text whose hash with the key identifies it.
  private static let purpose = Array("session file key 1".utf8)

  /// The key.
  let key: SymmetricKey
  /// Identifies the key without revealing it: 8 bytes of a hash.
  let id: [UInt8]

  /// Reads a key from a file.
  ///
  /// - Throws: ``AuthError/storage(_:_:)`` if the file is missing, is not a key, or other users can read it.
  init(_ file: SecretFile) throws(AuthError) {
    let hint = "use a file with \(SealingKey.size) random bytes in Base64"
    let text: String
    do throws(AuthError) {
      text = try file.text(orRefuse: "it is not a key", hint: hint).droppingLineEnd
    } catch {
      throw .storage(.refused, error.explanation)
    }
    guard let bytes = Data(base64Encoded: text), !bytes.isEmpty else {
      throw .storage(.refused, file.name, why: "it is not a key in Base64", hint: hint)
    }
    try self.init(bytes, file.name, hint: hint)
  }

  private init(_ bytes: Data, _ name: String, hint: String) throws(AuthError) {
    guard bytes.count == SealingKey.size else {
      throw .storage(.refused, name, why: "it has \(bytes.count) bytes, not \(SealingKey.size)", hint: hint)
    }
    self.init(bytes: bytes)
  }

  /// Reads a key from its source.
  ///
  /// - Throws: ``AuthError/storage(_:_:)`` if it is not a key, or its file can't be used.
  init(_ source: Source) throws(AuthError) {
    switch source {
    case .file(let file): try self.init(file)
    case .bytes(let bytes): try self.init(bytes, source.name, hint: "use \(SealingKey.size) random bytes")
    }
  }

  /// Where the key of a session file comes from.
  package enum Source: Sendable {
    /// From a file that a profile names.
    case file(SecretFile)
    /// From the program itself.
    case bytes(Data)

    /// The key in messages.
    var name: String {
      switch self {
      case .file(let file): file.path
      case .bytes: "the key of the session file"
      }
    }
  }

  /// Creates a key from its 32 bytes.
  init(bytes: Data) {
    key = SymmetricKey(data: bytes)
    id = Array(SHA256.hash(data: SealingKey.purpose + Array(bytes)).prefix(8))
  }

  /// Creates a file with a new key, which only its owner may read.
  ///
  /// - Throws: the file system's error, ``Errno/fileExists`` too: an existing file is unchanged.
  package static func create(at path: FilePath) throws(Errno) {
    let key = unsafe SymmetricKey(size: .bits256).withUnsafeBytes { unsafe Data($0) }
    let file = try ReservedFile(creating: path)
    defer { file.close() }
    do throws(Errno) {
      try file.write(Array((key.base64EncodedString() + "\n").utf8))
      try ReservedFile.synchronize(folder: path.removingLastComponent())
    } catch {
      file.discard()
      throw error
    }
  }
}
