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
