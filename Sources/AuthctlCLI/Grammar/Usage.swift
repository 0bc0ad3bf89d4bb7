/// The line that shows in what order a command takes what.
struct Usage: Sendable {
  /// The table.
  let program: Program
  /// The command; nil for the program.
  let command: Command?

  /// The line: `authctl call [OPTIONS] URL|PATH`.
  var line: String { words.joined(separator: " ") }

  /// Its words; the program's name and the command's come first.
  var words: [String] {
    guard let command else { return [program.name, "[OPTIONS]", "COMMAND", "[ARGUMENTS]"] }
    return [program.name, command.name, "[OPTIONS]"] + command.operands.map(\.usage)
  }
}
