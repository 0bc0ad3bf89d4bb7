import AuthCore

/// One run of `call`: each address in its turn.
struct CallRun: Sendable {
  private let invocation: Invocation
  private let context: Context

  init(_ invocation: Invocation, _ context: Context) {
    self.invocation = invocation
    self.context = context
  }

  func run() async throws -> ExitStatus {
    let plan = try BatchOptions(invocation)
    guard plan != nil || !invocation.operands.isEmpty else {
      throw UsageError(
        message: "'call' needs URL|PATH, or --batch FILE", hint: "usage: authctl call [OPTIONS] [URL|PATH...]")
    }
    let (prepared, preparation) = AsyncStream<Never>.makeStream()
    prepare { preparation.finish() }
    if let plan {
      let batch = try BatchRun(plan, invocation, context)
      for await _ in prepared {}
      return try await batch.run()
    }
    let senders = SenderPool(context)
    // All of them are looked at before the first is sent: a mistake in one is found while nothing has happened yet.
    let secrets = CallSecrets(invocation, context)
    let user = try secrets.user()
    let content = try SharedInput(invocation, context)
    var requests = try invocation.operands.enumerated().map { index, text in
      try CallRequest(
        CallTarget(text, invocation, context, sendsPassword: user != nil), index: index, content, invocation, context)
    }
    try CallOptions.checkFailure(invocation)
    let writeOut = try WriteOut(invocation, context)
    // A person is asked last, when nothing else on the command line can be refused.
    let (credentials, keyPassword) = (try secrets.credentials(), try secrets.keyPassword())
    requests = requests.map { $0.with(credentials, keyPassword: keyPassword) }
    if OutputPlace.areTooMany(invocation), context.verbosity.tellsTransfers {
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
        statuses.append(
          ErrorReport(error).report(context, profile: request.target.profile?.name.string))
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
    let needsSecrets =
      !invocation.has(CallOptions.noAuth) && !invocation.has(CallOptions.user)
      && context.variable("AUTHCTL_ACCESS_TOKEN") == nil
    needsSecrets ? context.prepareSecrets(begin) : begin()
  }
}
