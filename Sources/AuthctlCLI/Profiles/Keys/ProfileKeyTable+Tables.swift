import AuthCore

extension ProfileKeyTable {
  /// `[header]`
  static let header = ProfileKeyTable(
    name: "header", text: "The header field that carries the token.",
    keys: [
      ProfileKey("name", "a text", standard: .string("Authorization"), kinds: [.oauth2, .custom], "The field's name."),
      ProfileKey(
        "prefix", "a text", standard: .string("Bearer"), kinds: [.oauth2, .custom],
        "The word before the token and a space. `\"\"` sends the bare token."),
    ], kinds: [.oauth2, .custom])

  /// `[endpoints]`
  static let endpoints = ProfileKeyTable(
    name: "endpoints",
    text: """
      URLs that override what discovery finds, or replace discovery.

      In a profile of type `custom`, any name is allowed: a `url` of `[requests]` may then be on that origin.
      """,
    keys: [
      ProfileKey("authorization", "a URL", "The page of the browser login (RFC 6749, section 3.1)."),
      ProfileKey("token", "a URL", "Where tokens are requested and refreshed (RFC 6749, section 3.2)."),
      ProfileKey("device_authorization", "a URL", "Where the device flow starts (RFC 8628)."),
      ProfileKey("revocation", "a URL", "Where `logout` revokes tokens (RFC 7009)."),
      ProfileKey("introspection", "a URL", "Token introspection (RFC 7662). Accepted, not used yet."),
      ProfileKey(
        "userinfo", "a URL", "The user info endpoint (OpenID Connect Core, section 5.3). Accepted, not used yet."),
      ProfileKey(
        "pushed_authorization_request", "a URL, or \"\"",
        """
        Where the authorization request is pushed before the browser is opened (RFC 9126). Used if it is set here or \
        in the server's metadata; `""` switches it off. If it is only in the metadata and returns 404, 405 or 501, the \
        login continues without it.
        """),
      ProfileKey(
        "jwks", "a URL",
        """
        The keys that ID tokens are signed with. Accepted algorithms: \
        \(SignatureAlgorithm.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")). Those that begin with \
        `HS` use the client secret, and must be in the server's metadata.
        """),
    ], kinds: [.oauth2])

  /// `[parameters]`
  static let parameters = ProfileKeyTable(
    name: "parameters",
    text: """
      Additional form fields, a table for each request: `authorization = { prompt = "consent" }`. Others are \
      `login_hint`, `acr_values`, `max_age`, …. Fields that `authctl` sends itself can't be set.
      """,
    keys: [
      ProfileKey("authorization", "a table of texts", "Fields of the authorization request."),
      ProfileKey("token", "a table of texts", "Fields of the token request of a login."),
      ProfileKey("refresh", "a table of texts", "Fields of the refresh request."),
      ProfileKey("assertion", "a table of texts", "Claims of the assertion of `jwt-bearer`, such as `iss` or `scope`."),
    ], kinds: [.oauth2])

  /// `[network]`
  static let network = ProfileKeyTable(
    name: "network",
    text: """
      Connections to the server and to the API.

      A relative path is resolved against the profile's folder, `~` against the home directory; the same applies to \
      `assertion_key`. A missing file is an error of the profile.
      """,
    keys: [
      ProfileKey(
        "cacert", "a path", kinds: ProfileType.allCases,
        "A PEM file of the certificate authorities to trust instead of the system's."),
      ProfileKey(
        "proxy", "a URL", kinds: ProfileType.allCases,
        "The proxy. Without it, `https_proxy` and similar variables apply."),
      ProfileKey(
        "client_certificate", "a path", kinds: ProfileType.allCases,
        "A PEM file with the client certificate, for `tls_client_auth` and for servers that request one."),
      ProfileKey(
        "client_key", "a path", kinds: ProfileType.allCases,
        "A PEM file with the private key of the client certificate."),
      ProfileKey(
        "connect_timeout", "a duration", kinds: ProfileType.allCases, "The time limit for connecting."),
      ProfileKey(
        "timeout", "a duration", kinds: ProfileType.allCases,
        "The time limit for a whole request. Unless given: 30s to the authorization server, none to the API."),
    ], kinds: ProfileType.allCases)

  /// `[on]`
  static let on = ProfileKeyTable(
    name: "on", text: "Commands that are run on an event.",
    keys: [
      ProfileKey(
        "login_required", "a command", kinds: [.oauth2, .custom],
        """
        A shell command that is run once when a session has ended and a person must log in. Its environment has \
        `AUTHCTL_PROFILE` and `AUTHCTL_ERROR`, never a token. It is stopped after 10 seconds.
        """)
    ], kinds: [.oauth2, .custom])

  /// `[requests.NAME]`
  static let requests = ProfileKeyTable(
    name: "requests.NAME",
    text: """
      A request that the server understands. `login --flow NAME` sends it. Three names have a meaning: `login` is sent \
      without `--flow`, `refresh` refreshes the tokens, `revoke` is sent by `logout`.

      A placeholder in braces is replaced by a value: for `{username}`, use `login --field username=VALUE`, or `login` \
      prompts for it. `{name?}` is optional; without a value, the member that contains it is left out. `@{name}` in a \
      multipart body is a file. Values are encoded for their place and can't change the structure of the request. \
      Literal braces are written `{{` and `}}`.

      `refresh` and `revoke` run without a person. They have only the stored `{refresh_token}` and `{access_token}`. A \
      token is sent only where a request contains it, and never to an origin other than the one that it came from.
      """,
    keys: [
      ProfileKey(
        "url", "a URL or a path", kinds: [.custom],
        """
        The URL; a path is appended to `base`. A full URL must be on the origin of `base` or of a URL in \
        `[endpoints]`, which may have any keys here.
        """),
      ProfileKey("method", "a text", standard: .string("POST"), kinds: [.custom], "The method."),
      ProfileKey("headers", "a table of texts", kinds: [.custom], "Header fields."),
      ProfileKey("json", "a table", kinds: [.custom], "The body as JSON, nested as needed."),
      ProfileKey("form", "a table of texts", kinds: [.custom], "The body as a form."),
      ProfileKey(
        "multipart", "a table", kinds: [.custom],
        """
        The body as multipart/form-data: texts, files (`"@{image?}"`), and images that are resized and compressed to \
        limits: `{ file = "{image?}", fit = "1024x1024", max_bytes = "5MB" }`.
        """),
    ], kinds: [.custom])

  /// `[response]`
  static let response = ProfileKeyTable(
    name: "response",
    text: """
      Where the responses to `[requests]` contain what: JSON Pointers (RFC 6901), or lists of them, of which the first \
      one present is used.
      """,
    keys: [
      ProfileKey("access_token", "pointers", kinds: [.custom], "The access token."),
      ProfileKey("refresh_token", "pointers", kinds: [.custom], "The refresh token; if absent, the old one is kept."),
      ProfileKey(
        "expires_in", "pointers", kinds: [.custom],
        """
        The access token's lifetime in seconds. If absent: its `exp` if it is a JWT, else `access_token_lifetime`.
        """),
      ProfileKey("refresh_expires_in", "pointers", kinds: [.custom], "The refresh token's lifetime in seconds."),
      ProfileKey("success", "a pointer", kinds: [.custom], "A flag: `false` means refused, whatever the status."),
      ProfileKey("error_code", "pointers", kinds: [.custom], "The error code."),
      ProfileKey(
        "error_message", "pointers", kinds: [.custom],
        "The error message. Without the key: the first of `message`, `error_description`, `detail` and `title`."),
      ProfileKey("subject", "pointers", kinds: [.custom], "Who is logged in, for `status`: a text or a number."),
      ProfileKey(
        "login_required_codes", "a list of texts", kinds: [.custom],
        """
        The error codes of a refused refresh after which a person must log in, whatever the status. Other codes leave \
        the tokens unchanged. If a response has no code, 400 and 401 require a login; without this key, 401 does.
        """),
      ProfileKey(
        "refresh_on_codes", "a list of texts", kinds: [.custom],
        """
        The error codes of the API that mean: refresh and replay, also if the status is not in `refresh_on`. They are \
        read from JSON of up to 64 KiB with a status of 400 or more, or with any status if `success` is given and false.
        """),
    ], kinds: [.custom])

  /// All tables, in the order of the manual.
  static let all = [topLevel, header, endpoints, parameters, network, on, requests, response]
}
