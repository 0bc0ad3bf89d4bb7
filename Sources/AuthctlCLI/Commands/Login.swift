import AuthCore

extension Command {
  static let login = Command(
    name: "login", summary: "log in and keep the tokens",
    operands: [Operand("PROFILE", optional: true, completion: .profile)],
    description: """
      Gets tokens from the server of a profile and stores them in the keyring. The first time, the profile's settings \
      can be given as options: when the login has succeeded, they are written to the profile's file.

      In a browser login the page is opened with `$BROWSER`, else with the desktop's browser; its address is printed \
      too. The answer comes back on a port of this machine that no other machine can reach.

      In a device login (`--flow device`) a code and the address of a page are shown, on a terminal as a QR code too: \
      the page can be opened on any device. Where there is neither a display nor `$BROWSER`, as over SSH, and no flow \
      was chosen, that is what happens if the server can do it; `--flow browser` or `--no-browser` asks for the other.

      Where only the API's address is known, `--discover` asks the API itself which server issues its tokens, if it \
      can tell (RFC 9728).

      Secrets are never arguments: a password or a client secret that is needed is asked for without echo, or read \
      from standard input or a file, as keys, assertions and tokens are. On a terminal what is read from standard \
      input is not shown. A new login over an old one revokes the old refresh token, as far as the \
      server lets it.
      """,
    options: LoginOptions.all,
    examples: [
      Example(
        "authctl login work --issuer https://id.example.com --client-id cli",
        "Makes the profile `work` and logs in with the browser; `--api` says where the token may go."),
      Example("authctl login work", "Logs in again."),
      Example(
        "authctl login work --discover https://api.example.com/v1 --client-id cli",
        "Makes the profile from the API's address alone, and logs in."),
      Example("authctl login work --flow device", "Logs in with a code, on another device."),
      Example(
        "authctl login work --acr-values mfa --max-age 5m",
        "Logs in once more, with the second factor that an API wants for some of its requests."),
      Example(
        "pass show ci-secret | authctl login ci --client-secret-stdin",
        "Logs a program in with its own credentials, as the profile `ci` says."),
      Example(
        "authctl login ci --client-key-file key.pem",
        "Logs a program in that signs with a key, which is kept in the keyring."),
      Example(
        "authctl login app --flow register --field name=Alice",
        "Sends the request `register` of a profile with requests of its own."),
      Example(
        "print-token | authctl login other --flow token --api https://api.example",
        "Takes a token that was got elsewhere."),
    ],
    run: { invocation, context in try await LoginRun(invocation, context).run() })
}

/// The options of `login` that are no settings of a profile.
enum LoginOptions {
  static let noBrowser = Option("no-browser", summary: "print the address instead of opening a browser")
  static let passwordStdin = Option("password-stdin", summary: "read the password from standard input")
  static let passwordFile = Option(
    "password-file", .file("FILE"), summary: "read the password from a file",
    detail: "A file that others than its owner may read is refused; a pipe, as of `<(pass show work)`, is not.")
  static let clientSecretStdin = Option("client-secret-stdin", summary: "read the client secret from standard input")
  static let clientSecretFile = Option(
    "client-secret-file", .file("FILE"), summary: "read the client secret from a file",
    detail: "As `--password-file`.")
  static let field = Option(
    "field", .text("NAME=VALUE"), repeats: true, summary: "fill a field of the profile's request",
    detail: """
      For a profile of type `custom`, whose requests have places for values. `NAME=@FILE` takes the value from a file \
      and drops one line end; `NAME=@-` from standard input. A secret is never an argument: it is asked for without \
      echo, or given as a file. What is neither given nor may be absent is asked for.
      """)
  static let clientKeyStdin = Option(
    "client-key-stdin", summary: "read the client's private key from standard input",
    detail: """
      A PEM text or a JWK. It is kept in the keyring, for `private_key_jwt` and the jwt-bearer flow, unless the profile \
      names a file as `assertion_key`. Where no `client_authentication` is given with a first login: `private_key_jwt`, \
      but not in the jwt-bearer flow.
      """)
  static let clientKeyFile = Option(
    "client-key-file", .file("FILE"), summary: "read the client's private key from a file",
    detail: "As `--client-key-stdin`; a file that others than its owner may read is refused.")
  static let assertionStdin = Option(
    "assertion-stdin", summary: "read the jwt-bearer flow's assertion from standard input",
    detail: """
      One that somebody else has signed, instead of one that the client signs with its key. It can't be repeated: \
      without a refresh token the session ends with the access token.
      """)
  static let assertionFile = Option(
    "assertion-file", .file("FILE"), summary: "read the jwt-bearer flow's assertion from a file",
    detail: "As `--subject-token-file`.")
  static let subjectTokenStdin = Option(
    "subject-token-stdin", summary: "read the token to exchange from standard input")
  static let subjectTokenFile = Option(
    "subject-token-file", .file("FILE"), summary: "read the token to exchange from a file",
    detail: """
      Others may read the file, as they may where a platform writes it for its programs; one that others may change, or \
      that belongs to another user, is refused.
      """)
  static let subjectTokenType = Option(
    "subject-token-type", .checked("TYPE", LoginOptions.tokenTypeFault), summary: "what the token to exchange is",
    detail: """
      `access_token`, which it is unless given, `refresh_token`, `id_token`, `jwt`, `saml1`, `saml2`, or a whole URI.
      """)
  static let actorTokenFile = Option(
    "actor-token-file", .file("FILE"), summary: "read the token of who acts for the subject from a file",
    detail: "As `--subject-token-file`.")
  static let actorTokenType = Option(
    "actor-token-type", .checked("TYPE", LoginOptions.tokenTypeFault), summary: "what the actor's token is",
    detail: "As `--subject-token-type`.")
  static let requestedTokenType = Option(
    "requested-token-type", .checked("TYPE", LoginOptions.tokenTypeFault),
    summary: "what kind of token to ask for in exchange",
    detail: """
      As `--subject-token-type`; the server decides unless given. A token that is no access token (`token_type` is \
      `N_A`) is refused: no API would take it.
      """)
  static let discover = Option(
    "discover", .text("URL"), summary: "make the profile of what the API at URL says of itself",
    detail: """
      For a new profile. The API is asked for URL without a token; its answer may say where its metadata is, which \
      otherwise is looked for at `/.well-known/oauth-protected-resource` (RFC 9728). It names the authorization server, \
      which becomes `issuer`; of several, choose one with `--issuer`. URL becomes `api`, the API's own name `resource`; \
      `scope` becomes what the API asks for in its answer, if it does; `dpop` is set where the API demands it. Options \
      go before what is found. `--client-id` is needed all the same: no API knows it. The metadata must be of exactly \
      this URL, or of its whole origin.
      """)
  /// What is wrong with the name of a type of token.
  @Sendable static func tokenTypeFault(_ text: String) -> Option.Value.Fault? {
    guard TokenExchange.typeURN(text) == nil else { return nil }
    return .init(
      why: "there is no such type of token",
      hint: "give a whole URI, or one of: " + TokenExchange.typeWords.joined(separator: ", "))
  }

  static let acrValues = Option(
    "acr-values", .text("VALUES"), summary: "how to log in this time, in the server's words",
    detail: """
      Names of ways to log in (`acr_values`), separated by spaces, the best first. APIs that want a second factor or \
      the like for a request say so (RFC 9470), and `call` then says which names to give here. Sent by the browser and \
      the device flow, for this login only; what is to be asked for every time belongs into `[parameters]` of the \
      profile's file: `authorization = { acr_values = "…" }`.
      """)
  static let maxAge = Option(
    "max-age", .duration("DURATION"), summary: "let the server ask again unless it did so since then",
    detail: """
      Where the person has logged in to the server longer ago than that, the server asks again instead of going on with \
      its own session (`max_age`); `0` always does so. Sent by the browser and the device flow, for this login only, as \
      `--acr-values` is. An ID token must then say when that was.
      """)
  static let timeout = Option(
    "timeout", .duration("DURATION"), summary: "how long to wait for the person's approval",
    detail: "Unless given, 5 minutes for the browser, and for a device as long as its code lives.")

  static let all =
    ProfileSetting.all.map(\.option)
    + [noBrowser, passwordStdin, passwordFile, clientSecretStdin, clientSecretFile, clientKeyStdin, clientKeyFile]
    + [assertionStdin, assertionFile, subjectTokenStdin, subjectTokenFile, subjectTokenType, actorTokenFile]
    + [actorTokenType, requestedTokenType, field, discover, acrValues, maxAge, timeout, .json]
}
