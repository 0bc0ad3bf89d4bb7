public import HTTPTypes

/// A request to an API, before and after the adapters have put on it what it needs.
public struct APIRequest: Sendable {
  /// The request's method.
  public var method: HTTPRequest.Method
  /// Where it goes: a path below the client's base, or a whole URL (`https://…`).
  public var path: String
  /// Fields to append to the query, each name and value form-encoded.
  public var query: [(name: String, value: String)]
  /// The header fields. One that carries the token, such as `Authorization`, is put there by the transport; a request
  /// that brings its own keeps it, and is neither given a token nor refreshed for.
  public var fields: HTTPFields
  /// The body, if there is one.
  public var body: RequestBody?
  /// Whether the request is to carry credentials; where not, none go out with it, whatever the adapters do.
  public var needsAuthentication: Bool
  /// The credentials that the request carries; adapters set them.
  public var authorization: RequestAuthorization?

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - path: a path below the client's base, or a whole URL.
  ///   - query: fields to append to the query.
  ///   - needsAuthentication: whether it is to carry credentials.
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

  /// The same request without credentials: for a login, a registration, what is public.
  public func withoutAuthentication() -> APIRequest {
    var request = self
    request.needsAuthentication = false
    return request
  }
}

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
