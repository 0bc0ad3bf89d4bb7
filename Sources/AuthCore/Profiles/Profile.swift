/// What is to be known of a server and its API in order to get tokens there and to use them.
public struct Profile: Sendable, Equatable {
  /// The profile's name.
  public var name: ProfileName
  /// The kind of server.
  public var type: ProfileType = .oauth2
  /// The requests and answers of a server of type ``ProfileType/custom``; nil for the other types.
  public var custom: CustomServer?
  /// The issuer whose metadata is discovered (RFC 8414, OpenID Connect Discovery); nil where all endpoints are given.
  public var issuer: String?
  /// `client_id` (RFC 6749, section 2.2)
  public var clientID: String
  /// How a login gets its tokens.
  public var flow: Flow = .browser
  /// Whether ``flow`` was chosen by somebody; else a login without a display may take ``Flow/device`` instead.
  public var isFlowStated = false
  /// `scope` to ask for; empty leaves it to the server.
  public var scope: [String] = []
  /// Where the token may go; the first is the base of relative paths.
  public var api: [WebURL] = []
  /// `audience`, as several servers take it.
  public var audience: String?
  /// `resource` (RFC 8707)
  public var resource: [String] = []
  /// How the client proves who it is (RFC 6749, section 2.3).
  public var clientAuthentication: ClientAuthentication = .none
  /// Whether tokens are to be bound to a key (RFC 9449).
  public var dpop = false
  /// How the client signs, where it does.
  public var assertion = AssertionSettings()
  /// The resource owner's name: for ``Flow/password``, for HTTP Basic, and for `{username}` in a request; the subject
  /// of ``Flow/jwtBearer``.
  public var username: String?
  /// The redirect URIs to try, the first whose port is free; without a port any free one is taken.
  public var redirectURI: [RedirectURI] = [.standard]
  /// How `client_secret_basic` encodes what it sends.
  public var basicEncoding: BasicEncoding = .percent
  /// Whether this is the profile to use where none is named.
  public var isDefault = false
  /// Renew when less than this is left of the access token.
  public var refreshBefore: Duration = .seconds(60)
  /// Treat the refresh token as expired this long before its expiry and do not send it; with zero the server decides.
  public var refreshTokenMargin: Duration = .zero
  /// The refresh token's life where the server does not say it.
  public var refreshTokenLifetime: Duration?
  /// The access token's life where neither the server nor the token says it.
  public var accessTokenLifetime: Duration?
  /// The statuses of the API that mean "renew and replay".
  public var refreshOn: Set<Int> = [401]
  /// The header field that carries the token.
  public var header = TokenHeader()
  /// Whether ``header`` is stated, so that tokens of any type can be sent.
  public var isHeaderStated = false
  /// Endpoints instead of, or on top of, those of discovery.
  public var endpoints = Endpoints()
  /// Further form fields, by request.
  public var parameters = Parameters()
  /// Proxy, certificates, time limits.
  public var network = NetworkOptions()
  /// A shell command to run once when a session has died (`[on] login_required`).
  public var onLoginRequired: String?

  /// Makes a profile with the defaults of the profile file.
  public init(name: ProfileName, clientID: String) {
    self.name = name
    self.clientID = clientID
  }

  /// The origins to which the token may go.
  public var origins: Set<Origin> { Set(api.map(\.origin)) }

  /// The endpoints of an authorization server that a profile can state.
  public struct Endpoints: Sendable, Equatable {
    /// The authorization endpoint (RFC 6749, section 3.1).
    public var authorization: WebURL?
    /// The token endpoint (RFC 6749, section 3.2).
    public var token: WebURL?
    /// The device authorization endpoint (RFC 8628, section 3.1).
    public var deviceAuthorization: WebURL?
    /// The revocation endpoint (RFC 7009).
    public var revocation: WebURL?
    /// The key set of the server (RFC 7517, section 5).
    public var jwks: WebURL?
    /// The pushed authorization request endpoint (RFC 9126, section 2).
    public var pushedAuthorizationRequest: WebURL?
    /// Whether authorization requests are pushed to a server that offers or requires it.
    public var pushesAuthorizationRequests = true
  }

  /// Form fields to add to requests, by request, in the order of their names.
  public struct Parameters: Sendable, Equatable {
    /// For the authorization request.
    public var authorization: [String: String] = [:]
    /// For the token request of a login.
    public var token: [String: String] = [:]
    /// For the token request of a renewal.
    public var refresh: [String: String] = [:]
    /// Claims of the assertion of ``Flow/jwtBearer``, which go before ours of the same name.
    public var assertion: [String: String] = [:]

    /// The fields of a request, in the order of their names.
    static func fields(_ parameters: [String: String]) -> [(name: String, value: String)] {
      parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
  }
}

/// The kind of server that a profile describes; the raw value is the word in the file.
public enum ProfileType: String, Sendable, CaseIterable {
  /// OAuth 2.0 or OpenID Connect.
  case oauth2
  /// A server with requests of its own.
  case custom
  /// An API that takes user name and password (RFC 7617).
  case basic
}
