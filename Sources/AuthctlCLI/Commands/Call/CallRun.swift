import AuthCore

extension RunnableCommand {
  static let call = RunnableCommand(.call, CallArguments.init) { arguments, context in
    try await CallRun(arguments, context).run()
  }
}

/// One run of `call`: each address in its turn.
struct CallRun: Sendable {
  private let arguments: CallArguments
  private let context: Context

  init(_ arguments: CallArguments, _ context: Context) {
    self.arguments = arguments
    self.context = context
  }

  func run() async throws -> ExitStatus {
    let (prepared, preparation) = AsyncStream<Never>.makeStream()
    prepare { preparation.finish() }
    if let options = arguments.batch {
      let batch = try BatchRun(options, arguments, context)
      for await _ in prepared {}
      return try await batch.run()
    }
    // All of them are looked at before the first is sent: a mistake in one is found while nothing has happened yet.
    let input = try SharedInput(arguments, context)
    let choice = ProfileChoice(context, remembering: ProfileMemory())
    let requests = try arguments.addresses.map { try CallRequest($0, input, arguments, choice, context) }
    let writeOut = try WriteOut(arguments.output.writeOut, context)
    // A person is asked last, when nothing else on the command line can be refused.
    let senders = SenderPool(context, try CallSecrets(promptingFor: arguments, context))
    if arguments.output.hasUnusedPlaces, context.verbosity.tellsTransfers {
      context.console.note("authctl: warning: there are more -o and -O than URLs")
    }
    for await _ in prepared {}
    guard requests.count > 1 else {
      for request in requests { try await request.run(senders, writeOut) }
      return .ok
    }
    var statuses: [ExitStatus] = []
    for request in requests {
      do {
        try await request.run(senders, writeOut)
      } catch CLIError.outputClosed {
        throw CLIError.outputClosed
      } catch {
        statuses.append(ErrorReport(error).report(context, profile: request.target.profile?.name.string))
      }
    }
    return statuses.worst
  }

  /// Begins to connect to the keyring and, when that stands, to load what sends requests: the other way round, loading
  /// would hold up the threads that the keyring needs.
  private func prepare(_ done: @escaping @Sendable () -> Void) {
    let begin: @Sendable () -> Void = {
      context.prepareTransport()
      done()
    }
    let needsSecrets = arguments.authorization == .token && context.variable("AUTHCTL_ACCESS_TOKEN") == nil
    needsSecrets ? context.prepareSecrets(begin) : begin()
  }
}

/// The input that all requests of a command line share, read once.
struct SharedInput: Sendable {
  /// The lines of `-H`.
  let lines: [HeaderLine]
  /// Data, a form, or a query.
  let body: CallBody

  /// - Throws: ``AuthError/usage(_:)`` if a file can't be read.
  init(_ arguments: CallArguments, _ context: Context) throws(AuthError) {
    lines = try HeaderOption.lines(arguments.headers, context)
    body = try CallBody(arguments.body, context)
  }
}
