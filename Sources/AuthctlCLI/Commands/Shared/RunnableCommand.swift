/// A command and the function that runs it.
struct RunnableCommand: Sendable {
  /// Runs one command line.
  typealias Run = @Sendable (Invocation, Context) async throws -> ExitStatus

  /// The command as the parser and the help know it.
  let command: Command
  /// The commands of a family; empty for every other command.
  let subcommands: [RunnableCommand]
  /// Runs the command.
  let run: Run
}

extension RunnableCommand {
  /// Adds the two steps that run a command.
  ///
  /// - Parameters:
  ///   - arguments: reads the command line into typed values. It finds every contradiction. It opens no file,
  ///     prompts for nothing and sends nothing.
  ///   - run: runs the command with these values.
  init<Arguments: Sendable>(
    _ command: Command, _ arguments: @escaping @Sendable (Invocation) throws -> Arguments,
    run: @escaping @Sendable (Arguments, Context) async throws -> ExitStatus
  ) {
    self.init(command, arguments, begin: { _, _ in }) { arguments, context, _ in try await run(arguments, context) }
  }

  /// Adds the steps that run a command.
  ///
  /// - Parameters:
  ///   - begin: starts what takes long and changes nothing, such as the connection to the keyring, before files are
  ///     created.
  ///   - run: runs the command with the values and with what was begun.
  init<Arguments: Sendable, Begun: Sendable>(
    _ command: Command, _ arguments: @escaping @Sendable (Invocation) throws -> Arguments,
    begin: @escaping @Sendable (Arguments, Context) -> Begun,
    run: @escaping @Sendable (Arguments, Context, Begun) async throws -> ExitStatus
  ) {
    self.init(command: command, subcommands: []) { invocation, context in
      let values = try arguments(invocation)
      let trace = try TraceArguments(
        invocation, others: invocation.occurrences.flatMap(TraceArguments.NamedFile.all))
      let begun = begin(values, context)
      return try await run(values, context.tracing(trace, of: invocation), begun)
    }
  }
}
