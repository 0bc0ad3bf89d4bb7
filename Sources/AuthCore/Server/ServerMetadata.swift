/// What an authorization server says of itself (RFC 8414, section 2; OpenID Connect Discovery, section 3).
public struct ServerMetadata: Sendable, Equatable {
  /// `issuer`
  public var issuer: String
  /// `authorization_endpoint`
  public var authorizationEndpoint: WebURL?
  /// `token_endpoint`
  public var tokenEndpoint: WebURL?
  /// `revocation_endpoint`
  public var revocationEndpoint: WebURL?
  /// `jwks_uri`
  public var jwksURI: WebURL?
  /// `id_token_signing_alg_values_supported`
  public var idTokenSigningAlgValuesSupported: [String]?
  /// `token_endpoint_auth_methods_supported`
  public var tokenEndpointAuthMethodsSupported: [String]?
  /// `authorization_response_iss_parameter_supported` (RFC 9207, section 3)
  public var authorizationResponseIssParameterSupported: Bool?

  /// Why a document is not this server's metadata.
  struct Unusable: Error, Equatable {
    let reason: String
  }

  /// Reads one metadata document.
  ///
  /// - Throws: ``Unusable`` where its `issuer` is another one (RFC 8414, section 3.3) or an endpoint is not secure.
  init(_ document: JSONValue, issuer: String) throws(Unusable) {
    guard let stated = document["issuer"]?.string else { throw Unusable(reason: "it names no issuer") }
    guard stated == issuer else {
      throw Unusable(reason: "it is of another issuer: '\(Printable.text(stated))'")
    }
    self.issuer = stated
    authorizationEndpoint = try ServerMetadata.endpoint("authorization_endpoint", document)
    tokenEndpoint = try ServerMetadata.endpoint("token_endpoint", document)
    revocationEndpoint = try ServerMetadata.endpoint("revocation_endpoint", document)
    jwksURI = try ServerMetadata.endpoint("jwks_uri", document)
    idTokenSigningAlgValuesSupported = document["id_token_signing_alg_values_supported"]?.strings
    tokenEndpointAuthMethodsSupported = document["token_endpoint_auth_methods_supported"]?.strings
    authorizationResponseIssParameterSupported = document["authorization_response_iss_parameter_supported"]?.bool
  }

  /// Fills what this document leaves out from another one of the same issuer.
  mutating func merge(_ other: ServerMetadata) {
    authorizationEndpoint = authorizationEndpoint ?? other.authorizationEndpoint
    tokenEndpoint = tokenEndpoint ?? other.tokenEndpoint
    revocationEndpoint = revocationEndpoint ?? other.revocationEndpoint
    jwksURI = jwksURI ?? other.jwksURI
    idTokenSigningAlgValuesSupported = idTokenSigningAlgValuesSupported ?? other.idTokenSigningAlgValuesSupported
    tokenEndpointAuthMethodsSupported = tokenEndpointAuthMethodsSupported ?? other.tokenEndpointAuthMethodsSupported
    authorizationResponseIssParameterSupported =
      authorizationResponseIssParameterSupported ?? other.authorizationResponseIssParameterSupported
  }

  private static func endpoint(_ name: String, _ document: JSONValue) throws(Unusable) -> WebURL? {
    guard let text = document[name]?.string else { return nil }
    do {
      let url = try WebURL(text)
      guard url.origin.isSecure else { throw WebURL.Invalid(description: "it is plain http") }
      return url
    } catch {
      throw Unusable(reason: "its \(name) is not usable: \(error)")
    }
  }
}
