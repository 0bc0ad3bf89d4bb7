import SystemPackage

/// A file with a private key; only its owner may have read permission.
package struct AssertionKeyFile: Sendable {
  private let path: String

  /// Creates a key file from its path.
  package init(_ path: String) {
    self.path = path
  }

  /// The name of the file in messages.
  package var name: String { "the key \(Escaped.text(path))" }

  /// Reads the file.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if it can't be read, belongs to another user, or other users can access it.
  package func read() throws(AuthError) -> Secret {
    let file = FilePath(path)
    let bytes: [UInt8]
    do throws(ProtectedFile.Refusal) {
      bytes = try ProtectedFile(file, .readableByOwner).contents()
    } catch .tooLarge {
      throw notText
    } catch {
      throw .usage(.init(name, why: error.why, hint: error.hint(file, .readableByOwner)))
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw notText }
    return Secret(text)
  }

  private var notText: AuthError {
    .usage(.init(name, why: "not the text of a key", hint: "use the private key as PEM or JWK"))
  }
}
