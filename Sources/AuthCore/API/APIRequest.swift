public import HTTPTypes

/// A request to an API, before or after adapters have changed it.
public struct APIRequest: Sendable {
  /// The request's method.
  public var method: HTTPRequest.Method
  /// The target: a path below the client's base URL, or an absolute URL (`https://…`).
  public var path: String
  /// Fields to append to the query, each name and value form-encoded.
  public var query: [(name: String, value: String)]
  /// The header fields. The transport adds the field that carries the token, such as `Authorization`; a request with
  /// its own such field keeps it, gets no token, and causes no refresh.
  public var fields: HTTPFields
  /// The body; nil if there is none.
  public var body: RequestBody?
  /// Whether the request carries credentials; if false, none are sent, regardless of the adapters.
  public var needsAuthentication: Bool
  /// The credentials that the request carries; adapters set them.
  public var authorization: RequestAuthorization?

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - path: a path below the client's base URL, or an absolute URL.
  ///   - query: fields to append to the query.
  ///   - needsAuthentication: whether the request carries credentials.
  public init(
    _ method: HTTPRequest.Method, _ path: String, query: [(name: String, value: String)] = [], fields: HTTPFields = [:],
    body: RequestBody? = nil, needsAuthentication: Bool = true
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.fields = fields
    self.body = body
    self.needsAuthentication = needsAuthentication
  }

  /// Returns the same request without credentials, for example for a login, a registration or a public resource.
  public func withoutAuthentication() -> APIRequest {
    var request = self
    request.needsAuthentication = false
    return request
  }
}

/// The credentials of one request: the token and the header field that carries it.
///
/// They are separate from the other header fields, so that they go to the client's origins only, are dropped by a
/// redirect to another origin, and can be identified if the API refuses them.
public struct RequestAuthorization: Sendable {
  /// The token, or another credential in its place.
  public let credential: APICredential
  /// The header field that carries the credential.
  public let header: TokenHeader

  /// Creates the credentials from a credential and its header field.
  public init(_ credential: APICredential, header: TokenHeader = TokenHeader()) {
    self.credential = credential
    self.header = header
  }
}
