extension AuthError {
  /// An action by which the user can fix an error with the current program.
  ///
  /// The library does not know the program's commands: the program words the remedy itself.
  public enum Remedy: Sendable, Equatable, Codable {
    /// Log in to the session again.
    case logIn(session: String)
    /// Log in to the session again and provide the client secret.
    case giveClientSecret(session: String)
    /// Log in to the session again and provide the client's private key.
    case giveClientKey(session: String)
    /// Provide a value or a file for a field of the request.
    case giveField(name: String, isFile: Bool)
    /// Configure an endpoint of the server under its key in `[endpoints]`.
    case stateEndpoint(session: String, key: String)
    /// Try again after this many seconds; nil if the server does not state a time.
    case tryAgain(after: Double?)
    /// Send the request without following redirects, so that the redirect itself is the response.
    case followNoRedirects
    /// Specify the certificate authority that issued the server's certificate.
    case trustCertificate
    /// Unlock the keyring, or start it, on a machine without a desktop.
    case unlockKeyring
  }
}
