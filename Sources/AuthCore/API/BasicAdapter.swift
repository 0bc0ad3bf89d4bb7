import HTTPTypes

/// Adds a user name and a password to requests (RFC 7617).
///
/// Never retries a request: a refused password can't be refreshed.
public struct BasicAdapter: Interceptor {
  private let authorization: RequestAuthorization

  /// Creates an adapter with the credentials.
  public init(_ credentials: BasicCredentials) {
    authorization = RequestAuthorization(APICredential(credentials.encoded), header: TokenHeader(prefix: "Basic"))
  }

  /// Creates an adapter with a user name and a password.
  ///
  /// - Throws: ``AuthError/usage(_:)`` for a user name with a colon (RFC 7617, section 2), or a control character in
  ///   either.
  public init(username: String, password: Secret) throws(AuthError) {
    guard let credentials = BasicCredentials(username: username, password: password) else {
      throw .usage(
        "the user name and the password", why: "HTTP Basic can't send them",
        hint: "use a user name without a colon, and neither with control characters")
    }
    self.init(credentials)
  }

  /// Adds the credentials to a request that needs some and has none from another adapter or from the program.
  public func adapt(_ request: APIRequest) async throws -> APIRequest {
    guard request.needsAuthentication, request.authorization == nil,
      request.fields[authorization.header.name] == nil
    else { return request }
    var request = request
    request.authorization = authorization
    return request
  }

  /// Accepts every outcome.
  public func decide(after attempt: Attempt) async throws -> RetryDecision { .accept }
}
