extension ProfileKeyTable {
  /// `[requests.NAME]`, which `CustomRequest` holds.
  package static let requests = ProfileKeyTable(
    "requests.NAME", types: [.custom],
    """
    A request that the server understands. `login --flow NAME` sends it. Three names have a meaning: `login` is sent \
    without `--flow`, `refresh` refreshes the tokens, `revoke` is sent by `logout`.

    A placeholder in braces is replaced by a value: for `{username}`, use `login --field username=VALUE`, or `login` \
    prompts for it. `{name?}` is optional; without a value, the member that contains it is left out. `@{name}` in a \
    multipart body is a file. Values are encoded for their place and can't change the structure of the request. \
    Literal braces are written `{{` and `}}`.

    `refresh` and `revoke` run without a person. They have only the stored `{refresh_token}` and `{access_token}`. A \
    token is sent only where a request contains it, and never to an origin other than the one that it came from.
    """,
    [
      ProfileKey(
        "url", .ofRequest("a URL or a path"),
        """
        The URL; a path is appended to `base`. A full URL must be on the origin of `base` or of a URL in \
        `[endpoints]`, which may have any keys here.
        """),
      ProfileKey("method", .ofRequest("a text", standard: "POST"), "The method."),
      ProfileKey("headers", .ofRequest("a table of texts"), "Header fields."),
      ProfileKey("json", .ofRequest("a table"), "The body as JSON, nested as needed."),
      ProfileKey("form", .ofRequest("a table of texts"), "The body as a form."),
      ProfileKey(
        "multipart", .ofRequest("a table"),
        """
        The body as multipart/form-data: texts, files (`"@{image?}"`), and images that are resized and compressed to \
        limits: `{ file = "{image?}", fit = "1024x1024", max_bytes = "5MB" }`. Images are decoded in a process that \
        has no token, no file and no network.
        """),
    ])

  /// `[response]`
  static let response = ProfileKeyTable(
    "response", types: [.custom],
    """
    Where the responses to `[requests]` contain what: JSON Pointers (RFC 6901), or lists of them, of which the first \
    one present is used.
    """,
    [
      ProfileKey("access_token", .pointers(\.accessToken), "The access token."),
      ProfileKey("refresh_token", .pointers(\.refreshToken), "The refresh token; if absent, the old one is kept."),
      ProfileKey(
        "expires_in", .pointers(\.expiresIn),
        """
        The access token's lifetime in seconds. If absent: its `exp` if it is a JWT, else `access_token_lifetime`.
        """),
      ProfileKey("refresh_expires_in", .pointers(\.refreshExpiresIn), "The refresh token's lifetime in seconds."),
      ProfileKey(
        "success", .pointers(\.success), form: "a pointer",
        "A flag: `false` means refused, regardless of the status."),
      ProfileKey("error_code", .pointers(\.errorCode), "The error code."),
      ProfileKey(
        "error_message", .pointers(\.errorMessage),
        "The error message. Without the key: the first of `message`, `error_description`, `detail` and `title`."),
      ProfileKey("subject", .pointers(\.subject), "Who is logged in, for `status`: a text or a number."),
      ProfileKey(
        "login_required_codes", .codes(\.loginRequiredCodes),
        """
        The error codes of a refused refresh after which a person must log in, regardless of the status. Other codes \
        leave the tokens unchanged. If a response has no code, 400 and 401 require a login; without this key, 401 does.
        """),
      ProfileKey(
        "refresh_on_codes", .codes(\.refreshOnCodes),
        """
        After these error codes of the API, refresh and replay, even if the status is not in `refresh_on`. The codes \
        are read from JSON of up to 64 KiB with a status of 400 or more, or with any status if `success` is given and \
        false.
        """),
    ])
}

extension ProfileKey.Access {
  /// A key that `CustomRequest` reads.
  fileprivate static func ofRequest(_ words: String, standard: String? = nil) -> ProfileKey.Access {
    ProfileKey.Access(.table, words, read: { _, _ in }, shown: { _ in standard.map { .string($0) } })
  }

  fileprivate static func pointers(
    _ property: any WritableKeyPath<ResponsePointers, [JSONPointer]> & Sendable
  ) -> ProfileKey.Access {
    ProfileKey.Access(
      .texts, "pointers",
      read: { value, profile throws(ProfileFault) in
        profile.custom?.response[keyPath: property] = try value.pointers()
      })
  }

  fileprivate static func codes(
    _ property: any WritableKeyPath<ResponsePointers, Set<String>> & Sendable
  ) -> ProfileKey.Access {
    ProfileKey.Access(
      .texts, "a list of texts",
      read: { value, profile throws(ProfileFault) in
        profile.custom?.response[keyPath: property] = Set(try value.texts())
      })
  }

  /// `base`
  static let base = ProfileKey.Access(
    .text, "a URL",
    read: { value, profile throws(ProfileFault) in
      let base = try value.url()
      guard base.query == nil else { throw value.fault("has a query", hint: "put the query at the end of each url") }
      profile.custom?.base = base
      profile.custom?.origins.insert(base.origin)
    }, shown: { $0.custom?.base.map { .string($0.string) } })

  /// `[endpoints]`, with any names: further origins that a request may be sent to.
  static let origins = ProfileKey.Access(
    .table, "a table of URLs",
    read: { value, profile throws(ProfileFault) in
      for endpoint in try value.table().values { profile.custom?.origins.insert(try endpoint.url().origin) }
    })

  /// `[requests]`
  static let requests = ProfileKey.Access(
    .table, "a table of tables",
    read: { value, profile throws(ProfileFault) in
      guard let server = profile.custom else { return }
      for request in try value.table().values {
        let described = try CustomRequest(request.table(), base: server.base, origins: server.origins)
        try described.check(as: request)
        profile.custom?.requests[request.key] = described
      }
    })

  /// `secrets`
  static let secrets = ProfileKey.Access(
    .texts, "a list of words",
    read: { value, profile throws(ProfileFault) in
      let known = Set(profile.custom?.requests.values.flatMap(\.placeholders).map(\.name) ?? []).sorted()
      for name in try value.texts() {
        guard known.contains(name) else {
          throw ProfileFault(
            value.path, why: "'\(Escaped.text(name, limit: 80))' in 'secrets' is not a placeholder of a request",
            hint: NearestName.hint(for: name, among: known, title: "known"))
        }
        profile.custom?.secrets.insert(name)
      }
    })
}

extension CustomRequest {
  /// Checks the name and the placeholders of a request. A refresh or a revocation must only use values from the
  /// keyring, because no prompt is possible then.
  fileprivate func check(as request: ProfileValue) throws(ProfileFault) {
    let name = request.key
    guard name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }), !name.isEmpty
    else { throw request.fault("can't be a request's name", hint: "use letters and digits") }
    let isAutomatic = [CustomServer.refreshName, CustomServer.revokeName].contains(name)
    for placeholder in placeholders {
      let isBuiltin = Placeholder.builtins.contains(placeholder.name)
      guard isBuiltin == isAutomatic, !(isBuiltin && placeholder.isFile) else {
        throw ProfileFault(
          request.path, why: "'{\(placeholder.name)}' can't stand in [requests.\(name)]",
          hint: isAutomatic
            ? "refresh and revoke run without a person: they have only {refresh_token} and {access_token}"
            : "{refresh_token} and {access_token} are for [requests.refresh] and [requests.revoke]")
      }
    }
  }
}

extension CustomServer {
  /// Checks the rules that involve more than one key.
  mutating func check(isFlowStated: Bool) throws(ProfileFault) {
    guard !flows.isEmpty || refresh != nil else {
      throw ProfileFault(
        ["requests"], why: "there is no request to log in with",
        hint:
          "add [requests.login] with url and json, form or multipart; or [requests.refresh] for tokens from elsewhere")
    }
    if flows.isEmpty, !isFlowStated { flow = CustomServer.tokenFlow }
    // Without `flow`, a profile without [requests.login] needs --flow at each login.
    guard flows.contains(flow) || takesTokens || !isFlowStated else {
      throw ProfileFault(
        ["flow"], "is not a request of this profile",
        hint: NearestName.hint(for: flow, among: flows + [CustomServer.tokenFlow], title: "known"))
    }
    guard !response.accessToken.isEmpty else {
      throw ProfileFault(
        ["response", "access_token"], why: "'access_token' is missing in [response]",
        hint: "set where the responses have it, such as access_token = \"/accessToken\"")
    }
    for (key, codes) in [
      ("login_required_codes", response.loginRequiredCodes), ("refresh_on_codes", response.refreshOnCodes),
    ] {
      guard codes.isEmpty || !response.errorCode.isEmpty else {
        throw ProfileFault(
          ["response", key], "needs 'error_code'", hint: "set where the codes are: error_code = \"/code\"")
      }
    }
  }
}
