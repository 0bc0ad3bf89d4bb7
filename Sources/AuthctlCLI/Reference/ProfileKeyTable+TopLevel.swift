import AuthCore

extension ProfileKeyTable {
  /// What stands above all tables.
  static let topLevel = ProfileKeyTable(
    name: "", text: "Above all tables. Most are options of `login` too, with dashes for underscores.",
    keys: identity + client + renewal, kinds: ProfileType.allCases)

  private static let identity = [
    ProfileKey(
      "type", "`oauth2`, `custom` or `basic`", standard: .string("oauth2"), kinds: ProfileType.allCases,
      "The kind of server: OAuth 2.0 and OpenID Connect; one with requests of its own; HTTP Basic."),
    ProfileKey(
      "default", "`true` or `false`", standard: .bool(false), kinds: ProfileType.allCases,
      "Whether this profile is used where none is named."),
    ProfileKey(
      "api", "a list of URLs", kinds: ProfileType.allCases,
      """
      Where the token may go: to the origins of these URLs and nowhere else. The first one is the base of the relative \
      paths of `call`. Hosts may be international names; they stand for their `xn--` form.
      """),
    ProfileKey(
      "issuer", "a URL",
      """
      The server's issuer identifier, exactly as the server states it. Its metadata is looked for at both well-known \
      places, RFC 8414's and OpenID Connect's, and merged.
      """),
    ProfileKey(
      "base", "a URL", kinds: [.custom], "What a `url` of a request without a scheme is appended to."),
    ProfileKey(
      "flow", "a word", standard: .string("browser"),
      """
      How `login` gets tokens: `browser` (authorization code with PKCE), `device` (RFC 8628), `password`, \
      `client-credentials`, `jwt-bearer` (RFC 7523), `token-exchange` (RFC 8693), or `token` (from standard input).
      """),
    ProfileKey(
      "flow", "a request's name", standard: .string("login"), kinds: [.custom],
      """
      The one of `[requests]` that `login` sends if `--flow` does not name another; or `token`: tokens are read from \
      standard input, which is the default of a profile with `[requests.refresh]` alone.
      """),
    ProfileKey("scope", "a list of words", "What to ask for. Without it the server decides."),
    ProfileKey("audience", "a text", "Sent as `audience` with the requests for tokens, as several servers want it."),
    ProfileKey("resource", "a list of URLs", "Sent as `resource` (RFC 8707)."),
    ProfileKey(
      "username", "a text", kinds: ProfileType.allCases,
      "The user's name: for the flow `password`, for `{username}` of a request, for HTTP Basic."),
  ]

  private static let client = [
    ProfileKey("client_id", "a text", "The client's name as registered at the server."),
    ProfileKey(
      "client_authentication", "a word", standard: .string("none"),
      """
      How the client proves who it is: `none`, `client_secret_basic`, `client_secret_post`, `client_secret_jwt`, \
      `private_key_jwt` or `tls_client_auth`. A secret itself is never here but in the keyring.
      """),
    ProfileKey(
      "basic_encoding", "`percent`, `form` or `raw`", standard: .string("percent"),
      """
      How `client_secret_basic` encodes name and secret: as most servers expect it, as RFC 6749 has it, or not at all. \
      They differ only for secrets with special characters.
      """),
    ProfileKey(
      "assertion_key", "a path",
      """
      The private key for `private_key_jwt` and `jwt-bearer`: a PEM file or a JWK that only its owner may \
      read. Without it, the key that `login` \
      has put into the keyring.
      """),
    ProfileKey("assertion_key_id", "a text", "The key's name at the server, sent as `kid`."),
    ProfileKey(
      "assertion_algorithm", AssertionAlgorithm.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "),
      """
      The algorithm of assertions, if the key allows several. `Ed25519` and `EdDSA` make the same signature under two \
      names (RFC 9864); some servers accept only one of them.
      """),
    ProfileKey(
      "assertion_audience", "a URL or another text, or `endpoint`",
      """
      Whom assertions are meant for (`aud`), where that is not the issuer: several servers want the URL of their token \
      endpoint, or, by the word `endpoint`, of whatever is asked.
      """),
    ProfileKey(
      "dpop", "`true` or `false`", standard: .bool(false),
      "Whether tokens are bound to a key of this machine (RFC 9449). The key is made by `login` and kept in the keyring."
    ),
    ProfileKey(
      "redirect_uri", "a URL, or a list of them", standard: .string("http://127.0.0.1/callback"),
      """
      Where the browser comes back to: a loopback URI as registered. Without a port any free one is taken; of several, \
      the first whose port is free.
      """),
  ]

  private static let renewal = [
    ProfileKey(
      "refresh_before", "a duration", standard: .string("60s"), kinds: [.oauth2, .custom],
      "Renew when less than this is left of the access token."),
    ProfileKey(
      "refresh_token_margin", "a duration", standard: .string("0s"), kinds: [.oauth2, .custom],
      """
      If above 0: treat the refresh token as expired this long before its expiry, do not send it, and report \
      `login_required`. At 0 the server decides: an expired refresh token is still sent, once.
      """),
    ProfileKey(
      "refresh_token_lifetime", "a duration", kinds: [.oauth2, .custom],
      "The refresh token's life if the server does not say it."),
    ProfileKey(
      "access_token_lifetime", "a duration", kinds: [.oauth2, .custom],
      "The access token's life where neither the server nor the token itself says it."),
    ProfileKey(
      "refresh_on", "a list of statuses", standard: .array([.integer(401)]), kinds: [.oauth2, .custom],
      "The statuses of the API that mean: renew the token and send the request again, once."),
    ProfileKey(
      "secrets", "a list of words", kinds: [.custom],
      "The placeholders that are asked for without echo and never shown, beside `password`."),
  ]
}
