import AuthCore
import HTTPTypes

/// One request and its response, as libcurl's callbacks see them; it stays on the thread that runs the transfer.
final class TransferState {
  /// The request.
  let transfer: Transfer
  /// Holds the request back until the credential is there.
  let gate: CredentialGate
  /// Tells whether the task was cancelled.
  let job: TransferTask

  /// The first failure on our side, which is why the transfer was stopped.
  var failure: (any Error)?
  /// Whether the connection stood idle for so long that it must be looked at again before it is used.
  var isStale = false
  /// Whether the response is a 417, after which libcurl may retry without `Expect`. It does so unless the connection
  /// ends with the response; until that is known, the 417 is not treated as the final response (RFC 9110, section
  /// 10.1.1).
  var isInDoubt = false
  /// How many bytes of the request's body have been handed out.
  var sent: Int64 = 0

  private let clock = ContinuousClock()
  private var deadline: ContinuousClock.Instant?
  private var reader = ResponseReader()
  private var sink = ResponseBodyWriter()
  private var isSatisfied = false
  private var nextProgress = ContinuousClock().now

  /// Starts the time limit.
  init(_ transfer: Transfer, gate: CredentialGate, job: TransferTask) {
    self.transfer = transfer
    self.gate = gate
    self.job = job
    deadline = transfer.network.timeout.map { clock.now + $0 }
  }

  /// Does something whose time doesn't count against the time limit; how long it took.
  func untimed(_ work: () -> Void) -> Duration {
    let took = clock.measure(work)
    deadline = deadline?.advanced(by: took)
    return took
  }

  /// Says how long the transfer may wait for the network before it asks again, in milliseconds; nil stops it.
  func patience() -> Int? {
    guard failure == nil, !isSatisfied, !job.isCancelled else { return nil }
    guard let deadline else { return 1000 }
    let left = clock.now.duration(to: deadline)
    guard left > .zero else {
      let limit = transfer.network.timeout ?? .zero
      failure = TransportError.timedOut(
        detail: "\(transfer.url.origin.host): no complete response within \(limit), got \(sink.count) bytes")
      return nil
    }
    return min(1000, left.milliseconds)
  }

  /// Takes a line of a header or a trailer; false stops the transfer.
  func receive(line: [UInt8]) -> Bool {
    let isComplete = reader.take(line)
    guard !reader.hasTooLargeHeader else {
      failure = TransportError.headerTooLarge(limit: ResponseReader.headerLimit)
      return false
    }
    guard isComplete else {
      guard reader.hasTooMuchTrailer else { return true }
      failure = TransportError.broken(detail: "\(transfer.url.origin.host): the response's trailers do not end")
      return false
    }
    isInDoubt = reader.response.status == 417 && transfer.body != nil
    return isInDoubt || begin()
  }

  /// Asks where the response's body goes.
  private func begin() -> Bool {
    isInDoubt = false
    return attempt {
      sink.destination = try transfer.destination(reader.response)
      // libcurl can't send a body with HEAD, so it was told of another method and would wait for a response's body.
      isSatisfied = transfer.method == .head && transfer.body != nil
      return !isSatisfied
    }
  }

  /// Takes a part of the response's body; false stops the transfer.
  func receive(_ part: RawSpan) -> Bool {
    guard !isInDoubt || begin() else { return false }
    do {
      isSatisfied = try !sink.take(part, for: job)
    } catch {
      failure = failure ?? error
    }
    return !isSatisfied && failure == nil
  }

  /// Says what came of the transfer.
  ///
  /// - Throws: the reason why there is no whole response.
  func response(after ending: CurlResult) throws -> TransferResponse {
    if let report = transfer.report { report(self.report(after: ending)) }
    if isInDoubt { _ = begin() }
    // What is held back is shown also where the response has broken off: as much as came.
    _ = attempt {
      try sink.end(isWhole: failure == nil && (ending.isSuccess || isSatisfied), for: job)
      return true
    }
    if let failure { throw failure }
    guard ending.isSuccess || isSatisfied else {
      guard !job.isCancelled else { throw CancellationError() }
      try preferCredentialFailure()
      throw ending.error(host: transfer.url.origin.host)
    }
    // libcurl is content with a header that is cut off.
    guard reader.isComplete else {
      throw TransportError.broken(detail: "\(transfer.url.origin.host): the response ended within its headers")
    }
    var response = reader.response
    response.body = sink.collected
    response.bodyCount = sink.count
    return response
  }

  private func report(after ending: CurlResult) -> TransferReport {
    var report = ending.report ?? TransferReport(of: transfer)
    report.response = reader.response
    return report
  }

  /// Says whether it is time to tell how far the transfer has got.
  func isProgressDue() -> Bool {
    guard transfer.progress != nil else { return false }
    let now = clock.now
    guard now >= nextProgress else { return false }
    nextProgress = now + .milliseconds(100)
    return true
  }

  /// Runs a step that may fail; its failure stops the transfer.
  func attempt(_ step: () throws -> Bool) -> Bool {
    do {
      return try step()
    } catch {
      failure = failure ?? error
      return false
    }
  }

  /// Without a connection and without a credential: "log in" stays true when the network is back, so it is said first.
  /// It is waited for a moment only; a slow source must not hold up the news that the network is down.
  private func preferCredentialFailure() throws {
    if gate.wait(atMost: .seconds(1)) { _ = try gate.fields() }
  }
}
