/// What is to be known of a server and its API in order to get tokens there and to use them.
package struct Profile: Sendable, Equatable {
  /// The profile's name.
  package var name: ProfileName
  /// The kind of server.
  package var type: ProfileType = .oauth2
  /// The requests and answers of a server of type ``ProfileType/custom``; nil for the other types.
  package var custom: CustomServer?
  /// The issuer whose metadata is discovered (RFC 8414, OpenID Connect Discovery); nil where all endpoints are given.
  package var issuer: String?
  /// `client_id` (RFC 6749, section 2.2)
  package var clientID: String
  /// How a login gets its tokens.
  package var flow: Flow = .browser
  /// Whether ``flow`` was chosen by somebody; else a login without a display may take ``Flow/device`` instead.
  package var isFlowStated = false
  /// `scope` to ask for; empty leaves it to the server.
  package var scope: [String] = []
  /// Where the token may go; the first is the base of relative paths.
  package var api: [WebURL] = []
  /// `audience`, as several servers take it.
  package var audience: String?
  /// `resource` (RFC 8707)
  package var resource: [String] = []
  /// How the client proves who it is (RFC 6749, section 2.3).
  package var clientAuthentication: ClientAuthentication = .none
  /// Whether tokens are to be bound to a key (RFC 9449).
  package var dpop = false
  /// How the client signs, where it does.
  package var assertion = AssertionSettings()
  /// The resource owner's name: for ``Flow/password``, for HTTP Basic, and for `{username}` in a request; the subject
  /// of ``Flow/jwtBearer``.
  package var username: String?
  /// The redirect URIs to try, the first whose port is free; without a port any free one is taken.
  package var redirectURI: [RedirectURI] = [.standard]
  /// How `client_secret_basic` encodes what it sends.
  package var basicEncoding: BasicEncoding = .percent
  /// Whether this is the profile to use where none is named.
  package var isDefault = false
  /// Renew when less than this is left of the access token.
  package var refreshBefore: Duration = .seconds(60)
  /// Treat the refresh token as expired this long before its expiry and do not send it; with zero the server decides.
  package var refreshTokenMargin: Duration = .zero
  /// The refresh token's life where the server does not say it.
  package var refreshTokenLifetime: Duration?
  /// The access token's life where neither the server nor the token says it.
  package var accessTokenLifetime: Duration?
  /// The statuses of the API that mean "renew and replay".
  package var refreshOn: Set<Int> = [401]
  /// The header field that carries the token.
  package var header = TokenHeader()
  /// Whether ``header`` is stated, so that tokens of any type can be sent.
  package var isHeaderStated = false
  /// Endpoints instead of, or on top of, those of discovery.
  package var endpoints = Endpoints()
  /// Further form fields, by request.
  package var parameters = Parameters()
  /// Proxy, certificates, time limits.
  package var network = NetworkOptions()
  /// A shell command to run once when a session has died (`[on] login_required`).
  package var onLoginRequired: String?

  /// Makes a profile with the defaults of the profile file.
  package init(name: ProfileName, clientID: String) {
    self.name = name
    self.clientID = clientID
  }

  /// The origins to which the token may go.
  package var origins: Set<Origin> { Set(api.map(\.origin)) }

  /// The endpoints of an authorization server that a profile can state.
  package struct Endpoints: Sendable, Equatable {
    /// The authorization endpoint (RFC 6749, section 3.1).
    package var authorization: WebURL?
    /// The token endpoint (RFC 6749, section 3.2).
    package var token: WebURL?
    /// The device authorization endpoint (RFC 8628, section 3.1).
    package var deviceAuthorization: WebURL?
    /// The revocation endpoint (RFC 7009).
    package var revocation: WebURL?
    /// The key set of the server (RFC 7517, section 5).
    package var jwks: WebURL?
    /// The pushed authorization request endpoint (RFC 9126, section 2).
    package var pushedAuthorizationRequest: WebURL?
    /// Whether authorization requests are pushed to a server that offers or requires it.
    package var pushesAuthorizationRequests = true
  }

  /// Form fields to add to requests, by request, in the order of their names.
  package struct Parameters: Sendable, Equatable {
    /// For the authorization request.
    package var authorization: [String: String] = [:]
    /// For the token request of a login.
    package var token: [String: String] = [:]
    /// For the token request of a renewal.
    package var refresh: [String: String] = [:]
    /// Claims of the assertion of ``Flow/jwtBearer``, which go before ours of the same name.
    package var assertion: [String: String] = [:]

    /// The fields of a request, in the order of their names.
    static func fields(_ parameters: [String: String]) -> [(name: String, value: String)] {
      parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
  }
}

/// The kind of server that a profile describes; the raw value is the word in the file.
package enum ProfileType: String, Sendable, CaseIterable {
  /// OAuth 2.0 or OpenID Connect.
  case oauth2
  /// A server with requests of its own.
  case custom
  /// An API that takes user name and password (RFC 7617).
  case basic
}
