/// Gives the credential that requests carry, and another one where the API has refused it.
public protocol CredentialSource: Sendable {
  /// The credential to use now, renewed first where needed.
  ///
  /// - Parameter rejected: a token that the API has refused: another one is given.
  /// - Throws: ``AuthError`` with what to do next.
  func credential(replacing rejected: Secret?) async throws(AuthError) -> APICredential
}

extension TokenManager: CredentialSource {
  /// The access token as a bearer token, renewed first where needed.
  public func credential(replacing rejected: Secret?) async throws(AuthError) -> APICredential {
    APICredential(try await token(replacing: rejected).accessToken)
  }
}

extension ProfileSession: CredentialSource {
  /// Puts the profile's tokens on requests, and renews as the profile says; a password is not renewed.
  public var interceptor: TokenInterceptor {
    TokenInterceptor(
      self, header: profile.header, refreshOn: profile.type == .basic ? [] : profile.refreshOn,
      refusalCodes: RefusalCodes(profile), events: server.connection.events)
  }
}
