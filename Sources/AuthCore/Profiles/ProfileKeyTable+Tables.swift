import HTTPTypes

extension ProfileKeyTable {
  /// `[header]`
  static let header = ProfileKeyTable(
    "header", types: [.oauth2, .custom], "The header field that carries the token.",
    [
      ProfileKey("name", .headerName, "The field's name."),
      ProfileKey(
        "prefix", .text(\.header.prefix), "The word before the token and a space. `\"\"` sends the bare token."),
    ])

  /// `[endpoints]`
  static let endpoints = ProfileKeyTable(
    "endpoints",
    """
    URLs that override what discovery finds, or replace discovery.

    In a profile of type `custom`, any name is allowed: a `url` of `[requests]` may then be on that origin.
    """,
    [
      ProfileKey(
        "authorization", .url(\.endpoints.authorization), "The page of the browser login (RFC 6749, section 3.1)."),
      ProfileKey("token", .url(\.endpoints.token), "Where tokens are requested and refreshed (RFC 6749, section 3.2)."),
      ProfileKey(
        "device_authorization", .url(\.endpoints.deviceAuthorization), "Where the device flow starts (RFC 8628)."),
      ProfileKey("revocation", .url(\.endpoints.revocation), "Where `logout` revokes tokens (RFC 7009)."),
      ProfileKey(
        "introspection", .url(\.endpoints.introspection), "Where `inspect --online` introspects the token (RFC 7662)."),
      ProfileKey(
        "userinfo", .url(\.endpoints.userinfo),
        "Where `inspect --online` asks for the user's claims (OpenID Connect Core, section 5.3)."),
      ProfileKey(
        "pushed_authorization_request",
        .init(
          .text, "a URL, or \"\"",
          read: { value, profile throws(ProfileFault) in
            profile.endpoints.pushesAuthorizationRequests = try value.text() != ""
            guard profile.endpoints.pushesAuthorizationRequests else { return }
            profile.endpoints.pushedAuthorizationRequest = try value.url()
          },
          shown: { profile in
            guard profile.endpoints.pushesAuthorizationRequests else { return .string("") }
            return profile.endpoints.pushedAuthorizationRequest.map { .string($0.string) }
          }),
        """
        Where the authorization request is pushed before the browser is opened (RFC 9126). Used if it is set here or \
        in the server's metadata; `""` switches it off. If it is only in the metadata and returns 404, 405 or 501, the \
        login continues without it.
        """),
      ProfileKey(
        "jwks", .url(\.endpoints.jwks),
        """
        The keys that ID tokens and JWT access tokens are signed with. Accepted algorithms: \
        \(SignatureAlgorithm.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")). Those that begin with \
        `HS` use the client secret, and must be in the server's metadata.
        """),
    ])

  /// `[parameters]`
  static let parameters = ProfileKeyTable(
    "parameters",
    """
    Additional form fields, a table for each request: `authorization = { prompt = "consent" }`. Others are \
    `login_hint`, `acr_values`, `max_age`, …. Fields that `authctl` sends itself can't be set.
    """,
    [
      ProfileKey(
        "authorization",
        .fields(
          \.parameters.authorization,
          ours: [
            "response_type", "client_id", "redirect_uri", "state", "nonce", "code_challenge", "code_challenge_method",
            "request", "request_uri",
          ], keys: ["scope", "audience", "resource"]), "Fields of the authorization request."),
      ProfileKey(
        "token", .fields(\.parameters.token, ours: tokenFields, keys: ["scope", "audience", "resource"]),
        "Fields of the token request of a login."),
      // A refresh request has no scope and no audience of its own.
      ProfileKey(
        "refresh", .fields(\.parameters.refresh, ours: tokenFields, keys: ["resource"]),
        "Fields of the refresh request."),
      ProfileKey(
        "assertion", .fields(\.parameters.assertion, ours: ["iat", "exp", "nbf", "jti"], keys: []),
        "Claims of the assertion of `jwt-bearer`, such as `iss` or `scope`."),
    ])

  private static let tokenFields = [
    "grant_type", "client_id", "client_secret", "client_assertion", "client_assertion_type", "code", "code_verifier",
    "redirect_uri", "refresh_token", "username", "password", "assertion", "device_code", "subject_token",
    "subject_token_type", "actor_token", "actor_token_type",
  ]

  /// `[network]`
  static let network = ProfileKeyTable(
    "network", types: ProfileType.allCases,
    """
    Connections to the server and to the API.

    A relative path is resolved against the profile's folder, `~` against the home directory; the same applies to \
    `assertion_key`. A missing file is an error of the profile.
    """,
    [
      ProfileKey(
        "cacert", .path(\.network.cacert),
        option: .init("FILE", "trust these CAs instead of the system's"),
        "A PEM file of the certificate authorities to trust instead of the system's."),
      ProfileKey(
        "proxy", .text(\.network.proxy), form: "a URL",
        option: .init("URL", "use this proxy"),
        "The proxy. Without it, `https_proxy` and similar variables apply."),
      ProfileKey(
        "client_certificate", .path(\.network.clientCertificate),
        option: .init("FILE", "the client certificate, for servers that request one"),
        "A PEM file with the client certificate, for `tls_client_auth` and for servers that request one."),
      ProfileKey(
        "client_key", .path(\.network.clientKey),
        option: .init("FILE", "the private key of the client certificate"),
        "A PEM file with the private key of the client certificate."),
      ProfileKey(
        "connect_timeout", .duration(\.network.connectTimeout),
        option: .init("DURATION", "limit the time of connecting"), "The time limit for connecting."),
      // `--timeout` of `login` limits the wait for the user.
      ProfileKey(
        "timeout", .duration(\.network.timeout),
        "The time limit for a whole request. Unless given: 30s to the authorization server, none to the API."),
    ])

  /// `[on]`
  static let on = ProfileKeyTable(
    "on", types: [.oauth2, .custom], "Commands that are run on an event.",
    [
      ProfileKey(
        "login_required", .text(\.onLoginRequired), form: "a command",
        """
        A shell command that is run once when a session has ended and a person must log in. Its environment has \
        `AUTHCTL_PROFILE` and `AUTHCTL_ERROR`, never a token. It is stopped after 10 seconds.
        """)
    ])
}

extension ProfileKey.Access {
  /// The fields that delimit an HTTP message: a profile must not set them.
  static let framingFields = [
    "host", "content-length", "transfer-encoding", "connection", "te", "trailer", "upgrade", "expect",
  ]

  fileprivate static let headerName = ProfileKey.Access(
    .text, "a text",
    read: { value, profile throws(ProfileFault) in
      guard let name = HTTPField.Name(try value.text()) else {
        throw value.fault("is not the name of a header field", hint: "use \"X-Auth-Token\"")
      }
      guard !framingFields.contains(name.canonicalName) else {
        throw ProfileFault(
          value.path, why: "'\(name.rawName)' has a special meaning in HTTP",
          hint: "name the field that the API reads the token from")
      }
      profile.header.name = name
    }, shown: { .string($0.header.name.rawName) })

  /// Additional fields of a request.
  ///
  /// A field that the request already has is refused: a field that is sent twice is an error (RFC 6749, section 3.1),
  /// and one that replaces the built-in field would disable what protects the login.
  ///
  /// - Parameters:
  ///   - ours: the fields that the request always has, or must never have.
  ///   - keys: the keys of the profile that add a field of their name to the request.
  fileprivate static func fields(
    _ property: ProfileKey.Property<[String: String]>, ours: [String], keys: [String]
  ) -> ProfileKey.Access {
    ProfileKey.Access(
      .table, "a table of texts",
      read: { value, profile throws(ProfileFault) in
        for field in try value.table().values {
          let request = value.key
          guard !ours.contains(field.key) else {
            throw field.fault(
              "can't be set in [parameters] \(request)", hint: "remove it: the right value is sent automatically")
          }
          if keys.contains(field.key), ProfileKey.named(field.key, of: .oauth2)?.shown(profile) != nil {
            throw field.fault(
              "of [parameters] \(request) is set already, by the key '\(field.key)'", hint: "set one of them")
          }
          profile[keyPath: property][field.key] = try field.text()
        }
      })
  }
}
