import HTTPTypes
import Synchronization
import Testing

@testable import AuthCore

@Suite("Deadline")
struct DeadlineTests {
  /// A clock that advances on demand.
  private final class Clock: Sendable {
    private let instant = Mutex(ContinuousClock.now)
    var now: ContinuousClock.Instant { instant.withLock { $0 } }

    func advance(by time: Duration) { instant.withLock { $0 += time } }
  }

  private let clock = Clock()

  private func limit(_ timeout: Duration?) throws -> Deadline {
    var transfer = Transfer(method: .get, url: try WebURL("https://api.example/v1"))
    transfer.network.timeout = timeout
    return Deadline(transfer, now: { [clock] in clock.now })
  }

  @Test("time goes by, and in the end there is none left")
  func end() throws {
    let limit = try limit(.seconds(2))
    #expect(try limit.left() == .seconds(2))
    clock.advance(by: .milliseconds(500))
    #expect(try limit.left() == .milliseconds(1500))
    clock.advance(by: .nanoseconds(1))
    #expect(try limit.left() == .milliseconds(1500), "in whole milliseconds, rounded up")
    clock.advance(by: .milliseconds(1500))
    #expect(throws: TransportError.timedOut(detail: "api.example: no final response within 2.0 seconds")) {
      try limit.left()
    }
  }

  @Test("an excepted operation does not count, even if it fails")
  func excepted() async throws {
    let limit = try limit(.seconds(2))
    try await limit.excepting { () throws(AuthError) in clock.advance(by: .seconds(60)) }
    let failure = AuthError.tryLater(.init("refreshing", why: "no network", hint: "later"))
    await #expect(throws: failure) {
      try await limit.excepting { () throws(AuthError) in
        clock.advance(by: .seconds(60))
        throw failure
      }
    }
    #expect(try limit.left() == .seconds(2))
  }

  @Test("without a limit there is always time")
  func unlimited() throws {
    let limit = try limit(nil)
    clock.advance(by: .seconds(1_000_000))
    #expect(try limit.left() == nil)
  }
}
