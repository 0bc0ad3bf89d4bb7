import HTTPTypes

/// Puts a user name and a password on requests (RFC 7617).
///
/// It has no other half: a password that is refused can't be renewed.
public struct BasicAdapter: RequestAdapter {
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
}
