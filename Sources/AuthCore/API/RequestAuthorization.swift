/// The credentials of one request: what is sent, and in which header field.
///
/// They stand apart from the other header fields so that they go to the client's origins only, are left behind by a
/// redirect to another one, and can be told apart when the API refuses them.
public struct RequestAuthorization: Sendable {
  /// The token, or what stands in its place.
  public let credential: APICredential
  /// The field that carries it.
  public let header: TokenHeader

  /// Names credential and field.
  public init(_ credential: APICredential, header: TokenHeader = TokenHeader()) {
    self.credential = credential
    self.header = header
  }
}
