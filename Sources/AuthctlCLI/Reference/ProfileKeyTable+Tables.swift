import AuthCore

extension ProfileKeyTable {
  /// `[header]`
  static let header = ProfileKeyTable(
    name: "header", text: "The header field that carries the token.",
    keys: [
      ProfileKey("name", "a text", standard: .string("Authorization"), kinds: [.oauth2, .custom], "The field's name."),
      ProfileKey(
        "prefix", "a text", standard: .string("Bearer"), kinds: [.oauth2, .custom],
        "What stands before the token, with a space between. `\"\"` sends the bare token."),
    ], kinds: [.oauth2, .custom])

  /// `[endpoints]`
  static let endpoints = ProfileKeyTable(
    name: "endpoints",
    text: """
      URLs that hold instead of what discovery finds, or where there is none.

      In a profile of type `custom` any name can stand here: it allows a `url` of `[requests]` to be on that origin.
      """,
    keys: [
      ProfileKey("authorization", "a URL", "Where the browser goes (RFC 6749, section 3.1)."),
      ProfileKey("token", "a URL", "Where tokens are got and renewed (RFC 6749, section 3.2)."),
      ProfileKey("device_authorization", "a URL", "Where the device flow begins (RFC 8628)."),
      ProfileKey("revocation", "a URL", "Where `logout` revokes (RFC 7009)."),
      ProfileKey("introspection", "a URL", "Where the server says what it thinks of a token (RFC 7662)."),
      ProfileKey("userinfo", "a URL", "Where it says who is logged in (OpenID Connect Core, section 5.3)."),
      ProfileKey(
        "pushed_authorization_request", "a URL, or \"\"",
        """
        Where authorization requests are pushed to before the browser is opened (RFC 9126). Used if it is stated, or if \
        the server's metadata names such an endpoint; `""` switches it off. A server that only offers it and answers \
        404, 405 or 501 is asked without it.
        """),
      ProfileKey(
        "jwks", "a URL",
        """
        The keys that ID tokens are signed with. Accepted algorithms: \
        \(SignatureAlgorithm.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")); those that begin with `HS` use \
        the client secret, if the server's metadata names them.
        """),
    ], kinds: [.oauth2])

  /// `[parameters]`
  static let parameters = ProfileKeyTable(
    name: "parameters",
    text: "Further form fields, a table for each request: `authorization = { prompt = \"consent\" }`.",
    keys: [
      ProfileKey("authorization", "a table of texts", "Fields of the authorization request."),
      ProfileKey("token", "a table of texts", "Fields of the request with which a login gets its tokens."),
      ProfileKey("refresh", "a table of texts", "Fields of the request with which tokens are renewed."),
      ProfileKey("assertion", "a table of texts", "Claims of the assertion of `jwt-bearer`, such as `iss` or `scope`."),
    ], kinds: [.oauth2])

  /// `[network]`
  static let network = ProfileKeyTable(
    name: "network",
    text: """
      How connections are made, to the server and to the API.

      A relative path is resolved against the folder of the profile, `~` against the home directory, as that of \
      `assertion_key`. A file that does not exist is an error of the profile.
      """,
    keys: [
      ProfileKey(
        "cacert", "a path", kinds: ProfileType.allCases,
        "A PEM file of the authorities to trust, instead of the system's."),
      ProfileKey(
        "proxy", "a URL", kinds: ProfileType.allCases,
        "The proxy; without it, `https_proxy` and the like of the environment hold."),
      ProfileKey(
        "client_certificate", "a path", kinds: ProfileType.allCases,
        "A PEM file with the client's certificate, for `tls_client_auth` and wherever a server asks for it."),
      ProfileKey("client_key", "a path", kinds: ProfileType.allCases, "A PEM file with the key of that certificate."),
      ProfileKey(
        "connect_timeout", "a duration", kinds: ProfileType.allCases, "How long the making of a connection may take."),
      ProfileKey(
        "timeout", "a duration", kinds: ProfileType.allCases,
        "How long a whole request may take: 30s to the authorization server, without end to the API, unless given."),
    ], kinds: ProfileType.allCases)

  /// `[on]`
  static let on = ProfileKeyTable(
    name: "on", text: "Commands for the shell, run when something happens.",
    keys: [
      ProfileKey(
        "login_required", "a command", kinds: [.oauth2, .custom],
        """
        Run once when a session has died and a person must log in. It finds `AUTHCTL_PROFILE` and `AUTHCTL_ERROR` in \
        its environment, never a token, and has 10 seconds.
        """)
    ], kinds: [.oauth2, .custom])

  /// `[requests.NAME]`
  static let requests = ProfileKeyTable(
    name: "requests.NAME",
    text: """
      A request that the server understands. `login --flow NAME` sends it; `login` is the one without `--flow`, \
      `refresh` renews, and `revoke` is sent by `logout`.

      A placeholder in braces stands for a value: `{username}` is given with `login --field username=VALUE`, or asked \
      for. A question mark, `{name?}`, lets it be absent: the member that holds it is then left out. `@{name}` in a \
      multipart body is a file. A value is encoded for where it stands and can't change the shape of the request; \
      braces themselves are written `{{` and `}}`.

      `refresh` and `revoke` are sent when nobody can be asked: they know `{refresh_token}` and `{access_token}`, the \
      stored ones, and nothing else. A token goes only where a request has it, and never to another origin than the \
      one it came from.
      """,
    keys: [
      ProfileKey(
        "url", "a URL or a path", kinds: [.custom],
        """
        Where it goes; a path is appended to `base`. A whole URL may lead to the origin of `base`, or of a URL in the \
        table `[endpoints]`, whose keys are free here.
        """),
      ProfileKey("method", "a text", standard: .string("POST"), kinds: [.custom], "The request's method."),
      ProfileKey("headers", "a table of texts", kinds: [.custom], "Header fields to send with it."),
      ProfileKey("json", "a table", kinds: [.custom], "The body as JSON, of any depth."),
      ProfileKey("form", "a table of texts", kinds: [.custom], "The body as a form."),
      ProfileKey(
        "multipart", "a table", kinds: [.custom],
        """
        The body as multipart/form-data: texts, files (`"@{image?}"`), and images that are made to fit: \
        `{ file = "{image?}", fit = "1024x1024", max_bytes = "5MB" }`.
        """),
    ], kinds: [.custom])

  /// `[response]`
  static let response = ProfileKeyTable(
    name: "response",
    text: """
      Where the answers to `[requests]` hold what: JSON Pointers (RFC 6901), or lists of them, of which the first that \
      is there counts.
      """,
    keys: [
      ProfileKey("access_token", "pointers", kinds: [.custom], "The access token."),
      ProfileKey("refresh_token", "pointers", kinds: [.custom], "The refresh token; where absent, the old one stays."),
      ProfileKey(
        "expires_in", "pointers", kinds: [.custom],
        """
        The access token's life in seconds. Where absent: its own `exp` if it is a JWT, else `access_token_lifetime`.
        """),
      ProfileKey("refresh_expires_in", "pointers", kinds: [.custom], "The refresh token's life in seconds."),
      ProfileKey("success", "a pointer", kinds: [.custom], "Where `false` means refused, whatever the status."),
      ProfileKey("error_code", "pointers", kinds: [.custom], "The server's word for what went wrong."),
      ProfileKey(
        "error_message", "pointers", kinds: [.custom],
        "The same for people; without it the first of `message`, `error_description`, `detail` and `title`."),
      ProfileKey("subject", "pointers", kinds: [.custom], "Who is logged in, for `status`: a text or a number."),
      ProfileKey(
        "login_required_codes", "a list of texts", kinds: [.custom],
        """
        The codes of a refused renewal after which a person must log in, whatever the status; other codes are refusals \
        that leave the tokens as they are. Where an answer has no code, 400 and 401 mean it; without this key, 401 does.
        """),
      ProfileKey(
        "refresh_on_codes", "a list of texts", kinds: [.custom],
        """
        The codes of the API that mean: renew and send again, also where the status is not in `refresh_on`. They are \
        looked for in JSON of up to 64 KiB with a status of 400 or more, and with any where `success` is given and \
        says no.
        """),
    ], kinds: [.custom])

  /// All tables, in the order of the manual.
  static let all = [topLevel, header, endpoints, parameters, network, on, requests, response]
}
