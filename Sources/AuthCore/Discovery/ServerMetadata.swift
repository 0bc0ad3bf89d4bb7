/// The metadata of an authorization server (RFC 8414, section 2; OpenID Connect Discovery, section 3).
package struct ServerMetadata: Sendable, Equatable {
  /// `issuer`
  package var issuer: String
  /// `authorization_endpoint`
  package var authorizationEndpoint: WebURL?
  /// `token_endpoint`
  package var tokenEndpoint: WebURL?
  /// `device_authorization_endpoint` (RFC 8628, section 4)
  package var deviceAuthorizationEndpoint: WebURL?
  /// `revocation_endpoint`
  package var revocationEndpoint: WebURL?
  /// `introspection_endpoint` (RFC 7662)
  package var introspectionEndpoint: WebURL?
  /// `userinfo_endpoint` (OpenID Connect Core, section 5.3)
  package var userinfoEndpoint: WebURL?
  /// `jwks_uri`
  package var jwksURI: WebURL?
  /// `id_token_signing_alg_values_supported`
  package var idTokenSigningAlgValuesSupported: [String]?
  /// `pushed_authorization_request_endpoint` (RFC 9126, section 5)
  package var pushedAuthorizationRequestEndpoint: WebURL?
  /// `require_pushed_authorization_requests` (RFC 9126, section 5)
  package var requirePushedAuthorizationRequests: Bool?
  /// `token_endpoint_auth_signing_alg_values_supported`
  package var tokenEndpointAuthSigningAlgValuesSupported: [String]?
  /// `token_endpoint_auth_methods_supported`
  package var tokenEndpointAuthMethodsSupported: [String]?
  /// `authorization_response_iss_parameter_supported` (RFC 9207, section 3)
  package var authorizationResponseIssParameterSupported: Bool?

  /// `registration_endpoint` (RFC 7591, section 3)
  package var registrationEndpoint: WebURL?
  /// `client_id_metadata_document_supported` (draft-ietf-oauth-client-id-metadata-document, section 5)
  package var clientIDMetadataDocumentSupported: Bool?

  /// The reason why a document is not this server's metadata.
  struct Unusable: Error, Equatable {
    let reason: String
    /// Whether the issuer or an endpoint is plain http, although the metadata is not.
    var isPlainHTTP = false
  }

  /// Reads one metadata document.
  ///
  /// - Throws: ``Unusable`` if its `issuer` is another one (RFC 8414, section 3.3), or if an endpoint is not secure or,
  ///   unlike the issuer, is on loopback.
  init(_ document: JSONValue, issuer: String) throws(Unusable) {
    guard let stated = document["issuer"]?.string else { throw Unusable(reason: "it has no issuer") }
    guard stated == issuer else {
      throw Unusable(
        reason: "the metadata is for issuer '\(WebURL.shown(stated))'",
        isPlainHTTP: ServerMetadata.isPlain(stated, of: issuer))
    }
    self.issuer = stated
    // An issuer that is not a URL is not on loopback either.
    let isLocal = (try? WebURL(issuer))?.origin.isLoopback == true
    authorizationEndpoint = try ServerMetadata.endpoint("authorization_endpoint", document, isLocal)
    tokenEndpoint = try ServerMetadata.endpoint("token_endpoint", document, isLocal)
    deviceAuthorizationEndpoint = try ServerMetadata.endpoint("device_authorization_endpoint", document, isLocal)
    revocationEndpoint = try ServerMetadata.endpoint("revocation_endpoint", document, isLocal)
    jwksURI = try ServerMetadata.endpoint("jwks_uri", document, isLocal)
    idTokenSigningAlgValuesSupported = document["id_token_signing_alg_values_supported"]?.strings
    pushedAuthorizationRequestEndpoint = try ServerMetadata.endpoint(
      "pushed_authorization_request_endpoint", document, isLocal)
    introspectionEndpoint = try ServerMetadata.endpoint("introspection_endpoint", document, isLocal)
    userinfoEndpoint = try ServerMetadata.endpoint("userinfo_endpoint", document, isLocal)
    requirePushedAuthorizationRequests = document["require_pushed_authorization_requests"]?.bool
    tokenEndpointAuthSigningAlgValuesSupported =
      document["token_endpoint_auth_signing_alg_values_supported"]?.strings
    tokenEndpointAuthMethodsSupported = document["token_endpoint_auth_methods_supported"]?.strings
    authorizationResponseIssParameterSupported = document["authorization_response_iss_parameter_supported"]?.bool
    registrationEndpoint = try ServerMetadata.endpoint("registration_endpoint", document, isLocal)
    clientIDMetadataDocumentSupported = document["client_id_metadata_document_supported"]?.bool
  }

  /// Adds the values that this document lacks from another one with the same issuer.
  mutating func merge(_ other: ServerMetadata) {
    authorizationEndpoint = authorizationEndpoint ?? other.authorizationEndpoint
    tokenEndpoint = tokenEndpoint ?? other.tokenEndpoint
    deviceAuthorizationEndpoint = deviceAuthorizationEndpoint ?? other.deviceAuthorizationEndpoint
    revocationEndpoint = revocationEndpoint ?? other.revocationEndpoint
    introspectionEndpoint = introspectionEndpoint ?? other.introspectionEndpoint
    userinfoEndpoint = userinfoEndpoint ?? other.userinfoEndpoint
    jwksURI = jwksURI ?? other.jwksURI
    idTokenSigningAlgValuesSupported = idTokenSigningAlgValuesSupported ?? other.idTokenSigningAlgValuesSupported
    pushedAuthorizationRequestEndpoint =
      pushedAuthorizationRequestEndpoint ?? other.pushedAuthorizationRequestEndpoint
    requirePushedAuthorizationRequests =
      requirePushedAuthorizationRequests ?? other.requirePushedAuthorizationRequests
    tokenEndpointAuthSigningAlgValuesSupported =
      tokenEndpointAuthSigningAlgValuesSupported ?? other.tokenEndpointAuthSigningAlgValuesSupported
    tokenEndpointAuthMethodsSupported = tokenEndpointAuthMethodsSupported ?? other.tokenEndpointAuthMethodsSupported
    authorizationResponseIssParameterSupported =
      authorizationResponseIssParameterSupported ?? other.authorizationResponseIssParameterSupported
    registrationEndpoint = registrationEndpoint ?? other.registrationEndpoint
    clientIDMetadataDocumentSupported = clientIDMetadataDocumentSupported ?? other.clientIDMetadataDocumentSupported
  }

  /// - Parameter isLocal: whether the issuer is on loopback: a remote server must not direct requests to this machine.
  private static func endpoint(
    _ name: String, _ document: JSONValue, _ isLocal: Bool
  ) throws(Unusable) -> WebURL? {
    guard let text = document[name]?.string else { return nil }
    do {
      let url = try WebURL(text)
      guard url.origin.isSecure else {
        throw Unusable(reason: "its \(name) is not usable: it is plain http", isPlainHTTP: true)
      }
      guard isLocal || !url.origin.isLoopback else {
        throw WebURL.Invalid(description: "it is on loopback, its issuer is not")
      }
      return url
    } catch let error as Unusable {
      throw error
    } catch {
      throw Unusable(reason: "its \(name) is not usable: \(error)")
    }
  }

  /// Returns whether an issuer is another one in plain http, as a proxy that ends TLS requests it.
  private static func isPlain(_ stated: String, of issuer: String) -> Bool {
    guard let stated = try? WebURL(stated), let issuer = try? WebURL(issuer) else { return false }
    return stated.origin.scheme == .http && issuer.origin.scheme == .https && stated.origin.host == issuer.origin.host
  }
}

extension JSONValue {
  /// Returns the metadata with the endpoints for this client's authentication. If the client presents a certificate,
  /// those in `mtls_endpoint_aliases` (RFC 8705, section 5) replace the others; all other members are unchanged.
  func forClient(usingMTLS: Bool) -> JSONValue {
    guard usingMTLS, case .object(var members) = self, case .object(let others)? = self["mtls_endpoint_aliases"] else {
      return self
    }
    for (name, value) in others where name.ends(withBytes: "_endpoint") { members[name] = value }
    return .object(members)
  }
}
