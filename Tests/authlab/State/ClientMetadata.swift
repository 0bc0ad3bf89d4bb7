import Foundation

/// What a client has registered, or says in its document (RFC 7591, section 2).
struct ClientMetadata: Sendable {
  private struct Wire: Decodable {
    var clientId: String?
    var redirectUris: [String]?
    var tokenEndpointAuthMethod: String?
    var grantTypes: [String]?
    var responseTypes: [String]?
    var scope: String?
    var clientName: String?
    var applicationType: String?
  }

  /// `client_id`, which only a document has.
  let clientID: String?
  /// `redirect_uris`.
  var redirectUris: [String]
  /// `token_endpoint_auth_method`.
  var method: String
  /// `grant_types`.
  let grantTypes: [String]
  /// `response_types`.
  let responseTypes: [String]
  /// `scope`; nil where the client did not say.
  let scope: [String]?
  /// `client_name`.
  let name: String?
  /// `application_type` (OpenID Connect Dynamic Client Registration, section 2).
  let applicationType: String?

  /// The methods that can be registered.
  static let methods = ["none", "client_secret_basic", "client_secret_post"]

  /// Reads a JSON object; what it does not say has the values of the RFC.
  /// - Throws: `OAuthError` with the codes of RFC 7591, section 3.2.2.
  init(_ json: Data) throws(OAuthError) {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let wire: Wire
    do {
      wire = try decoder.decode(Wire.self, from: json)
    } catch {
      throw OAuthError("invalid_client_metadata", "The metadata can't be read.")
    }
    clientID = wire.clientId
    redirectUris = wire.redirectUris ?? []
    method = wire.tokenEndpointAuthMethod ?? "client_secret_basic"
    grantTypes = wire.grantTypes ?? ["authorization_code"]
    responseTypes = wire.responseTypes ?? ["code"]
    scope = wire.scope?.split(separator: " ").map(String.init)
    name = wire.clientName
    applicationType = wire.applicationType
    try check()
  }

  private func check() throws(OAuthError) {
    guard Self.methods.contains(method) else {
      throw OAuthError("invalid_client_metadata", "The authentication method is not supported.")
    }
    guard grantTypes.allSatisfy(Endpoint.grants.contains) else {
      throw OAuthError("invalid_client_metadata", "A grant type is not supported.")
    }
    guard redirectUris.allSatisfy(RedirectURIRule.canBeRegistered) else {
      throw OAuthError("invalid_redirect_uri", "A redirect URI is neither https nor one of loopback.")
    }
    guard grantTypes.contains("authorization_code") else { return }
    guard !redirectUris.isEmpty else { throw OAuthError("invalid_redirect_uri", "There is no redirect URI.") }
    guard responseTypes.contains("code") else {
      throw OAuthError("invalid_client_metadata", "The response type code is missing.")
    }
  }

  /// The members of a response (RFC 7591, section 3.2.1).
  var members: [(name: String, value: JSONValue)] {
    let list: ([String]) -> JSONValue = { .array($0.map { .string($0) }) }
    var members: [(name: String, value: JSONValue)] = [
      ("redirect_uris", list(redirectUris)), ("token_endpoint_auth_method", .string(method)),
      ("grant_types", list(grantTypes)), ("response_types", list(responseTypes)),
    ]
    if let scope { members.append(("scope", .string(scope.joined(separator: " ")))) }
    if let name { members.append(("client_name", .string(name))) }
    if let applicationType { members.append(("application_type", .string(applicationType))) }
    return members
  }
}
