import AuthCore

/// A key of a profile's file, and the option of `login` that stands for it.
struct ProfileSetting: Sendable {
  /// How a value is written in TOML.
  enum Form: Sendable {
    case text, list, flag, statuses
    /// The path of a file, written as a whole one.
    case path
  }

  /// The option: the key with dashes for underscores.
  let option: Option
  /// How it is written.
  let form: Form
  /// Whether it may override the profile for one login.
  let concernsOneLogin: Bool
  /// The table that the key is in; nil for the top level.
  let table: String?
  /// The setting of a profile as text, to compare two profiles by.
  let value: @Sendable (Profile) -> String

  /// The key in the file.
  var key: String { option.long.replacing("-", with: "_") }

  init(
    _ option: Option, _ form: Form = .text, concernsOneLogin: Bool = false, table: String? = nil,
    value: @escaping @Sendable (Profile) -> String
  ) {
    self.option = option
    self.form = form
    self.concernsOneLogin = concernsOneLogin
    self.table = table
    self.value = value
  }
}

extension ProfileSetting {
  /// `--type TYPE`
  static let type = Option(
    "type", .choice("TYPE", ProfileType.allCases.map(\.rawValue)), summary: "the type of server",
    detail: """
      `oauth2` (the default) is OAuth 2.0 or OpenID Connect; `basic` sends user name and password; `custom` is a \
      server with requests of its own, which the profile's file describes: see authctl-profile(5).
      """)

  /// `--username NAME`
  static let username = Option(
    "username", .text("NAME"), summary: "the user name, for logins with a password")

  /// All of them.
  static let all = topLevel + network

  /// Those of `[network]`, but `timeout`, which is how long `login` waits for a person.
  private static let network: [ProfileSetting] = [
    ProfileSetting(
      Option(
        "cacert", .file("FILE"), summary: "trust these CAs instead of the system's",
        detail: "A PEM file of certificate authorities."), .path, table: "network", value: { $0.network.cacert ?? "" }),
    ProfileSetting(proxy, table: "network", value: { $0.network.proxy ?? "" }),
    ProfileSetting(
      Option(
        "client-certificate", .file("FILE"), summary: "the client certificate, for servers that request one",
        detail: "A PEM file. With `--client-authentication tls_client_auth` the client authenticates with it."),
      .path,
      table: "network", value: { $0.network.clientCertificate ?? "" }),
    ProfileSetting(
      Option("client-key", .file("FILE"), summary: "the private key of the client certificate", detail: "A PEM file."),
      .path,
      table: "network", value: { $0.network.clientKey ?? "" }),
    ProfileSetting(
      Option("connect-timeout", .duration("DURATION"), summary: "how long connecting may take"), table: "network",
      value: { $0.network.connectTimeout.map { "\($0)" } ?? "" }),
  ]

  /// `--proxy URL`
  static let proxy = Option(
    "proxy", .text("URL"), summary: "use this proxy", detail: "Unless given, `https_proxy` and similar variables apply."
  )

  private static let topLevel: [ProfileSetting] = [
    ProfileSetting(type, value: { $0.type.rawValue }),
    ProfileSetting(
      Option(
        "issuer", .text("URL"), summary: "the URL of the authorization server",
        detail: "Its issuer identifier (`iss`), exactly as the server publishes it."),
      value: { $0.issuer ?? "" }),
    ProfileSetting(
      Option("client-id", .text("ID"), summary: "the client ID, as registered at the server"),
      value: { $0.clientID }),
    ProfileSetting(
      Option(
        "flow", .word("FLOW", Flow.allCases.map(\.rawValue)), summary: "how to log in",
        detail: """
          `browser` opens a login page; `device` shows a code to log in with on another device; `password` sends user \
          name and password; `client-credentials` is for programs that act for themselves; `jwt-bearer` sends a signed \
          assertion; `token-exchange` exchanges another token; `token` reads tokens from standard input: a bare access \
          token, or the JSON of a token response. In a profile of type `custom`: the name of one of its requests, such \
          as `register`, or `token`, whose JSON is read as `[response]` describes; `login` unless given.
          """), concernsOneLogin: true, value: { $0.custom?.flow ?? $0.flow.rawValue }),
    ProfileSetting(
      Option("scope", .text("SCOPE"), repeats: true, summary: "the scope to request"), .list, concernsOneLogin: true,
      value: { $0.scope.joined(separator: " ") }),
    ProfileSetting(
      Option(
        "api", .text("URL"), repeats: true, summary: "an API that may get the token",
        detail: "The token goes only to the origins of these URLs. The first is the base of relative paths of `call`."),
      .list,
      value: { $0.api.map(\.string).joined(separator: " ") }),
    ProfileSetting(
      Option("audience", .text("TEXT"), summary: "the audience to request"), concernsOneLogin: true,
      value: { $0.audience ?? "" }),
    ProfileSetting(
      Option("resource", .text("URL"), repeats: true, summary: "the resource to request (RFC 8707)"), .list,
      concernsOneLogin: true, value: { $0.resource.joined(separator: " ") }),
    ProfileSetting(
      Option(
        "client-authentication", .choice("METHOD", ClientAuthentication.allCases.map(\.rawValue)),
        summary: "how the client authenticates",
        detail: """
          Unless given: `private_key_jwt` if the first login has a client key; `client_secret_basic` if it has a \
          client secret, and in the client-credentials flow, which prompts for one; else `none`.
          """),
      value: { $0.clientAuthentication.rawValue }),
    ProfileSetting(
      Option(
        "assertion-key", .file("FILE"), summary: "the private key that signs assertions",
        detail: """
          A PEM file (PKCS #8, PKCS #1, SEC 1) or a JWK that only its owner may read. It is read from there each time \
          that `private_key_jwt` or the jwt-bearer flow needs it. `--client-key-file` stores the key in the keyring \
          instead.
          """), .path, value: { $0.assertion.key ?? "" }),
    ProfileSetting(
      Option("assertion-key-id", .text("ID"), summary: "the key ID at the server (kid)"),
      value: { $0.assertion.keyID ?? "" }),
    ProfileSetting(
      Option(
        "assertion-algorithm", .choice("ALGORITHM", AssertionAlgorithm.allCases.map(\.rawValue)),
        summary: "the signature algorithm of assertions",
        detail: "Unless given, it depends on the key: `RS256`, `ES256` or `EdDSA`; `HS256` for `client_secret_jwt`."),
      value: { $0.assertion.algorithm?.rawValue ?? "" }),
    ProfileSetting(
      Option(
        "assertion-audience", .text("AUDIENCE"), summary: "the audience of assertions (aud)",
        detail: """
          Unless given: the issuer. Some servers require the URL of their token endpoint, or the URL of the endpoint \
          that is called (token, pushed authorization request or revocation); for the latter, use `endpoint`.
          """),
      value: { $0.assertion.audience ?? "" }),
    ProfileSetting(
      Option(
        "dpop", summary: "bind tokens to a key of this machine (RFC 9449)",
        detail: """
          Each login creates a key and stores it in the keyring. Every request proves possession of the key, so a \
          stolen token alone is useless. The server and the API must support DPoP.
          """), .flag, value: { String($0.dpop) }),
    ProfileSetting(username, concernsOneLogin: true, value: { $0.username ?? "" }),
    ProfileSetting(
      Option(
        "redirect-uri", .text("URI"), repeats: true, summary: "the loopback URI to return to from the browser",
        detail: """
          As registered at the server. Without a port, any free one is used; of several URIs, the first whose port is \
          free. Unless given: `http://127.0.0.1/callback`.
          """), .list, concernsOneLogin: true,
      value: { $0.redirectURI.map { "\($0.host) \($0.port ?? 0) \($0.path)" }.joined(separator: ",") }),
    ProfileSetting(
      Option(
        "basic-encoding", .choice("ENCODING", BasicEncoding.allCases.map(\.rawValue)),
        summary: "how client_secret_basic encodes the secret"), value: { $0.basicEncoding.rawValue }),
    ProfileSetting(
      Option("default", summary: "use this profile if none is named"), .flag, value: { String($0.isDefault) }),
    ProfileSetting(
      Option("refresh-before", .duration("DURATION"), summary: "refresh if less than this validity remains"),
      value: { "\($0.refreshBefore)" }),
    ProfileSetting(
      Option(
        "refresh-token-margin", .duration("DURATION"),
        summary: "treat the refresh token as expired this long before its expiry"),
      value: { "\($0.refreshTokenMargin)" }),
    ProfileSetting(
      Option(
        "refresh-token-lifetime", .duration("DURATION"),
        summary: "the refresh token's lifetime if the server does not say"),
      value: { $0.refreshTokenLifetime.map { "\($0)" } ?? "" }),
    ProfileSetting(
      Option(
        "access-token-lifetime", .duration("DURATION"),
        summary: "the access token's lifetime if the server does not say"),
      value: { $0.accessTokenLifetime.map { "\($0)" } ?? "" }),
    ProfileSetting(
      Option(
        "refresh-on", .number("STATUS", 400...599), repeats: true,
        summary: "an API status that means: refresh and replay"),
      .statuses, value: { $0.refreshOn.sorted().map(String.init).joined(separator: " ") }),
  ]
}
