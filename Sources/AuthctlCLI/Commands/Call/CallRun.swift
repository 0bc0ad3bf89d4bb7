import AuthCore

extension Command {
  static let call = Command(
    name: "call", summary: "send a request with the token",
    operands: [Operand("URL|PATH", optional: true, repeats: true)], manual: Manual(PackageResources.call_md),
    options: CallOptions.all,
    leading: [
      "request", "header", "data", "json", "form", "upload-file", "output", "remote-name", "include", "write-out",
      "fail", "no-fail", "location", "silent", "max-time", "retry", "compressed", "cacert", "no-auth", "raw", "batch",
      "parallel",
    ], isSequential: true, unknownOptionAdvice: CurlOptions.advice(for:))
}

extension RunnableCommand {
  static let call = RunnableCommand(.call, CallArguments.init, begin: CallPreparation.init) {
    try await CallRun($0, $1, $2).run()
  }
}

/// Connects to the keyring and loads the transport while the rest of a call is prepared. The keyring is not needed if
/// all tokens are in the cache.
struct CallPreparation: Sendable {
  /// Finds the profiles; it reads each file once.
  let choice: ProfileChoice
  /// The caches in which tokens were looked up.
  let caches: [ProfileName: TokenCache]
  private let ended: AsyncStream<Never>

  /// Starts it.
  init(_ arguments: CallArguments, _ context: Context) {
    let (ended, end) = AsyncStream<Never>.makeStream()
    self.ended = ended
    choice = ProfileChoice(context, remembering: ReadProfiles())
    let usesSession = arguments.authorization == .token && context.variable("AUTHCTL_ACCESS_TOKEN") == nil
    // Nothing is sent then.
    guard arguments.curl == nil else {
      caches = [:]
      end.finish()
      return
    }
    if usesSession, choice.isForKeyring(arguments.profile, cache: arguments.cache) {
      caches = [:]
      context.prepareSending(usingKeyring: true) { end.finish() }
      return
    }
    // Loading takes longer than all that follows. If the keyring is needed after all, its libraries come after it.
    context.prepareTransport()
    let profiles = usesSession ? CallPreparation.profiles(arguments, choice, context) : []
    var caches: [ProfileName: TokenCache] = [:]
    var usesKeyring = false
    for profile in profiles {
      // What is wrong is reported when the token is needed.
      let cache = arguments.simulation == nil ? try? context.cache(of: profile, arguments.cache) : nil
      caches[profile.name] = cache
      if cache?.lookUp() != true, profile.store == .keyring { usesKeyring = true }
    }
    self.caches = caches
    context.prepareSending(usingKeyring: usesKeyring) { end.finish() }
  }

  /// Returns the profiles whose tokens are certainly needed; for a batch, the one that is used unless a line has a URL.
  private static func profiles(
    _ arguments: CallArguments, _ choice: ProfileChoice, _ context: Context
  ) -> [Profile] {
    // What is wrong with an address or a profile is reported when the request is created.
    let profiles =
      arguments.batch == nil
      ? arguments.addresses.compactMap { try? CallTarget($0.text, arguments, choice, context).profile }
      : [try? choice.profile(arguments.profile)].compactMap { $0 }
    return Dictionary(profiles.map { ($0.name, $0) }) { first, _ in first }.map(\.value)
  }

  /// Waits until the transport is loaded.
  func wait() async { for await _ in ended {} }
}

/// One run of `call`, which sends the requests one after the other.
struct CallRun: Sendable {
  private let arguments: CallArguments
  private let context: Context
  private let preparation: CallPreparation

  init(_ arguments: CallArguments, _ context: Context, _ preparation: CallPreparation) {
    self.arguments = arguments
    self.context = context
    self.preparation = preparation
  }

  func run() async throws -> ExitStatus {
    if let curl = arguments.curl {
      try CurlCommand(curl, arguments, context).print(context)
      return .ok
    }
    try arguments.network.checkFiles()
    if let options = arguments.batch {
      let batch = try BatchRun(options, arguments, context, caches: preparation.caches)
      await preparation.wait()
      return try await batch.run()
    }
    // All requests are checked before the first is sent, so that an invalid one has no effect.
    let input = try SharedInput(arguments, context)
    let requests = try arguments.addresses.map { try CallRequest($0, input, arguments, preparation.choice, context) }
    let writeOut = try WriteOut(arguments.output.writeOut, context)
    if let simulation = arguments.simulation {
      for request in requests { try simulation.check(request.target) }
    }
    // Prompts come last, when the rest of the command line is valid.
    let senders = SenderPool(
      context, try CallSecrets(promptingFor: arguments, context), cache: arguments.cache, caches: preparation.caches,
      simulation: arguments.simulation)
    if arguments.output.hasUnusedPlaces, context.verbosity.reportsTransfers {
      context.console.note("authctl: warning: there are more -o and -O than URLs")
    }
    if let simulation = arguments.simulation, !context.verbosity.quiet { context.console.note(simulation.note) }
    await preparation.wait()
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
}
