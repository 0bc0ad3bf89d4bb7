import AuthCore

/// The program without its system dependencies, which the ``Context`` provides.
package struct Application: Sendable {
  private let context: Context

  /// Creates the program.
  package init(_ context: Context) {
    self.context = context
  }

  /// A command line that has been read.
  package enum Start: Sendable {
    /// It asked for help or the version, or is invalid, and the response is printed.
    case ended(Int32)
    /// It has a command.
    case command(Invocation)
  }

  /// Runs one command line, without the program's name, and waits for work that must be finished.
  ///
  /// - Returns: the exit status.
  package func run(_ arguments: [String]) async -> Int32 {
    switch start(arguments) {
    case .ended(let status): status
    case .command(let invocation): await run(invocation)
    }
  }

  /// Runs the command of a command line, and waits for work that must be finished.
  ///
  /// - Returns: the exit status.
  package func run(_ invocation: Invocation) async -> Int32 {
    let status = await status(of: invocation)
    await context.refreshes.finish(detachedFor: context.detachedPatience)
    context.trace.finish(exit: status)
    return status
  }

  /// Reads a command line, and runs one that has nothing to wait for.
  package func start(_ arguments: [String]) -> Start {
    let parser = Parser(program: .authctl)
    let name = context.program
    if arguments.first == WordCompletion.command { return printed(completion(of: arguments).text(name)) }
    do {
      // Non-UTF-8 bytes were already replaced when the arguments were decoded: the argument would be sent changed.
      guard !arguments.contains(where: { $0.unicodeScalars.contains("\u{FFFD}") }) else {
        throw UsageError(message: "an argument is not UTF-8 text", hint: "pass such data in a file: @FILE")
      }
      switch try parser.parse(arguments) {
      case .run(let invocation): return .command(invocation)
      case .shortHelp(let command):
        return printed(
          ShortHelp(program: .authctl, command: command, name: name).text(width: context.console.width, colour: colour))
      case .longHelp(let command):
        return printed(
          LongHelp(program: .authctl, command: command, name: name).text(width: context.console.width, colour: colour))
      case .version:
        return printed("\(name.text) \(Program.authctl.version)\(context.isPinned ? "" : " (unpinned)")\n")
      case .missingCommand:
        context.console.note(
          ShortHelp(program: .authctl, command: nil, name: name).text(width: context.console.width, colour: false))
        return .ended(ExitStatus.usage.rawValue)
      }
    } catch {
      // The command line is invalid, but its `--errors` can be read.
      let verbosity = Verbosity().with(
        errors: parser.peek(.errors, in: arguments), colour: parser.peek(.color, in: arguments), context)
      return .ended(ErrorReport(error).report(context(with: verbosity)).rawValue)
    }
  }

  /// Whether the errors of a command line are JSON.
  package func reportsJSON(_ invocation: Invocation) -> Bool { Verbosity(invocation, context).errorsAsJSON }

  /// Completes the words after the internal command.
  private func completion(of arguments: [String]) -> WordCompletion {
    WordCompletion(of: Array(arguments.dropFirst()), in: .authctl) {
      // Profiles whose folder can't be read are not completed; the command that needs one reports why.
      ((try? context.profiles.names()) ?? []).map(\.string)
    }
  }

  private func status(of invocation: Invocation) async -> Int32 {
    var context = context(with: Verbosity(invocation, context))
    if context.verbosity.verbose || ProxySettings.areSet(in: context.environment) {
      context = context.tracingProxies(
        hasOption: invocation.value(CallOptions.proxy) != nil, isInErrors: invocation.command.name != "doctor")
    }
    // A proxy has a line for each request.
    let name = invocation.command.name
    let isProxy = name == "proxy" || name == "exec" && invocation.has(ExecOptions.proxy)
    if let wire = VerboseLog(context).wire, !isProxy || context.verbosity.tracesConnections {
      context = context.observing(WireView.observer(wire))
      context.remembersSecrets = true
    }
    if context.verbosity.verbose, let words = context.keyLogWords { VerboseLog(context).step(words) }
    do {
      try Verbosity.checkErrorFormat(context)
      try context.proveFoldersKnown()
      guard let command = RunnableCommand.named(invocation.command.name) else {
        throw AuthError.failed(
          invocation.command.name, why: "this command is not implemented", hint: "report this as a bug")
      }
      return try await command.run(invocation, context).rawValue
    } catch let end as ExecProxy.End {
      return end.status
    } catch {
      return ErrorReport(error).report(context, profile: profileName(invocation)).rawValue
    }
  }

  /// Returns the context of one command line, whose console prints messages in the requested format.
  private func context(with verbosity: Verbosity) -> Context {
    var context = context
    context.verbosity = verbosity
    context.outputLine = OutputLine(isShared: context.console.sharesOutput)
    context.console = MessageConsole(
      context.console, program: context.program, asJSON: verbosity.errorsAsJSON, isColoured: verbosity.colour.error,
      line: context.outputLine)
    return context
  }

  /// The profile that an error is about, if the command line names one.
  private func profileName(_ invocation: Invocation) -> String? {
    let isAboutProfile = invocation.command.operands.first?.completion == .profile
    // `inspect -` reads a token.
    let operand = invocation.operands.first.flatMap { $0 == "-" || LoginAddress.isMeant(by: $0) ? nil : $0 }
    return (isAboutProfile ? operand : nil) ?? invocation.precedingOperand ?? invocation.value(.profile)
      ?? context.variable("AUTHCTL_PROFILE") ?? context.chosen.last?.string
  }

  private var colour: Bool { Verbosity.colour(nil, context).output }

  private func printed(_ text: String) -> Start {
    do {
      try context.console.write(text)
      return .ended(ExitStatus.ok.rawValue)
    } catch {
      return .ended(ErrorReport(error).status.rawValue)
    }
  }
}
