/// What a command line asks for.
enum Request: Sendable {
  /// To run a command.
  case run(Invocation)
  /// The short help (`-h`) of a command, or of the program.
  case shortHelp(Command?)
  /// The long help (`--help`, `help`) of a command, or of the program.
  case longHelp(Command?)
  /// The version.
  case version
  /// Nothing: no command was named. It is answered by the short help on standard error and the status of a usage error.
  case missingCommand
}
