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

      Secrets are never arguments: a password or a client's secret is asked for without echo, or read from standard \
      input or a file. A new login over an old one revokes the old refresh token, as far as the server lets it.
      """,
    options: LoginOptions.all,
    examples: [
      Example(
        "authctl login work --issuer https://id.example.com --client-id cli",
        "Makes the profile `work` and logs in with the browser; `--api` says where the token may go."),
      Example("authctl login work", "Logs in again."),
      Example(
        "pass show ci-secret | authctl login ci --client-secret-stdin",
        "Logs a program in with its own credentials, as the profile `ci` says."),
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
  static let passwordFile = Option("password-file", .file("FILE"), summary: "read the password from a file")
  static let clientSecretStdin = Option("client-secret-stdin", summary: "read the client's secret from standard input")
  static let clientSecretFile = Option(
    "client-secret-file", .file("FILE"), summary: "read the client's secret from a file")
  static let field = Option(
    "field", .text("NAME=VALUE"), repeats: true, summary: "fill a field of the profile's request",
    detail: """
      For a profile of type `custom`, whose requests have places for values. `NAME=@FILE` takes the value from a file \
      and drops one line end; `NAME=@-` from standard input. A secret is never an argument: it is asked for without \
      echo, or given as a file. What is neither given nor may be absent is asked for.
      """)
  static let timeout = Option(
    "timeout", .text("DURATION"), summary: "how long to wait for the browser's answer",
    detail: "5 minutes unless given.")

  static let all =
    ProfileSetting.all.map(\.option)
    + [noBrowser, passwordStdin, passwordFile, clientSecretStdin, clientSecretFile, field, timeout, .json]
}
