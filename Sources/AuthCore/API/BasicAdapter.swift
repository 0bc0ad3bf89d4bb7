import HTTPTypes

/// Puts a user name and a password on requests (RFC 7617).
///
/// A request is never sent again for it: a password that is refused can't be refreshed.
public struct BasicAdapter: Interceptor {
  private let authorization: RequestAuthorization

  /// Takes the credentials.
  public init(_ credentials: BasicCredentials) {
    authorization = RequestAuthorization(APICredential(credentials.encoded), header: TokenHeader(prefix: "Basic"))
  }

  /// Puts the credentials on a request that needs some and has none yet, from another adapter or from the program.
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
