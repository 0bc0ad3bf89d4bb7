import AuthCore

/// The program without its system dependencies, which the ``Context`` provides.
package struct Application: Sendable {
  private let context: Context

  /// Creates the program.
  package init(_ context: Context) {
    self.context = context
  }

  /// Runs one command line, without the program's name, and waits for work that must be finished.
  ///
  /// - Returns: the exit status.
  package func run(_ arguments: [String]) async -> Int32 {
    let status = await answered(arguments)
    await context.refreshes.finish(detachedFor: context.detachedPatience)
    context.flow.finish()
    return status.rawValue
  }

  private func answered(_ arguments: [String]) async -> ExitStatus {
    let parser = Parser(program: .authctl)
    let name = context.program
    do {
      // Non-UTF-8 bytes were already replaced when the arguments were decoded: the argument would be sent changed.
      guard !arguments.contains(where: { $0.unicodeScalars.contains("\u{FFFD}") }) else {
        throw UsageError(message: "an argument is not UTF-8 text", hint: "pass such data in a file: @FILE")
      }
      switch try parser.parse(arguments) {
      case .run(let invocation): return await run(invocation)
      case .shortHelp(let command):
        return printed(
          ShortHelp(program: .authctl, command: command, name: name).text(width: context.console.width, colour: colour))
      case .longHelp(let command):
        return printed(
          LongHelp(program: .authctl, command: command, name: name).text(width: context.console.width, colour: colour))
      case .version:
        return printed("\(name.text) \(Program.authctl.version)\n")
      case .missingCommand:
        context.console.note(
          ShortHelp(program: .authctl, command: nil, name: name).text(width: context.console.width, colour: false))
        return .usage
      }
    } catch {
      // The command line is invalid, but its `--errors` can be read.
      let verbosity = Verbosity().with(errors: parser.peek(.errors, in: arguments), context)
      return ErrorReport(error).report(context(with: verbosity))
    }
  }

  private func run(_ invocation: Invocation) async -> ExitStatus {
    var context = context(with: Verbosity(invocation, context))
    if context.verbosity.verbose {
      context.remembersSecrets = true
      context = context.tracingProxies(hasOption: invocation.value(CallOptions.proxy) != nil)
    }
    do {
      try Verbosity.checkErrorFormat(context)
      try context.proveFoldersKnown()
      guard let command = RunnableCommand.named(invocation.command.name) else {
        throw AuthError.failed(.init(invocation.command.name, why: "nothing runs it", hint: "report this as a bug"))
      }
      return try await command.run(invocation, context)
    } catch {
      return ErrorReport(error).report(context, profile: profileName(invocation))
    }
  }

  /// Returns the context of one command line, whose console prints messages in the requested format.
  private func context(with verbosity: Verbosity) -> Context {
    var context = context
    context.verbosity = verbosity
    context.outputLine = OutputLine(isShared: context.console.sharesOutput)
    context.console = MessageConsole(
      context.console, program: context.program, asJSON: verbosity.errorsAsJSON, line: context.outputLine)
    return context
  }

  /// The profile that an error is about, if the command line names one.
  private func profileName(_ invocation: Invocation) -> String? {
    let isAboutProfile = invocation.command.operands.first?.completion == .profile
    // `inspect -` reads a token.
    let operand = invocation.operands.first.flatMap { $0 == "-" || LoginAddress.isMeant(by: $0) ? nil : $0 }
    return (isAboutProfile ? operand : nil) ?? invocation.value(.profile)
      ?? context.variable("AUTHCTL_PROFILE") ?? context.chosen.last?.string
  }

  private var colour: Bool { Verbosity.colour(nil, context).output }

  private func printed(_ text: String) -> ExitStatus {
    do {
      try context.console.write(text)
      return .ok
    } catch {
      return ErrorReport(error).status
    }
  }
}
