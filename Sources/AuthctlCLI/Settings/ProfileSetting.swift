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
  /// Whether it may be given for one login over a profile that says otherwise.
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
    "type", .choice("TYPE", ProfileType.allCases.map(\.rawValue)), summary: "the kind of server",
    detail: """
      `oauth2`, unless given, is OAuth 2.0 or OpenID Connect; `basic` sends user name and password; `custom` is a \
      server with requests of its own, which a profile's file describes: see `authctl-profile(5)`.
      """)

  /// `--username NAME`
  static let username = Option(
    "username", .text("NAME"), summary: "the user's name, where a password is asked for")

  /// All of them.
  static let all = topLevel + network

  /// Those of `[network]`, but `timeout`, which is how long `login` waits for a person.
  private static let network: [ProfileSetting] = [
    ProfileSetting(
      Option(
        "cacert", .file("FILE"), summary: "trust these certificate authorities instead of the system's",
        detail: "A PEM file."), .path, table: "network", value: { $0.network.cacert ?? "" }),
    ProfileSetting(proxy, table: "network", value: { $0.network.proxy ?? "" }),
    ProfileSetting(
      Option(
        "client-certificate", .file("FILE"), summary: "show this certificate to servers that ask for one",
        detail: "A PEM file; with `--client-authentication tls_client_auth` it is how the client authenticates."),
      .path,
      table: "network", value: { $0.network.clientCertificate ?? "" }),
    ProfileSetting(
      Option("client-key", .file("FILE"), summary: "the private key of that certificate", detail: "A PEM file."), .path,
      table: "network", value: { $0.network.clientKey ?? "" }),
    ProfileSetting(
      Option("connect-timeout", .duration("DURATION"), summary: "how long connecting may take"), table: "network",
      value: { $0.network.connectTimeout.map { "\($0)" } ?? "" }),
  ]

  /// `--proxy URL`
  static let proxy = Option(
    "proxy", .text("URL"), summary: "use this proxy", detail: "Unless given, `https_proxy` and the like hold.")

  private static let topLevel: [ProfileSetting] = [
    ProfileSetting(type, value: { $0.type.rawValue }),
    ProfileSetting(
      Option("issuer", .text("URL"), summary: "the server's issuer, whose metadata is discovered"),
      value: { $0.issuer ?? "" }),
    ProfileSetting(
      Option("client-id", .text("ID"), summary: "the client's name as registered at the server"),
      value: { $0.clientID }),
    ProfileSetting(
      Option(
        "flow", .word("FLOW", Flow.allCases.map(\.rawValue)), summary: "how to log in",
        detail: """
          `browser` opens a page to log in on; `device` shows a code to log in with on another device; `password` sends \
          user name and password; `client-credentials` is for programs that act for themselves; `jwt-bearer` gives a \
          signed assertion, `token-exchange` another token in exchange; `token` takes tokens from standard input: one \
          bare access token, or the JSON of a token response. In a profile of type `custom`: the name of one of its \
          requests, such as `register`, or `token`, whose JSON is read as `[response]` says; `login` unless given.
          """), concernsOneLogin: true, value: { $0.custom?.flow ?? $0.flow.rawValue }),
    ProfileSetting(
      Option("scope", .text("SCOPE"), repeats: true, summary: "what to ask for"), .list, concernsOneLogin: true,
      value: { $0.scope.joined(separator: " ") }),
    ProfileSetting(
      Option(
        "api", .text("URL"), repeats: true, summary: "where the token may go",
        detail: "The first one is the base of the relative paths of `call`."), .list,
      value: { $0.api.map(\.string).joined(separator: " ") }),
    ProfileSetting(
      Option("audience", .text("TEXT"), summary: "the audience to ask for"), concernsOneLogin: true,
      value: { $0.audience ?? "" }),
    ProfileSetting(
      Option("resource", .text("URL"), repeats: true, summary: "the resource to ask for (RFC 8707)"), .list,
      concernsOneLogin: true, value: { $0.resource.joined(separator: " ") }),
    ProfileSetting(
      Option(
        "client-authentication", .choice("METHOD", ClientAuthentication.allCases.map(\.rawValue)),
        summary: "how the client proves who it is",
        detail: """
          Unless given: `client_secret_basic` if a client secret comes with the first login, and in the \
          client-credentials flow, which asks for one; `private_key_jwt` if a key does; else `none`.
          """),
      value: { $0.clientAuthentication.rawValue }),
    ProfileSetting(
      Option(
        "assertion-key", .file("FILE"), summary: "the private key with which the client signs",
        detail: """
          A PEM file (PKCS #8, PKCS #1, SEC 1) or a JWK that only its owner may read. It stays where it is, and \
          is read for `private_key_jwt` and the jwt-bearer flow. `--client-key-file` keeps the key in \
          the keyring instead.
          """), .path, value: { $0.assertion.key ?? "" }),
    ProfileSetting(
      Option("assertion-key-id", .text("ID"), summary: "the key's name at the server (kid)"),
      value: { $0.assertion.keyID ?? "" }),
    ProfileSetting(
      Option(
        "assertion-algorithm", .choice("ALGORITHM", AssertionAlgorithm.allCases.map(\.rawValue)),
        summary: "how assertions are signed",
        detail: "What fits the key unless given: `RS256`, `ES256`, `EdDSA`; `HS256` for `client_secret_jwt`."),
      value: { $0.assertion.algorithm?.rawValue ?? "" }),
    ProfileSetting(
      Option(
        "assertion-audience", .text("AUDIENCE"), summary: "whom assertions are meant for (aud)",
        detail: """
          The issuer unless given. Several servers want the URL of their token endpoint, or, by the word `endpoint`, the \
          URL of whatever is asked: token, pushed authorization request or revocation.
          """),
      value: { $0.assertion.audience ?? "" }),
    ProfileSetting(
      Option(
        "dpop", summary: "bind the tokens to a key of this machine (RFC 9449)",
        detail: """
          A key is made at each login and kept in the keyring; each request proves that it is there, so that a stolen \
          token alone is worth nothing. The server and the API must know DPoP.
          """), .flag, value: { String($0.dpop) }),
    ProfileSetting(username, concernsOneLogin: true, value: { $0.username ?? "" }),
    ProfileSetting(
      Option(
        "redirect-uri", .text("URI"), repeats: true, summary: "where the browser comes back to",
        detail: """
          A loopback URI as it is registered at the server. Without a port any free one is taken; of several, the \
          first whose port is free. `http://127.0.0.1/callback` unless given.
          """), .list, concernsOneLogin: true,
      value: { $0.redirectURI.map { "\($0.host) \($0.port ?? 0) \($0.path)" }.joined(separator: ",") }),
    ProfileSetting(
      Option(
        "basic-encoding", .choice("ENCODING", BasicEncoding.allCases.map(\.rawValue)),
        summary: "how client_secret_basic encodes the secret"), value: { $0.basicEncoding.rawValue }),
    ProfileSetting(
      Option("default", summary: "use this profile where none is named"), .flag, value: { String($0.isDefault) }),
    ProfileSetting(
      Option("refresh-before", .duration("DURATION"), summary: "renew when less than this is left"),
      value: { "\($0.refreshBefore)" }),
    ProfileSetting(
      Option(
        "refresh-token-margin", .duration("DURATION"),
        summary: "treat the refresh token as expired this long before its expiry"),
      value: { "\($0.refreshTokenMargin)" }),
    ProfileSetting(
      Option(
        "refresh-token-lifetime", .duration("DURATION"),
        summary: "the refresh token's life if the server does not say"),
      value: { $0.refreshTokenLifetime.map { "\($0)" } ?? "" }),
    ProfileSetting(
      Option(
        "access-token-lifetime", .duration("DURATION"), summary: "the token's life where the server does not say"),
      value: { $0.accessTokenLifetime.map { "\($0)" } ?? "" }),
    ProfileSetting(
      Option(
        "refresh-on", .number("STATUS", 400...599), repeats: true, summary: "API statuses that mean: renew and replay"),
      .statuses, value: { $0.refreshOn.sorted().map(String.init).joined(separator: " ") }),
  ]
}
