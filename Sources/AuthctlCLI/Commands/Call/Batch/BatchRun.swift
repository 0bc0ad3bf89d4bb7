import AuthCore
import Synchronization

/// One run of `call --batch`, which sends the requests of several lines concurrently; a class, because the task of each
/// line would copy all of it.
final class BatchRun: Sendable {
  /// The time for which a token is reused without reading the keyring.
  private static let reuse = Duration.seconds(1)
  /// The size of a response, in bytes, from which it is formatted beside the other lines.
  private static let large = 64 << 10

  private let options: BatchOptions
  private let arguments: CallArguments
  private let context: Context
  private let choice: ProfileChoice
  private let requests: BatchRequests
  private let retries: CallRetries
  private let headers = LatestHeaders()
  private let tally = BatchSummary()
  private let latest = LatestTarget()
  private let first: BatchOrigin?

  /// Reads the header files, and prompts for the password of the private key.
  ///
  /// - Parameter caches: the caches in which tokens were looked up.
  /// - Throws: ``AuthError/usage(_:)``.
  init(
    _ options: BatchOptions, _ arguments: CallArguments, _ context: Context, caches: [ProfileName: TokenCache]
  ) throws(AuthError) {
    self.options = options
    self.arguments = arguments
    self.context = context
    retries = CallRetries(arguments.retry, context)
    let isGiven = arguments.authorization == .token && context.variable("AUTHCTL_ACCESS_TOKEN") != nil
    first = isGiven ? BatchOrigin() : nil
    choice = ProfileChoice(context, remembering: ReadProfiles())
    let lines = try HeaderOption.lines(arguments.headers, context)
    let senders = SenderPool(
      context, try CallSecrets(promptingFor: arguments, context), cache: arguments.cache, caches: caches,
      transport: context.parallelTransport(options.parallel), reuse: BatchRun.reuse)
    requests = BatchRequests(arguments, lines, senders)
  }

  /// Sends the requests of the lines and prints their results.
  func run() async throws -> ExitStatus {
    let input = try BatchInput(options.path, context)
    let output = BatchOutput(
      context.console.output, BatchWindow(parallel: options.parallel, isOrdered: options.isOrdered))
    try await withTaskExecutorPreference(GroupingExecutor { output.flush() }) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await self.sendAll(input, output) }
        // A closed output is noticed even while the input is idle.
        group.addTask { for try await _ in output.failures {} }
        _ = try await group.next()
        group.cancelAll()
      }
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
          first?.note { [self] in try? BatchRun.parsed(line, number).map { try target($0.address) } }
          let place = try await output.begin()
          group.addTask { [self, number] in output.end(place, await record(of: line, number)) }
        }
      } catch let error as AuthError {
        // The input can't be read any further: requests in progress are completed.
        return error
      }
      return nil
    }
    try await output.finish()
    if let failure { throw failure }
  }

  /// Returns the output for a line; empty if there is none.
  nonisolated(nonsending) private func record(of line: BatchLines.Line, _ number: Int) async -> [UInt8] {
    var target: CallTarget?
    do {
      guard let line = try BatchRun.parsed(line, number) else { return [] }
      context.redaction.hide(line.fields.map(\.name))
      let known = try targetOf(line.address)
      target = known
      let begun = Beginning()
      var request = try requests.request(line, number: number, to: known)
      request.transfer.begun = { begun.note() }
      let response = try await retries.send(
        request.transfer, by: request.sender, redirects: arguments.redirects)
      warn(of: response, from: known)
      tally.add(response.status >= 400 && !arguments.output.ignoresFailures ? .http : .ok)
      let record = BatchRecord(line: number, url: known.url, headers)
      let time = begun.time
      guard response.body.count > BatchRun.large else { return record.line(response, time: time) }
      // Others are not kept waiting by a long response.
      return await withTaskExecutorPreference(globalConcurrentExecutor) { record.line(response, time: time) }
    } catch is CancellationError {
      return []
    } catch {
      let report = ErrorReport(explained(error, target)).about(target?.profile?.name.string, context)
      tally.add(report.status)
      return BatchRecord(line: number, url: target?.url).line(report.named(context.program))
    }
  }

  /// Returns the target for the address of a line. For a URL of the same origin as the one before, only the URL is new.
  private func targetOf(_ address: String) throws(AuthError) -> CallTarget {
    if let target = latest.target.withLock({ $0 })?.with(address) { return target }
    let target = try target(address)
    try first?.check(target)
    latest.target.withLock { $0 = target }
    return target
  }

  private func target(_ address: String) throws(AuthError) -> CallTarget {
    try CallTarget(address, arguments, choice, context)
  }

  /// Warns once per profile, not once per line, that a refresh does not help against a refused token.
  private func warn(of response: TransferResponse, from target: CallTarget) {
    guard let pause = response.refreshPause, let profile = target.profile, !context.verbosity.verbose,
      tally.isFirstWarning(about: profile.name)
    else { return }
    let event = AuthEvent.refusedAgain(status: response.status, pause: pause.seconds)
    VerboseLog(context).events(.warning("profile \(profile.name): \(event)"))
  }

  private static func parsed(_ line: BatchLines.Line, _ number: Int) throws(AuthError) -> BatchLine? {
    do throws(BatchLineError) {
      guard case .text(let bytes) = line else { throw BatchLineError("it is longer than 16 MiB") }
      return try BatchLine(bytes)
    } catch {
      throw .usage("line \(number) of the batch", why: error.why, hint: "write a URL, a path, or {\"url\": \"…\", …}")
    }
  }

  private func explained(_ error: any Error, _ target: CallTarget?) -> any Error {
    guard let target else { return error }
    if case TransportError.responseTooLarge = error {
      return AuthError.failed(
        "calling \(target.url)", why: "the response is longer than 64 MiB, the limit of a batch",
        hint: "call it alone: authctl call \(arguments.profile.repeatedOption)-o FILE URL")
    }
    return CallFailure(target).explaining(error)
  }
}

/// The target of the line before.
private final class LatestTarget: Sendable {
  let target = Mutex<CallTarget?>(nil)
}

/// The only origin that a token of `AUTHCTL_ACCESS_TOKEN` without a profile is sent to: that of the first line.
private final class BatchOrigin: Sendable {
  private let origin = Mutex<Origin?>(nil)

  /// Takes the origin of a line, unless an earlier line had one.
  func note(_ target: () -> CallTarget?) {
    origin.withLock { $0 = $0 ?? target()?.url.origin }
  }

  /// - Throws: ``AuthError/origin(_:)`` if the token of a target may not be sent there.
  func check(_ target: CallTarget) throws(AuthError) {
    guard case .given = target.credential, target.profile == nil, let own = origin.withLock({ $0 }),
      target.url.origin != own
    else { return }
    throw .origin(
      "calling \(target.url)",
      why: "AUTHCTL_ACCESS_TOKEN is for the origin of the first line, \(own): token not sent",
      hint: "run a batch for each origin, or name a profile whose api has them")
  }
}

/// The time when the first request of a line was sent.
private final class Beginning: Sendable {
  private let first = Mutex<ContinuousClock.Instant?>(nil)

  /// Records that a request is sent.
  func note() { first.withLock { $0 = $0 ?? .now } }

  /// The time since the first request; zero if there was none.
  var time: Duration { first.withLock { $0?.duration(to: .now) ?? .zero } }
}

/// Counts the results of the lines of a batch.
final class BatchSummary: Sendable {
  private struct Count {
    var lines = 0
    var failed = 0
    var worst = ExitStatus.ok
    var warned: Set<ProfileName> = []
  }

  private let count = Mutex(Count())

  /// Records the result of a line.
  func add(_ status: ExitStatus) {
    count.withLock { count in
      count.lines += 1
      if status != .ok { count.failed += 1 }
      count.worst = [count.worst, status].worst
    }
  }

  /// Returns whether this is the first warning about a profile.
  func isFirstWarning(about profile: ProfileName) -> Bool {
    count.withLock { $0.warned.insert(profile).inserted }
  }

  /// The error to report at the end; nil if no line has failed.
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
