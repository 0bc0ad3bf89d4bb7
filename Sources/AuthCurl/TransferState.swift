import AuthCore
import HTTPTypes
import Synchronization

/// One request and its response, as libcurl's callbacks see them; it stays on the thread that runs the transfer.
final class TransferState {
  /// The request.
  let transfer: Transfer
  /// Holds the request back until the credential is available.
  let gate: CredentialGate
  /// The task that waits for the response; knows if it was cancelled.
  let job: TransferTask

  /// The first local failure, which is why the transfer was stopped.
  var failure: (any Error)?
  /// Whether the connection was idle for so long that it must be checked again before it is used.
  var isStale = false
  /// Whether the response is a 417, after which libcurl may retry without `Expect`. It does so unless the connection
  /// ends with the response; until that is known, the 417 is not treated as the final response (RFC 9110, section
  /// 10.1.1).
  var isInDoubt = false
  /// The number of bytes of the request's body passed to libcurl.
  var sent: Int64 = 0

  // What libcurl waits for, if bytes of the request's body are not there yet.
  private var arrival: Arrival?
  private let clock = ContinuousClock()
  private var deadline: ContinuousClock.Instant?
  private var reader: ResponseReader
  private var handler = ResponseBodyWriter()
  private var isSatisfied = false
  private var isObserved = true
  private var nextProgress: ContinuousClock.Instant?

  /// Creates the state and starts the timeout.
  ///
  /// - Parameter latest: the header of the response before.
  init(_ transfer: Transfer, gate: CredentialGate, job: TransferTask, after latest: LatestHeader = LatestHeader()) {
    self.transfer = transfer
    reader = ResponseReader(after: latest)
    self.gate = gate
    self.job = job
    deadline = self.transfer.network.timeout.map { clock.now + $0 }
    self.transfer.begun?()
  }

  /// Whether bytes of the body have arrived; set on any thread.
  private final class Arrival: Sendable {
    let isThere = Mutex(false)
  }

  /// Whether libcurl waits for bytes of the request's body that are not there yet.
  var isBodyAwaited: Bool { arrival != nil }

  /// Pauses the request's body until bytes of it are there. The thread of the transfer is woken then.
  func pause(until bytes: BytesAwaited) {
    let arrival = Arrival()
    self.arrival = arrival
    bytes.whenThere { [job] in
      arrival.isThere.withLock { $0 = true }
      job.wake()
    }
  }

  /// Returns whether libcurl can go on with the request's body, which was paused.
  func takesUpBody() -> Bool {
    guard let arrival, arrival.isThere.withLock({ $0 }) else { return false }
    self.arrival = nil
    return true
  }

  /// Runs work whose time does not count against the timeout; returns how long it took.
  func untimed(_ work: () -> Void) -> Duration {
    let took = clock.measure(work)
    deadline = deadline?.advanced(by: took)
    return took
  }

  /// Returns how long the transfer may wait for the network until the next check, in milliseconds; nil stops it.
  func patience(at now: ContinuousClock.Instant = .now) -> Int? {
    guard failure == nil, !isSatisfied, !job.isCancelled else { return nil }
    guard let deadline else { return 1000 }
    let left = now.duration(to: deadline)
    guard left > .zero else {
      let limit = transfer.network.timeout ?? .zero
      failure = TransportError.timedOut(
        detail: "\(transfer.url.origin.host): no complete response within \(limit), got \(handler.count) bytes")
      return nil
    }
    return min(1000, left.milliseconds)
  }

  /// Handles a line of a header or a trailer; false stops the transfer.
  func receive(line: Span<UInt8>) -> Bool {
    let isComplete = reader.take(line)
    guard !reader.hasTooLargeHeader else {
      failure = TransportError.headerTooLarge(limit: ResponseReader.headerLimit)
      return false
    }
    guard !reader.hasTooManyLines else {
      let host = transfer.url.origin.host
      failure = TransportError.broken(
        detail: "\(host): the response's header has more than \(ResponseReader.lineLimit) lines")
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

  /// Gets the destination of the response's body.
  private func begin() -> Bool {
    isInDoubt = false
    return attempt {
      handler.destination = try transfer.destination(reader.response)
      // libcurl can't send a body with HEAD, so it was given another method and would wait for a response body.
      isSatisfied = transfer.method == .head && transfer.body != nil
      return !isSatisfied
    }
  }

  /// Handles a part of the response's body; false stops the transfer.
  func receive(_ part: RawSpan) -> Bool {
    guard !isInDoubt || begin() else { return false }
    show(part)
    do {
      isSatisfied = try !handler.take(part, for: job)
    } catch {
      failure = failure ?? error
    }
    return !isSatisfied && failure == nil
  }

  /// Passes a part of the response's body to the observer of the transfer, as long as it wants more.
  private func show(_ part: RawSpan) {
    guard isObserved, let received = transfer.received else { return }
    var bytes: [UInt8] = []
    part.append(to: &bytes)
    isObserved = received(bytes)
  }

  /// Returns the response after the transfer has ended.
  ///
  /// - Throws: the reason why there is no complete response.
  func response(after ending: CurlResult) throws -> TransferResponse {
    if let report = transfer.report { report(self.report(after: ending)) }
    if isInDoubt { _ = begin() }
    // The held-back part is shown even if the response is incomplete.
    _ = attempt {
      try handler.end(isWhole: failure == nil && (ending.isSuccess || isSatisfied), for: job)
      return true
    }
    if let failure { throw failure }
    guard ending.isSuccess || isSatisfied else {
      guard !job.isCancelled else { throw CancellationError() }
      try preferCredentialFailure()
      throw ending.error(host: transfer.url.origin.host)
    }
    // libcurl accepts a truncated header.
    guard reader.isComplete else {
      throw TransportError.broken(detail: "\(transfer.url.origin.host): the response ended within its headers")
    }
    var response = reader.response
    response.body = handler.collected
    response.bodyCount = handler.count
    return response
  }

  private func report(after ending: CurlResult) -> TransferReport {
    var report = ending.report ?? TransferReport(of: transfer)
    report.response = reader.response
    return report
  }

  /// Returns whether it is time to report the progress.
  func isProgressDue() -> Bool {
    guard transfer.progress != nil else { return false }
    let now = clock.now
    guard now >= nextProgress ?? now else { return false }
    nextProgress = now + .milliseconds(100)
    return true
  }

  /// Runs a step that may fail; a failure stops the transfer.
  func attempt(_ step: () throws -> Bool) -> Bool {
    do {
      return try step()
    } catch {
      failure = failure ?? error
      return false
    }
  }

  /// Throws the credential's error if both the connection and the credential have failed: "log in" still applies when
  /// the network is back. Waits for the source, which has its own timeouts: the error must not depend on which of the
  /// two was faster.
  private func preferCredentialFailure() throws {
    gate.wait()
    _ = try gate.fields()
  }
}
