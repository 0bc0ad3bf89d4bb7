import AuthCore
import SystemPackage

extension Command {
  static let exec = Command(
    name: "exec", summary: "run a command with the token in its environment",
    operands: [
      Operand("COMMAND", completion: .program, beginsCommand: true),
      Operand("ARGUMENT", optional: true, repeats: true, completion: .file),
    ],
    description: """
      Gets an access token as `authctl token` does and becomes the command, whose environment has it as \
      `AUTHCTL_TOKEN`: never as an argument, which all users of the machine can read. The command has the place of \
      `authctl`: its terminal, its signals, its process id and its exit status.

      The token is not renewed while the command runs: `--min-validity` says how long it must last. The command and \
      all that it starts can read it, and so can whatever else runs as the same user.

      Options end at the command's name: what follows is the command's.
      """,
    options: [ExecOptions.env, TokenOptions.minValidity],
    examples: [
      Example("authctl exec -- ./deploy.sh", "Runs a script that reads `$AUTHCTL_TOKEN`."),
      Example(
        "authctl exec --profile github --env GH_TOKEN -- gh api user", "Gives the token the name that a program wants."),
      Example("authctl exec --min-validity 30m -- make release", "Takes a token that lasts for half an hour."),
    ],
    sections: [
      Section(
        "EXIT STATUS",
        """
        That of the command; 127 where there is no such command, 126 where it can't be run. What keeps `authctl` from \
        getting so far has the statuses of authctl(1).
        """)
    ],
    run: { invocation, context in
      let names = try ExecOptions.names(invocation)
      let (token, _) = try await HandedToken(invocation, context).token(provable: true)
      // Nobody is left to wait for it afterwards.
      await context.renewals.finish()
      let variables = Dictionary(uniqueKeysWithValues: names.map { ($0, token.exposed) })
      throw ExecOptions.failure(
        of: invocation.operands.first ?? "", context.succession.become(invocation.operands, adding: variables))
    })
}

/// The options of `exec`.
enum ExecOptions {
  static let env = Option(
    "env", .text("NAME"), repeats: true, summary: "call the variable NAME",
    detail: "Instead of `AUTHCTL_TOKEN`; given several times, each of the variables has the token.")

  /// The variables that get the token, each once.
  static func names(_ invocation: Invocation) throws(AuthError) -> Set<String> {
    let names = invocation.values(env)
    for name in names where !isName(name) {
      throw .usage(
        .init(
          "--env \(Printable.text(name, limit: 80))", why: "it can't be a variable's name",
          hint: "a name has letters, digits and _, and does not begin with a digit"))
    }
    return names.isEmpty ? ["AUTHCTL_TOKEN"] : Set(names)
  }

  private static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }

  /// Why a command could not be run. Its arguments aren't shown: they may hold secrets.
  static func failure(of command: String, _ error: Errno) -> CLIError {
    let isThere = error != .noSuchFileOrDirectory
    let hint = isThere ? "check that it is a program, and its mode" : "check its name, and PATH"
    return .command(
      .init("running \(Printable.text(command, limit: 80))", why: "\(error)", hint: hint), isThere: isThere)
  }
}
