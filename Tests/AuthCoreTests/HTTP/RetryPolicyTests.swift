import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import AuthCore

@Suite("RetryPolicy") struct RetryPolicyTests {
  private func pause(
    _ policy: RetryPolicy, _ outcome: TransferOutcome, _ method: HTTPRequest.Method = .get, failures: Int = 0,
    elapsed: Duration = .zero, chance: Double = 1
  ) -> Duration? {
    policy.pause(
      after: outcome, of: method, failures: failures, elapsed: elapsed, now: .sample, chance: chance)
  }

  private func response(_ status: Int, _ fields: HTTPFields = [:]) -> TransferOutcome {
    .response(.made(status, fields: fields))
  }

  private static let unreachable = TransferOutcome.failure(.unreachable(detail: ""))

  @Test(
    "transient failures",
    arguments: [
      (.failure(.unresolved(host: "", detail: "")), true, true), (.failure(.unreachable(detail: "")), true, true),
      (.failure(.timedOut(detail: "")), true, true), (.failure(.broken(detail: "")), true, true),
      (.failure(.tls(detail: "")), false, true), (.failure(.responseTooLarge(limit: 1)), false, false),
      (.failure(.localFile(detail: "")), false, false), (.failure(.outputClosed), false, false),
      (.failure(.unusable(detail: "")), false, false), (.response(.made(200)), false, false),
      (.response(.made(302)), false, false), (.response(.made(400)), false, true), (.response(.made(401)), false, true),
      (.response(.made(404)), false, true), (.response(.made(408)), true, true), (.response(.made(429)), true, true),
      (.response(.made(500)), true, true), (.response(.made(501)), false, true), (.response(.made(502)), true, true),
      (.response(.made(503)), true, true), (.response(.made(504)), true, true), (.response(.made(505)), false, true),
    ] as [(TransferOutcome, Bool, Bool)])
  func transient(outcome: TransferOutcome, isTransient: Bool, isError: Bool) {
    var policy = RetryPolicy(limit: 1)
    #expect((pause(policy, outcome) != nil) == isTransient)
    policy.includesAllErrors = true
    #expect((pause(policy, outcome) != nil) == isError)
  }

  @Test(
    "only methods that do no harm twice are repeated (RFC 9110, section 9.2.2)",
    arguments: [
      (.get, true), (.head, true), (.options, true), (.trace, true), (.put, true), (.delete, true), (.post, false),
      (.patch, false),
    ] as [(HTTPRequest.Method, Bool)])
  func methods(method: HTTPRequest.Method, isRepeated: Bool) {
    var policy = RetryPolicy(limit: 1)
    for outcome in [response(503), RetryPolicyTests.unreachable] {
      #expect((pause(policy, outcome, method) != nil) == isRepeated)
    }
    policy.repeatsUnsent = true
    #expect(pause(policy, RetryPolicyTests.unreachable, method) != nil)
    #expect((pause(policy, response(503), method) != nil) == isRepeated)
    policy.repeatsAnyMethod = true
    #expect(pause(policy, response(503), method) != nil)
  }

  @Test("after so many failures it is over", arguments: [0, 1, 3])
  func limit(limit: Int) {
    let given = (0..<5).map { pause(RetryPolicy(limit: limit), response(503), failures: $0) != nil }
    #expect(given == (0..<5).map { $0 < limit })
  }

  @Test(
    "the pauses double from 1 s to 10 minutes, and chance takes up to half away",
    arguments: [(0, 1), (1, 2), (2, 4), (9, 512), (10, 600), (63, 600), (1_000_000, 600)])
  func doubling(failures: Int, seconds: Int) {
    let policy = RetryPolicy(limit: .max)
    #expect(pause(policy, response(503), failures: failures, chance: 1) == .seconds(seconds))
    #expect(pause(policy, response(503), failures: failures, chance: 0) == .seconds(seconds) / 2)
  }

  @Test("a pause that is given is kept to, without chance")
  func delay() {
    let policy = RetryPolicy(limit: 9, delay: .seconds(3))
    for chance in [0, 1.0] { #expect(pause(policy, response(503), failures: 5, chance: chance) == .seconds(3)) }
  }

  @Test(
    "Retry-After says how long, in seconds or as a date by the server's clock (RFC 9110, section 10.2.3)",
    arguments: [
      ("7", nil, 7), ("0", nil, nil), ("x", nil, nil), ("-1", nil, nil), ("1.5", nil, nil),
      ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:27 GMT", 10),
      ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 09:49:27 GMT", nil),
      ("Sun, 06 Nov 1994 08:49:37 GMT", nil, nil),
    ] as [(String, String?, Int?)])
  func retryAfter(value: String, date: String?, seconds: Int?) {
    var fields: HTTPFields = [.retryAfter: value]
    fields[.date] = date
    for delay in [nil, Duration.seconds(1)] {
      let policy = RetryPolicy(limit: 1, delay: delay)
      let wanted = seconds.map { Duration.seconds($0) }
      #expect(pause(policy, response(503, fields), chance: 0) == wanted ?? delay ?? .milliseconds(500))
      // A little later, so that not all come back at the same moment.
      #expect(pause(policy, response(503, fields), chance: 1) == wanted.map { $0 * 1.1 } ?? delay ?? .seconds(1))
    }
  }

  @Test("a date without the server's clock is taken by ours")
  func dateAlone() throws {
    let text = "Sun, 06 Nov 1994 08:49:37 GMT"
    let now = try #require(HTTPDate.parse(text)).addingTimeInterval(-20)
    let given = RetryPolicy(limit: 1).pause(
      after: response(429, [.retryAfter: text]), of: .get, failures: 0, elapsed: .zero, now: now, chance: 0)
    #expect(given == .seconds(20))
  }

  @Test(
    "a Retry-After that is too long ends it",
    arguments: [
      ("600", nil, true), ("601", nil, false), ("99999999999999999999", nil, false), ("601", 700, true),
      ("20", 19, false), ("20", 20, true),
    ] as [(String, Int?, Bool)])
  func tooLong(value: String, maxTime: Int?, isRepeated: Bool) {
    let policy = RetryPolicy(limit: 1, maxTime: maxTime.map { .seconds($0) })
    #expect((pause(policy, response(503, [.retryAfter: value]), chance: 0) != nil) == isRepeated)
  }

  @Test("when the time is over, it is over", arguments: [(0, true), (9, true), (10, false), (11, false)])
  func maxTime(elapsed: Int, isRepeated: Bool) {
    let policy = RetryPolicy(limit: 9, maxTime: .seconds(10))
    #expect((pause(policy, response(503), elapsed: .seconds(elapsed)) != nil) == isRepeated)
    #expect(
      (pause(policy, response(503, [.retryAfter: "1"]), elapsed: .seconds(elapsed), chance: 0) != nil) == isRepeated)
  }
}
