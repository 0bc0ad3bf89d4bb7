import AuthCore
import Synchronization

/// One run of `call --batch`: the lines of the input, several at the same time.
struct BatchRun: Sendable {
  /// How long a token is used again without a look at the keyring.
  private static let reuse = Duration.seconds(1)

  private let options: BatchOptions
  private let arguments: CallArguments
  private let context: Context
  private let choice: ProfileChoice
  private let requests: BatchRequests
  private let tally = BatchSummary()

  /// Reads the header files, and prompts for the password of the private key.
  ///
  /// - Throws: ``AuthError/usage(_:)``.
  init(_ options: BatchOptions, _ arguments: CallArguments, _ context: Context) throws(AuthError) {
    self.options = options
    self.arguments = arguments
    self.context = context
    choice = ProfileChoice(context, remembering: ProfileMemory())
    let lines = try HeaderOption.lines(arguments.headers, context)
    let senders = SenderPool(
      context, try CallSecrets(promptingFor: arguments, context), transport: context.parallelTransport(),
      reuse: BatchRun.reuse)
    requests = BatchRequests(arguments, lines, senders)
  }

  /// Sends what the lines say and prints what comes of it.
  func run() async throws -> ExitStatus {
    let input = try BatchInput(options.path, context)
    let output = BatchOutput(
      context.console.output, BatchWindow(parallel: options.parallel, isOrdered: options.isOrdered))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await sendAll(input, output) }
      // Who no longer listens is noticed also while the input says nothing.
      group.addTask { for try await _ in output.failures {} }
      _ = try await group.next()
      group.cancelAll()
    }
    guard let report = tally.report else { return .ok }
    return report.report(context)
  }

  private func sendAll(_ input: BatchInput, _ output: BatchOutput) async throws {
    let failure = try await withThrowingDiscardingTaskGroup { group -> AuthError? in
      var input = input
      var number = 0
      do {
        while let line = try await input.next() {
          number += 1
          let place = try await output.begin()
          group.addTask { [number] in output.end(place, await record(of: line, number)) }
        }
      } catch let error as AuthError {
        // The input can't be read on: what has begun is brought to its end.
        return error
      }
      return nil
    }
    try await output.finish()
    if let failure { throw failure }
  }

  /// What is printed for a line; empty where that is nothing.
  private func record(of line: BatchLines.Line, _ number: Int) async -> [UInt8] {
    var target: CallTarget?
    do {
      guard let line = try BatchRun.parsed(line, number) else { return [] }
      let known = try CallTarget(line.address, arguments, choice, context)
      target = known
      let request = try requests.request(line, to: known)
      let clock = ContinuousClock()
      let begin = clock.now
      let response = try await CallRetries(arguments.retry, context).send(
        request.transfer, by: request.sender, redirects: arguments.redirects)
      warn(of: response, from: known)
      tally.add(response.status >= 400 && !arguments.output.ignoresFailures ? .http : .ok)
      return BatchRecord(line: number, url: known.url).line(response, time: begin.duration(to: clock.now))
    } catch is CancellationError {
      return []
    } catch {
      var report = ErrorReport(BatchRun.explained(error, target))
      report.profile = target?.profile?.name.string
      tally.add(report.status)
      return BatchRecord(line: number, url: target?.url).line(report.named(context.program))
    }
  }

  /// A token that a refresh does not help is one fact of all the lines that it is refused for.
  private func warn(of response: TransferResponse, from target: CallTarget) {
    guard let pause = response.refreshPause, let profile = target.profile, !context.verbosity.verbose,
      tally.isFirstWarning(about: profile.name)
    else { return }
    let event = AuthEvent.refusedAgain(status: response.status, pause: pause.seconds)
    Trace(context).events(.warning("profile \(profile.name): \(event)"))
  }

  private static func parsed(_ line: BatchLines.Line, _ number: Int) throws(AuthError) -> BatchLine? {
    do throws(BatchLineError) {
      guard case .text(let bytes) = line else { throw BatchLineError("it is longer than 16 MiB") }
      return try BatchLine(bytes)
    } catch {
      throw .usage(
        .init("line \(number) of the batch", why: error.why, hint: "write a URL, a path, or {\"url\": \"…\", …}"))
    }
  }

  private static func explained(_ error: any Error, _ target: CallTarget?) -> any Error {
    guard let target else { return error }
    if case TransportError.responseTooLarge = error {
      return AuthError.failed(
        .init(
          "calling \(target.url)", why: "the response is longer than 64 MiB, the limit of a batch",
          hint: "call it alone: authctl call -o FILE URL"))
    }
    return CallFailure(target).explaining(error)
  }
}

/// How the lines of a batch have ended.
final class BatchSummary: Sendable {
  private struct Count {
    var lines = 0
    var failed = 0
    var worst = ExitStatus.ok
    var warned: Set<ProfileName> = []
  }

  private let count = Mutex(Count())

  /// Takes note of the end of a line.
  func add(_ status: ExitStatus) {
    count.withLock { count in
      count.lines += 1
      if status != .ok { count.failed += 1 }
      count.worst = [count.worst, status].worst
    }
  }

  /// Whether this is the first warning about a profile.
  func isFirstWarning(about profile: ProfileName) -> Bool {
    count.withLock { $0.warned.insert(profile).inserted }
  }

  /// What is to be told at the end; nil where nothing has failed.
  var report: ErrorReport? {
    count.withLock { count in
      guard count.worst != .ok else { return nil }
      var report = ErrorReport(
        count.worst, "the batch: \(count.failed) of \(count.lines) requests failed",
        "see their lines, members 'status' and 'error'")
      report.isOfTransfer = [.http, .tryLater, .failed].contains(count.worst)
      return report
    }
  }
}
