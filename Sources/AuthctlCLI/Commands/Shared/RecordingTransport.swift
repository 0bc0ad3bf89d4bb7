import AuthCore
import HTTPTypes
import Synchronization

/// Sends requests, and records how each ended, with what its response says about the local clock.
final class RecordingTransport: HTTPTransport {
  /// The end of a request.
  struct Record: Sendable {
    /// The origin to which it was sent.
    let origin: Origin
    /// The reason why there was no response; nil if there was one.
    let error: TransportError?
    /// The clocks, by the `Date` of the response; nil if there was none, or if a cache has sent it.
    let clock: LocalClock?
  }

  private let transport: any HTTPTransport
  private let context: Context
  private let state = Mutex<[Record]>([])

  /// Creates a transport that sends by the context's, and reads its clocks.
  init(_ context: Context) {
    transport = context.transport()
    self.context = context
  }

  /// The requests that have ended, in this order.
  var records: [Record] { state.withLock(\.self) }

  /// Returns whether requests were sent to an origin, and none got a response.
  func isSilent(_ origin: Origin) -> Bool {
    let ended = records.filter { $0.origin == origin }
    return !ended.isEmpty && ended.allSatisfy { $0.error != nil }
  }

  private var reading: ClockReading { ClockReading(time: context.now(), boot: context.boot()) }

  func send(_ transfer: Transfer) async throws -> TransferResponse {
    let origin = transfer.url.origin
    let sent = reading
    do {
      let response = try await transport.send(transfer)
      // A cache repeats the time at which it got the response (RFC 9111, section 5.1).
      let date = response.fields[.age] == nil ? response.date : nil
      let clock = date.map { IssuanceClock(sent: sent, received: reading, serverDate: $0) }
      add(Record(origin: origin, error: nil, clock: clock.map { LocalClock(off: $0.serverOffset ?? 0) }))
      return response
    } catch let error as TransportError {
      add(Record(origin: origin, error: error, clock: nil))
      throw error
    }
  }

  private func add(_ record: Record) { state.withLock { $0.append(record) } }
}
