import AuthCore

extension Command {
  static let doctor = Command(
    name: "doctor", summary: "check everything that a login and a call depend on",
    operands: [Operand("PROFILE", optional: true, completion: .profile)],
    description: """
      Checks the keyring or the session file, the files, the network, the authorization server, the client, the \
      stored tokens and the API, and prints a line for each check. A line that begins with a cross names an error, \
      one with an exclamation mark a warning; the line below it says what to do. Errors come first, then warnings, \
      then, with a check mark, the checks that passed.

      Without a name, all profiles are checked. The checks run in parallel and end within 10 seconds: a server that \
      does not respond is an error, not a reason to wait.

      No token is refreshed, and no session or setting is changed at the server. The client is checked by a token \
      request with a made-up authorization code, which the server refuses; the redirect URI by an authorization \
      request without a browser, which is pushed first if the server requires it (RFC 9126); the API by a request \
      without a token. An access token that has not expired is sent once, by a GET to the first address in `api`: no \
      redirect is followed, and a refusal of the token is reported and not remembered. `--offline` sends nothing.
      """,
    options: [DoctorOptions.offline, .json],
    examples: [
      Example("authctl doctor work", "Checks a profile, and the machine."),
      Example("authctl doctor --offline", "Checks the machine and all profiles without a request."),
      Example("authctl doctor --json | jq -r '.[] | select(.exit > 0).message'", "Prints the errors only."),
    ],
    sections: [
      Section(
        "CHECKS",
        """
        In this order. Those marked with * send requests, which `--offline` prevents. A check whose requirement is \
        missing is left out: if the server can't be reached, the client is not checked.

        \(DoctorCheck.allCases.map { "- `\($0.rawValue)`\($0.isOnline ? " *" : ""): \($0.summary)." }
          .joined(separator: "\n"))
        """),
      Section(
        "RESULT",
        """
        The exit status is 0 if there is no error, even if there are warnings. Otherwise it is the status of the first \
        error in the order of the checks: the same as that of a command that fails for this reason.

        `--json` prints an array of objects with these members: `check`, `level` (`error`, `warning` or `ok`), \
        `profile` (null for a check of the machine), `message`, `hint` (empty without a problem), and `exit` (0 \
        unless the level is `error`).
        """),
    ], limit: .seconds(10))
}

extension RunnableCommand {
  static let doctor = RunnableCommand(.doctor, DoctorArguments.init) { arguments, context in
    let names = try ProfileChoice(context).profiles(arguments.profiles)
    if !arguments.profiles.isAll {
      for name in names where !context.profiles.has(name) { throw try ProfileChoice(context).missing(name) }
    }
    if !arguments.isOffline, !names.isEmpty { context.prepareTransport() }
    let choice = ProfileChoice(context, requiringFiles: false)
    // A profile that can't be read may use the keyring.
    let stores: [TokenStore] =
      names.isEmpty ? [.keyring] : names.map { (try? choice.profile(named: $0))?.store ?? .keyring }
    async let machine = MachineChecks(context: context, stores: Set(stores)).findings()
    let profiles = await withTaskGroup(of: [DoctorFinding].self) { group in
      for name in names {
        group.addTask { await ProfileDiagnosis(name, context, isOffline: arguments.isOffline).findings() }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    let report = DoctorReport(await machine + profiles)
    // The reader may take its time.
    context.relauncher?.endAfter(.zero)
    if context.verbosity.printsJSON {
      try context.console.write(context.program.named(hint: try report.json.text()) + "\n")
    } else {
      let text = report.text(colour: context.verbosity.colour.output)
      try context.console.write(context.program.named(hint: text))
    }
    return report.status
  }
}

/// The options of `doctor`.
enum DoctorOptions {
  static let offline = Option("offline", summary: "send no request: check only this machine")
}

/// The command line of `doctor`.
struct DoctorArguments: Sendable {
  /// The profiles to check; all if none is named.
  let profiles: ProfileSelection
  /// Whether no request is sent.
  let isOffline: Bool

  /// - Throws: ``AuthError/usage(_:)``.
  init(_ invocation: Invocation) throws(AuthError) {
    let named = try ProfileSelection(invocation)
    profiles = named.name == nil ? .all : named
    isOffline = invocation.has(DoctorOptions.offline)
  }
}
