import AuthCore
import HTTPTypes
import Synchronization

/// Records how each request ended, with what its response says about the local clock.
final class RequestLog: Sendable {
  /// The end of a request.
  struct Record: Sendable {
    /// The origin to which it was sent.
    let origin: Origin
    /// The reason why there was no response; nil if there was one.
    var error: TransportError?
    /// The clocks, by the `Date` of the response; nil if there was none, or if a cache has sent it.
    var clock: LocalClock?
  }

  private let context: Context
  private let state = Mutex<[Record]>([])

  /// Creates an empty log, which reads the clocks of a context.
  init(_ context: Context) { self.context = context }

  /// The requests that have ended, in this order.
  var records: [Record] { state.withLock(\.self) }

  /// Returns whether requests were sent to an origin, and none got a response.
  func isSilent(_ origin: Origin) -> Bool {
    let ended = records.filter { $0.origin == origin }
    return !ended.isEmpty && ended.allSatisfy { $0.error != nil }
  }

  /// Records each request that it observes.
  var observer: TransferObserver {
    { [self] observed in
      let sent = reading
      return TransferView(ended: { [self] in add($0.outcome, of: observed.transfer.url.origin, sent: sent) })
    }
  }

  private var reading: ClockReading { ClockReading(time: context.now(), boot: context.boot()) }

  private func add(_ outcome: Result<TransferResponse, any Error>?, of origin: Origin, sent: ClockReading) {
    var record = Record(origin: origin)
    switch outcome {
    case .success(let response):
      // A cache repeats the time at which it got the response (RFC 9111, section 5.1).
      let date = response.fields[.age] == nil ? response.date : nil
      let clock = date.map { IssuanceClock(sent: sent, received: reading, serverDate: $0) }
      record.clock = clock.map { LocalClock(off: $0.serverOffset ?? 0) }
    case .failure(let error as TransportError): record.error = error
    case .failure, nil: return
    }
    state.withLock { $0.append(record) }
  }
}
