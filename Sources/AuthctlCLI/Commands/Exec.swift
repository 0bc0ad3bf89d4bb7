import AuthCore
import SystemPackage

extension Command {
  static let exec = Command(
    name: "exec", summary: "run a command with the token in its environment",
    operands: [
      Operand("COMMAND", completion: .program, beginsCommand: true),
      Operand("ARGUMENT", optional: true, repeats: true, completion: .file),
    ], manual: Manual(PackageResources.exec_md),
    options: [ExecOptions.env, TokenOptions.minValidity, .cache] + Option.allTrace, isSequential: true)
}

extension RunnableCommand {
  static let exec = RunnableCommand(.exec, ExecArguments.init) { arguments, context in
    let token = try await ExportedToken(arguments.token, provable: true, context)
    // This process is replaced, so it can't wait for the refreshes afterwards.
    await context.refreshes.finish()
    context.trace.finish()
    let variables = Dictionary(uniqueKeysWithValues: arguments.variables.map { ($0, token.secret.exposed) })
    throw arguments.failure(context.replacement.become(arguments.command, adding: variables))
  }
}

/// The options of `exec`.
enum ExecOptions {
  static let env = Option(
    "env", .text("NAME"), repeats: true, summary: "use the variable NAME instead of AUTHCTL_TOKEN")
}

/// The command line of `exec`.
struct ExecArguments: Sendable {
  /// The token.
  let token: ExportArguments
  /// The variables that get the token.
  let variables: Set<String>
  /// The command and its arguments.
  let command: [String]

  /// - Throws: ``AuthError/usage(_:)``.
  init(_ invocation: Invocation) throws(AuthError) {
    token = try ExportArguments(invocation)
    command = invocation.operands
    let names = invocation.values(ExecOptions.env)
    for name in names where !ExecArguments.isName(name) {
      throw .usage(
        "--env \(Escaped.text(name, limit: 80))", why: "invalid variable name",
        hint: "use letters, digits and _; the first character is not a digit")
    }
    variables = names.isEmpty ? ["AUTHCTL_TOKEN"] : Set(names)
  }

  private static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }

  /// Returns the error that the command could not be run. Its arguments are not shown: they may contain secrets.
  func failure(_ error: Errno) -> CLIError {
    let isThere = error != .noSuchFileOrDirectory
    let isProfile = command.dropFirst().contains { $0 == "--" }
    let hint =
      isThere
      ? "check that it is a program and executable"
      : "check its name and PATH" + (isProfile ? "; a profile stands right before the --" : "")
    return .command(
      .init("running \(Escaped.text(command.first ?? "", limit: 80))", why: "\(error)", hint: hint), isThere: isThere)
  }
}
