/// One thing on a command line.
enum Argument: Sendable, Hashable {
  /// An option, and its name as it was typed: `-h` or `--help`.
  case option(Occurrence, spelling: String)
  /// Anything else.
  case operand(String)
}
