/// The metadata documents (RFC 8414, section 2; OpenID Connect Discovery 1.0, section 3).
struct DiscoveryEndpoint {
  /// Scheme, host and port.
  let origin: String
  /// The settings in force.
  let settings: Settings

  /// Answers with the document, unless the settings hide it.
  func answer(_ endpoint: Endpoint) -> Response {
    let isOpenID = endpoint == .openidDiscovery
    guard isOpenID ? settings.openidDiscovery : settings.oauthDiscovery else {
      return Response(404, json: ["error": "not_found"], outcome: "\(endpoint.rawValue).404")
    }
    let omitted = isOpenID ? settings.openidDiscoveryOmits : settings.oauthDiscoveryOmits
    let members = (common + (isOpenID ? openID : [])).filter { !omitted.contains($0.name) }
    let document = JSONValue.object(members).text(changedBy: settings.discoveryMembers)
    return Response(200, text: document, type: "application/json", outcome: "\(endpoint.rawValue).ok")
  }

  private var common: [(name: String, value: JSONValue)] {
    let issuer = settings.announcedIssuer.isEmpty ? origin + settings.issuerPath : settings.announcedIssuer
    let methods: JSONValue = [
      "client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt", "none",
    ]
    return pushed + clients + [
      ("issuer", .string(issuer)),
      ("authorization_endpoint", "\(origin)/authorize"),
      ("device_authorization_endpoint", "\(origin)/device_authorization"),
      ("token_endpoint", "\(origin)/token"),
      ("revocation_endpoint", "\(origin)/revoke"),
      ("introspection_endpoint", "\(origin)/introspect"),
      ("jwks_uri", "\(origin)/jwks"),
      ("scopes_supported", .array(settings.scopes.map { .string($0) })),
      ("response_types_supported", ["code"]),
      ("response_modes_supported", ["query", "form_post"]),
      ("grant_types_supported", .array(Endpoint.grants.map { .string($0) })),
      ("token_endpoint_auth_methods_supported", methods),
      ("token_endpoint_auth_signing_alg_values_supported", .array(JWTAssertion.algorithms.map { .string($0) })),
      ("revocation_endpoint_auth_methods_supported", methods),
      ("introspection_endpoint_auth_methods_supported", ["client_secret_basic", "client_secret_post"]),
      ("code_challenge_methods_supported", ["S256"]),
      ("dpop_signing_alg_values_supported", ["ES256"]),
      ("authorization_response_iss_parameter_supported", true),
    ]
  }

  private var pushed: [(name: String, value: JSONValue)] {
    guard settings.par != .off else { return [] }
    return [
      ("pushed_authorization_request_endpoint", "\(origin)/par"),
      ("require_pushed_authorization_requests", .bool(settings.par == .required)),
    ]
  }

  /// The ways to become a client without asking a person (RFC 7591; OAuth Client ID Metadata Document).
  private var clients: [(name: String, value: JSONValue)] {
    var members: [(name: String, value: JSONValue)] = []
    if settings.registration { members.append(("registration_endpoint", "\(origin)\(RegistrationEndpoint.path)")) }
    if settings.clientMetadataDocuments { members.append(("client_id_metadata_document_supported", true)) }
    return members
  }

  private var openID: [(name: String, value: JSONValue)] {
    [
      ("userinfo_endpoint", "\(origin)/userinfo"),
      ("subject_types_supported", ["public"]),
      ("id_token_signing_alg_values_supported", [.string(settings.idTokenAlgorithm == .hs256 ? "HS256" : "ES256")]),
      ("claims_supported", ["sub", "iss", "aud", "exp", "iat", "auth_time", "nonce", "name", "email"]),
    ]
  }
}
