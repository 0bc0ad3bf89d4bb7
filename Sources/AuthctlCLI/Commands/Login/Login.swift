import AuthCore

extension Command {
  static let login = Command(
    name: "login", summary: "log in and store the tokens",
    operands: [Operand("URL|PROFILE", optional: true, completion: .profile)],
    description: """
      Gets tokens from the authorization server and stores them in the keyring.

      URL is the address of an API, of its authorization server, or of a page below one of them. If a profile for \
      this URL exists, `login` uses it. Otherwise `login` discovers the settings, prints them, and saves them as a \
      profile named after the host; `--profile` sets another name. Options override discovered settings. If no API is \
      found, `login` asks for one on a terminal; without one, the profile's name is the host with `-server`.

      To discover the settings, `login` requests URL without a token and reads the API's metadata (RFC 9728), which \
      names the authorization server, and then the server's metadata (RFC 8414, OpenID Connect). It looks for each at \
      URL and at the URLs above it. If no API metadata is found, URL is taken as the authorization server. Metadata \
      for another origin is refused, and metadata for another API on the same origin is not used: `login` then names \
      the server to confirm with `--issuer`. If the API accepts tokens from several servers, choose one at the \
      terminal or with `--issuer`; otherwise `login` uses the first.

      The tokens are requested for the API (`resource`, RFC 8707), unless `--api` names another one, with the scope \
      that the API requires, and with `openid` and `offline_access` if the server supports them. With \
      `offline_access`, the profile gets `prompt = "consent"`, as OpenID Connect demands; `--prompt` overrides it.

      PROFILE is the name of a profile. Its first login takes the settings as options, and writes them to the \
      profile's file after it has succeeded. Later logins need no options. The file is never \
      rewritten, but `login NAME --api URL` adds the API to a profile that has none.

      Without URL and PROFILE, `login` uses the profile that other commands use. On a terminal, it asks which one if \
      there are several, and asks for an address if there is none.

      The browser login (authorization code with PKCE) opens the page with `$BROWSER` or, if that is not set, with \
      the desktop's browser, and prints its address. On a terminal, a line shows the time left. The response arrives \
      on a loopback port. The server must accept the redirect URI `http://127.0.0.1/callback` on any port (RFC 8252), \
      unless `login` has registered the client or `--redirect-uri` sets another one.

      If the browser is on another machine, its redirect does not arrive. Over SSH, with `--no-browser`, and if no \
      browser could be started, `login` prints an `ssh` command that forwards the port; run it where the browser is. \
      Or paste the address that the browser shows at the end into the terminal, which does not show it. Without a \
      terminal, `--complete` reads it. If the browser does not return, `login` asks the server once, after 15 seconds \
      or at the limit, whether it refuses the redirect URI.

      The device login (`--flow device`) shows a code and the address of a page, on a terminal also as a QR code. The \
      page can be opened on any device; Enter opens it in a browser on this machine, if there is one. The device login \
      is the default if the server supports it and there is neither a display nor `$BROWSER`, as over SSH. `--flow \
      browser` or `--no-browser` selects the browser login.

      Secrets are never arguments. A password or client secret is prompted for without echo, or read from standard \
      input or a file; so are keys, assertions and tokens. On a terminal, input is never echoed.

      If the profile is logged in already, the new login revokes the old refresh token, if the server supports it.
      """,
    settings: ProfileSetting.all.map(\.option), options: LoginOptions.all,
    leading: [
      "issuer", "client-id", "api", "scope", "flow", "template", "username", "redirect-uri", "no-browser",
      "password-stdin", "client-secret-stdin", "client-key-file", "field", "type", "dpop", "default", "cacert",
      "timeout", "json",
    ],
    examples: [
      Example(
        "authctl login https://api.example.com",
        "Finds the API's authorization server, creates the profile `api.example.com`, and logs in with the browser."),
      Example(
        "authctl login https://api.example.com -p second",
        "Logs in to the same API with another account, as profile `second`."),
      Example("authctl login work", "Logs in to the profile `work` again."),
      Example(
        "authctl login work --issuer https://id.example.com --client-id cli",
        "Creates the profile `work` without discovering an API. `--api` names the APIs that may get the token."),
      Example("authctl login work --flow device", "Logs in with a code, on another device."),
      Example(
        "authctl login gh --template github --client-id ID",
        "Creates the profile `gh` from a template, and logs in. authctl-profile(5) lists the templates."),
      Example(
        "authctl login work --acr-values mfa --max-age 5m",
        "Logs in again with a second factor, which some requests of an API require."),
      Example(
        "pass show ci-secret | authctl login ci --client-secret-stdin",
        "Logs in a program that has a client secret."),
      Example(
        "authctl login ci --client-key-file key.pem",
        "Logs in a program that signs with a private key. The key is stored in the keyring."),
      Example(
        "authctl login app --flow register --field name=Alice",
        "Sends the request `register` of a profile of type `custom`."),
      Example(
        "print-token | authctl login other --flow token --api https://api.example",
        "Stores a token from elsewhere."),
    ],
    sections: [
      Section(
        "THE CLIENT",
        """
        In the browser and device flows, a login needs no client ID. It uses the first of these clients that is \
        available:

        - The client in `--client-id`, or in `client_id` of the profile.
        - The client that a former login registered at this issuer. All profiles for the issuer without a client ID \
        share it. It is used if its registration covers the login (its scopes, flow and redirect URI) and the server \
        still knows it. Clients that such a login has replaced are used in the same way.
        - A client ID metadata document, if the server supports such documents and `client_metadata_url` is set in \
        `~/.config/authctl/config.toml`. `authctl profile client-metadata` prints the document to host.
        - A client that `login` registers (RFC 7591). The client is public unless the server requires a secret. The \
        registration has the scopes of the login and the redirect URI `http://127.0.0.1/callback`, without a port and \
        with the ports 8085, 18085 and 28085, because many servers compare the port, too. The login listens on the \
        first of these ports that is free. `--redirect-uri` registers another URI instead.
        - On a terminal, the client whose ID you enter after you have registered it yourself.

        For a client with a secret, use `--client-secret-stdin`, or `--client-authentication`. On a terminal, a first \
        login asks for the secret if the server refuses the client without one.

        A registered client is stored as one keyring item with the attributes `application=authctl`, \
        `kind=registration` and `issuer=ISSUER`. The item contains the client secret, if there is one, and the token \
        that manages the registration. `logout` keeps the client. `profile remove` deletes it from the keyring and \
        from the server, unless another profile or a login in progress uses it. If the server no longer knows the \
        client, the next login registers another one; a refresh never does.
        """),
      Section(
        "FIRST LOGIN BY FLOW",
        """
        Browser, with everything discovered:

            authctl login https://api.example.com/v1

        Browser, if the API or the server publishes no metadata:

            authctl login work --issuer https://id.example.com --client-id cli \\
              --scope 'openid offline_access' --api https://api.example.com/v1

        User name and password; `login` prompts for the password:

            authctl login pw --flow password --username alice --client-id cli \\
              --issuer https://id.example.com --api https://api.example.com

        A program with a client secret, which is stored in the keyring:

            pass show ci-client | authctl login ci --flow client-credentials \\
              --issuer https://id.example.com --client-id ci \\
              --api https://api.example.com --client-secret-stdin

        A program that signs with a private key instead:

            authctl login bot --flow client-credentials --client-id bot \\
              --issuer https://id.example.com --api https://api.example.com \\
              --client-key-file key.pem

        Another token in exchange (RFC 8693):

            print-a-token | authctl login other --flow token-exchange \\
              --issuer https://id.example.com --client-id cli \\
              --api https://other.example.com --subject-token-stdin

        Tokens from elsewhere: a bare access token, or the JSON of a token response. With issuer and client, a \
        refresh token in the JSON is used, too:

            print-a-token | authctl login tok --flow token --api https://api.example.com
            authctl login tok2 --flow token --issuer https://id.example.com \\
              --client-id cli --api https://api.example.com <response.json
        """),
    ])
}

extension RunnableCommand {
  static let login = RunnableCommand(.login, LoginArguments.init) { arguments, context in
    let answers = try await LoginConversation(arguments, context).answers()
    return try await LoginRun(answers, context).run()
  }
}

/// The options of `login` that do not set a profile key.
enum LoginOptions {
  static let noBrowser = Option("no-browser", summary: "print the login URL instead of opening a browser")
  static let complete = Option(
    "complete", summary: "read the address at which the browser ends from standard input",
    detail: """
      For a login without a terminal whose browser is on another machine. Write the whole address that the browser \
      shows at the end to the standard input of this `login`, such as a named pipe, and a line end. It is checked like \
      a redirect, and the first of both wins. The code in it works only for the process that has printed the page.
      """)
  static let passwordStdin = Option("password-stdin", summary: "read the password from standard input")
  static let passwordFile = Option(
    "password-file", .file("FILE"), summary: "read the password from a file",
    detail: "A file that users other than its owner may read is refused. A pipe such as `<(pass show work)` is fine.")
  static let clientSecretStdin = Option("client-secret-stdin", summary: "read the client secret from standard input")
  /// The option of the key `client_secret_file`, which also names the file of a secret that this login stores.
  static let clientSecretFile = Option("client-secret-file", .file("FILE"), summary: "")
  static let field = Option(
    "field", .field("NAME=VALUE"), repeats: true, summary: "fill a placeholder of the profile's request or template",
    detail: """
      A value for `--template`, or for a request in a profile of type `custom`. For a request, `NAME=@FILE` reads the \
      value from a file and removes one trailing newline; `NAME=@-` reads it from standard input. Secrets are never \
      arguments: they are prompted for without echo, or read from a file. `login` prompts for every required value \
      that is not given.
      """)
  static let clientKeyStdin = Option(
    "client-key-stdin", summary: "read the client's private key from standard input",
    detail: """
      PEM or JWK. It is stored in the keyring, for `private_key_jwt` and the jwt-bearer flow, unless the profile names \
      a file as `assertion_key`. In a first login without `--client-authentication` it implies `private_key_jwt`, \
      except in the jwt-bearer flow.
      """)
  static let clientKeyFile = Option(
    "client-key-file", .file("FILE"), summary: "read the client's private key from a file",
    detail: "Like `--client-key-stdin`. A file that users other than its owner may read is refused.")
  static let registrationTokenStdin = Option(
    "registration-token-stdin", summary: "read the initial access token from standard input",
    detail: """
      For a server that registers clients only with such a token (RFC 7591). The token is used for this login only, \
      and not stored.
      """)
  static let assertionStdin = Option(
    "assertion-stdin", summary: "read the jwt-bearer flow's assertion from standard input",
    detail: """
      An assertion signed by another party, instead of one that the client signs with its key. It can't be repeated: \
      without a refresh token, the session ends when the access token expires.
      """)
  static let assertionFile = Option(
    "assertion-file", .file("FILE"), summary: "read the jwt-bearer flow's assertion from a file",
    detail: "Like `--subject-token-file`.")
  static let subjectTokenStdin = Option(
    "subject-token-stdin", summary: "read the token to exchange from standard input")
  /// The option of the key `subject_token_file`, which also names a file for one login.
  static let subjectTokenFile = Option("subject-token-file", .file("FILE"), summary: "")
  /// The option of the key `subject_token_type`, which also names the type for one login.
  static let subjectTokenType = Option("subject-token-type", .text("TYPE"), summary: "")
  /// The keys whose options are for one login, unless its profile has no store.
  static let ofOneLogin = ["client_secret_file", "subject_token_file", "subject_token_type"]
  static let actorTokenFile = Option(
    "actor-token-file", .file("FILE"), summary: "read the actor token from a file",
    detail: "The token of the party that acts for the subject. Like `--subject-token-file`.")
  static let actorTokenType = Option(
    "actor-token-type", .checked("TYPE", LoginOptions.tokenTypeFault), summary: "the type of the actor token",
    detail: "Like `--subject-token-type`.")
  static let requestedTokenType = Option(
    "requested-token-type", .checked("TYPE", LoginOptions.tokenTypeFault),
    summary: "request this type of token in exchange",
    detail: """
      Like `--subject-token-type`. Unless given, the server decides. A token that is not an access token \
      (`token_type` is `N_A`) is refused, because no API accepts it.
      """)
  static let discover = Option(
    "discover", .text("URL"), summary: "discover the settings from a URL",
    detail: "`login NAME --discover URL` is the same as `login URL --profile NAME`.")
  /// Returns the fault of the name of a token type; nil if it is valid.
  @Sendable static func tokenTypeFault(_ text: String) -> Option.Value.Fault? {
    guard TokenExchange.typeURN(text) == nil else { return nil }
    return .init(
      why: "unknown token type",
      hint: "use a full URI, or one of: " + TokenExchange.typeWords.joined(separator: ", "))
  }

  static let acrValues = Option(
    "acr-values", .text("VALUES"), summary: "require an authentication level, such as MFA",
    detail: """
      Authentication context classes (`acr_values`), separated by spaces, in order of preference. An API that requires \
      one for a request says so (RFC 9470), and `call` prints the values to use here. Sent by the browser and device \
      flows, for this login only. To send them with every login, put `authorization = { acr_values = "…" }` into \
      `[parameters]` of the profile.
      """)
  static let maxAge = Option(
    "max-age", .duration("DURATION"), summary: "require a login that is not older than this",
    detail: """
      If the person authenticated at the server longer ago than this, the server asks again instead of using its own \
      session (`max_age`). `0` always asks. Sent by the browser and device flows, for this login only. An ID token \
      must then have `auth_time`.
      """)
  static let timeout = Option(
    "timeout", .duration("DURATION"), summary: "limit the wait for the user's approval",
    detail: "Unless given: 5 minutes in the browser flow, and until the code expires in the device flow.")

  static let all =
    [noBrowser, complete, passwordStdin, passwordFile, clientSecretStdin, clientKeyStdin, clientKeyFile]
    + [registrationTokenStdin, assertionStdin, assertionFile, subjectTokenStdin, actorTokenFile, actorTokenType]
    + [requestedTokenType, TemplateOptions.template, field, discover, acrValues, maxAge, timeout, .json]
    + Option.allTrace
}
