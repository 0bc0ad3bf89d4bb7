/// The endpoints, by the names that counters and faults have for them.
enum Endpoint: String, CaseIterable, Sendable {
  /// The document of RFC 8414.
  case oauthDiscovery = "discovery.oauth"
  /// The document of OpenID Connect Discovery.
  case openidDiscovery = "discovery.openid"
  /// The key set (RFC 7517).
  case jwks
  /// The authorization endpoint (RFC 6749, section 3.1).
  case authorize
  /// Where the page of the authorization endpoint posts to.
  case decide
  /// The device authorization endpoint (RFC 8628, section 3.1).
  case deviceAuthorization = "device_authorization"
  /// The page where a person enters the user code (RFC 8628, section 3.3).
  case device
  /// The token endpoint (RFC 6749, section 3.2).
  case token
  /// The pushed authorization request endpoint (RFC 9126).
  case par
  /// The revocation endpoint (RFC 7009).
  case revoke
  /// The client registration endpoint (RFC 7591) and what is below it (RFC 7592).
  case registration
  /// The introspection endpoint (RFC 7662).
  case introspect
  /// The UserInfo endpoint (OpenID Connect Core, section 5.3).
  case userinfo
  /// The API's metadata (RFC 9728).
  case resourceMetadata = "resource_metadata"
  /// The API that wants a token.
  case api
  /// The API that wants none.
  case open
  /// The five kinds of server with requests of their own.
  case kind1, kind2, kind3, kind4, kind5
  /// The control interface; it never fails and is not counted.
  case control
  /// Anything else.
  case unknown

  /// The assertion grant (RFC 7523, section 2.1).
  static let jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
  /// The token exchange grant (RFC 8693).
  static let tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"

  /// The grants that have counters and faults of their own.
  static let grants = [
    "authorization_code", "refresh_token", "password", "client_credentials", jwtBearer, tokenExchange,
    DeviceGrant.type,
  ]

  /// The name of a grant in counters and faults: the last part of a URN.
  static func name(ofGrant grant: String) -> String {
    String(grant[(grant.lastIndex(of: ":").map(grant.index(after:)) ?? grant.startIndex)...])
  }

  /// All names that a fault can be given for.
  static let names =
    allCases.filter { $0 != .control }.map(\.rawValue) + ["discovery"] + grants.map { "token.\(name(ofGrant: $0))" }
    + RegistrationEndpoint.Operation.allCases.map { "registration.\($0.rawValue)" }
    + Kind.allCases.flatMap { kind in Kind.Operation.allCases.map { "\(kind.name).\($0.rawValue)" } }

  /// Finds the endpoint behind a path.
  init(path: String, issuerPath: String) {
    switch path {
    case "/.well-known/oauth-authorization-server\(issuerPath)": self = .oauthDiscovery
    case "\(issuerPath)/.well-known/openid-configuration": self = .openidDiscovery
    case "/jwks": self = .jwks
    case "/authorize": self = .authorize
    case "/authorize/decide": self = .decide
    case "/device_authorization": self = .deviceAuthorization
    case "/device": self = .device
    case "/token": self = .token
    case "/par": self = .par
    case "/revoke": self = .revoke
    case "/introspect": self = .introspect
    case RegistrationEndpoint.path: self = .registration
    case "/userinfo": self = .userinfo
    case "/api": self = .api
    default:
      if let kind = Kind(path: path), let endpoint = Endpoint(rawValue: kind.name) {
        self = endpoint
        return
      }
      let prefixes: [(String, Endpoint)] = [
        (ResourceMetadataEndpoint.wellKnown, .resourceMetadata), (ResourceMetadataEndpoint.ownPlace, .resourceMetadata),
        (RegistrationEndpoint.path + "/", .registration), ("/api/", .api), ("/open/", .open), ("/control/", .control),
      ]
      self = prefixes.first { path.hasPrefix($0.0) }?.1 ?? .unknown
    }
  }

  /// Whether a POST to it carries a form, or JSON that is as short, which is read before anything else.
  var takesForm: Bool {
    [.authorize, .decide, .deviceAuthorization, .device, .token, .par, .revoke, .introspect, .registration]
      .contains(self)
  }
}
