/// One half of an ``Interceptor``: puts something on a request before it is sent, such as a token.
public protocol RequestAdapter: Sendable {
  /// Gives the request as it is to be sent.
  ///
  /// It is asked before each attempt, each time with the request as the program made it.
  ///
  /// - Throws: what ends the request before it is sent; ``AuthError`` becomes ``APIError/authentication(_:)``, anything
  ///   else reaches the caller as it is.
  func adapt(_ request: APIRequest) async throws -> APIRequest
}
