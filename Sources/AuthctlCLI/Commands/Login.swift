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

      Secrets are never arguments: a password or a client's secret is asked for without echo, or read from standard \
      input or a file. A new login over an old one revokes the old refresh token, as far as the server lets it.
      """,
    options: LoginOptions.all,
    examples: [
      Example(
        "authctl login work --issuer https://id.example.com --client-id cli",
        "Makes the profile `work` and logs in with the browser; `--api` says where the token may go."),
      Example("authctl login work", "Logs in again."),
      Example("authctl login work --flow device", "Logs in with a code, on another device."),
      Example(
        "pass show ci-secret | authctl login ci --client-secret-stdin",
        "Logs a program in with its own credentials, as the profile `ci` says."),
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
  static let timeout = Option(
    "timeout", .text("DURATION"), summary: "how long to wait for the person's approval",
    detail: "Unless given, 5 minutes for the browser, and for a device as long as its code lives.")

  static let all =
    ProfileSetting.all.map(\.option)
    + [noBrowser, passwordStdin, passwordFile, clientSecretStdin, clientSecretFile, timeout, .json]
}
