extension AuthError {
  /// What a person can do about an error with the program at hand.
  ///
  /// The library does not know how a program is used: the program puts a remedy into its own words.
  public enum Remedy: Sendable, Equatable, Codable {
    /// Log in to the session again.
    case logIn(session: String)
    /// Log in to the session again, and give the client secret with it.
    case giveClientSecret(session: String)
    /// Log in to the session again, and give the client's private key with it.
    case giveClientKey(session: String)
    /// Give the authorization server of the API, which could not be discovered.
    case giveIssuer(api: String)
    /// Give a value, or a file, for a field of the request.
    case giveField(name: String, isFile: Bool)
    /// State an endpoint of the server, by its key in `[endpoints]`.
    case stateEndpoint(session: String, key: String)
    /// Try again after so many seconds, or later if the server does not say when.
    case tryAgain(after: Double?)
    /// Send the request without following redirects: the redirect itself is then the response.
    case followNoRedirects
    /// Name the certificate authority that issued the server's certificate.
    case trustCertificate
  }
}
