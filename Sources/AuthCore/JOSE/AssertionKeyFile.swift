/// A file with a private key; only its owner may have read permission.
package struct AssertionKeyFile: Sendable {
  private let file: SecretFile

  /// Creates a key file from its path, or from the name of a credential.
  ///
  /// - Parameter credentials: the folder of the service's credentials; nil if there is none.
  package init(_ path: String, credentials: String? = nil) {
    file = SecretFile(path, what: "the key", credentials: credentials)
  }

  /// The name of the file in messages.
  package var name: String { file.name }

  /// Reads the file.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if it can't be read, belongs to another user, or other users can access it.
  package func read() throws(AuthError) -> Secret {
    Secret(try file.text(orRefuse: "not the text of a key", hint: "use the private key as PEM or JWK"))
  }
}
