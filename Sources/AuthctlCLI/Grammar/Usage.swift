/// The usage line of a command: its options and operands, in order.
struct Usage: Sendable {
  /// The table.
  let program: Program
  /// The command; nil for the program.
  let command: Command?

  /// The line: `authctl call [OPTIONS] URL|PATH`.
  var line: String { words.joined(separator: " ") }

  /// The words of the line; the program's name and the command's words come first.
  var words: [String] {
    let typed = [program.name] + (command?.words ?? []) + ["[OPTIONS]"]
    guard let command, !command.isFamily else { return typed + ["COMMAND", "[ARGUMENTS]"] }
    return typed + command.operands.map(\.usage)
  }
}
