import AuthCore

extension ProfileKeyTable {
  /// What stands above all tables.
  static let topLevel = ProfileKeyTable(
    name: "",
    text: "These keys come before all tables. Most are also options of `login`, with dashes instead of underscores.",
    keys: identity + client + refresh, kinds: ProfileType.allCases)

  private static let identity = [
    ProfileKey(
      "type", "`oauth2`, `custom` or `basic`", standard: .string("oauth2"), kinds: ProfileType.allCases,
      "The type of server: OAuth 2.0 or OpenID Connect; a server with requests of its own; HTTP Basic."),
    ProfileKey(
      "default", "`true` or `false`", standard: .bool(false), kinds: ProfileType.allCases,
      "Whether this profile is used if none is named."),
    ProfileKey(
      "api", "a list of URLs", kinds: ProfileType.allCases,
      """
      The APIs that may get the token: it is sent to the origins of these URLs and nowhere else. The first one is the \
      base of relative paths of `call`. Internationalized host names are converted to their `xn--` form.
      """),
    ProfileKey(
      "issuer", "a URL",
      """
      The server's issuer identifier, exactly as the server publishes it. Its metadata is requested from both \
      well-known URLs (RFC 8414 and OpenID Connect) and merged. Not needed if `[endpoints]` has the endpoints.
      """),
    ProfileKey(
      "base", "a URL", kinds: [.custom], "The URL that a request's `url` without a scheme is appended to."),
    ProfileKey(
      "flow", "a word", standard: .string("browser"),
      """
      How `login` gets tokens: `browser` (authorization code with PKCE), `device` (RFC 8628), `password`, \
      `client-credentials`, `jwt-bearer` (RFC 7523), `token-exchange` (RFC 8693), or `token` (from standard input). If \
      the key is absent and there is no display, `device` is used if the server supports it.
      """),
    ProfileKey(
      "flow", "a request's name", standard: .string("login"), kinds: [.custom],
      """
      The request of `[requests]` that `login` sends unless `--flow` names another; or `token` to read tokens from \
      standard input, which is the default of a profile with `[requests.refresh]` alone.
      """),
    ProfileKey("scope", "a list of words", "The scope to request. Without it, the server decides."),
    ProfileKey("audience", "a text", "Sent as `audience` with token requests, for servers that require it."),
    ProfileKey("resource", "a list of URLs", "Sent as `resource` (RFC 8707)."),
    ProfileKey(
      "username", "a text", kinds: ProfileType.allCases,
      "The user name: for the flow `password`, for `{username}` of a request, and for HTTP Basic."),
  ]

  private static let client = [
    ProfileKey("client_id", "a text", "The client ID, as registered at the server."),
    ProfileKey(
      "client_authentication", "a word", standard: .string("none"),
      """
      How the client authenticates: `none`, `client_secret_basic`, `client_secret_post`, `client_secret_jwt`, \
      `private_key_jwt` or `tls_client_auth`. The secret itself is in the keyring, never in the file.
      """),
    ProfileKey(
      "basic_encoding", "`percent`, `form` or `raw`", standard: .string("percent"),
      """
      How `client_secret_basic` encodes client ID and secret: percent-encoded as most servers expect, form-encoded as \
      in RFC 6749, or not at all. They differ only for special characters.
      """),
    ProfileKey(
      "assertion_key", "a path",
      """
      The private key for `private_key_jwt` and `jwt-bearer`: a PEM file or a JWK that only its owner may read. \
      Without it, the key that `login` has stored in the keyring is used.
      """),
    ProfileKey("assertion_key_id", "a text", "The key ID at the server, sent as `kid`."),
    ProfileKey(
      "assertion_algorithm", AssertionAlgorithm.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "),
      """
      The signature algorithm of assertions, if the key supports several. `Ed25519` and `EdDSA` are two names of the \
      same signature (RFC 9864); some servers accept only one of them.
      """),
    ProfileKey(
      "assertion_audience", "a URL or another text, or `endpoint`",
      """
      The audience of assertions (`aud`) if it is not the issuer. Some servers require the URL of their token \
      endpoint, or the URL of the endpoint that is called; for the latter, use `endpoint`.
      """),
    ProfileKey(
      "dpop", "`true` or `false`", standard: .bool(false),
      "Whether tokens are bound to a key (RFC 9449). `login` creates the key and stores it in the keyring."
    ),
    ProfileKey(
      "redirect_uri", "a URL, or a list of them", standard: .string("http://127.0.0.1/callback"),
      """
      The loopback URI to return to from the browser, as registered at the server. Without a port, any free one is \
      used; of several URIs, the first whose port is free.
      """),
  ]

  private static let refresh = [
    ProfileKey(
      "refresh_before", "a duration", standard: .string("60s"), kinds: [.oauth2, .custom],
      """
      Refresh the access token if less than this validity remains. For a token that lives no longer than this: a \
      quarter of its lifetime.
      """),
    ProfileKey(
      "refresh_token_margin", "a duration", standard: .string("0s"), kinds: [.oauth2, .custom],
      """
      If above 0, the refresh token counts as expired this long before its expiry: it is not sent, and the state is \
      `login_required`. At 0 the server decides: an expired refresh token is still sent, once.
      """),
    ProfileKey(
      "refresh_token_lifetime", "a duration", kinds: [.oauth2, .custom],
      "The refresh token's lifetime if the server does not say."),
    ProfileKey(
      "access_token_lifetime", "a duration", kinds: [.oauth2, .custom],
      """
      The access token's lifetime if neither the server nor the token (a JWT) says. Without it, such a token is used \
      until a 401.
      """
    ),
    ProfileKey(
      "refresh_on", "a list of statuses", standard: .array([.integer(401)]), kinds: [.oauth2, .custom],
      "The API statuses that mean: refresh the token and replay the request, once."),
    ProfileKey(
      "secrets", "a list of words", kinds: [.custom],
      "Placeholders, besides `password`, that `login` prompts for without echo and that are never shown."),
  ]
}
