import Foundation
import Testing

@testable import AuthCore

@Suite("RecentFailure")
struct RecentFailureTests {
  /// A failure that was left so many seconds ago, as another process reads it.
  private func failure(ago: Double, _ error: AuthError) throws -> RecentFailure {
    let failure = try #require(RecentFailure(error, rest: 60, lostResponse: nil))
    var object = try #require(
      try JSONSerialization.jsonObject(with: JSONEncoder().encode(failure)) as? [String: Any])
    var failedAt = try #require(object["failedAt"] as? [String: Any])
    failedAt["seconds"] = try #require(failedAt["seconds"] as? Double) - ago
    object["failedAt"] = failedAt
    return try JSONDecoder().decode(RecentFailure.self, from: JSONSerialization.data(withJSONObject: object))
  }

  @Test(
    "the time since the request is subtracted from the time to wait",
    arguments: [(2.1, 5.0, 3.0), (0.0, 5, 5), (10, 5, 1), (70, 130, 60)])
  func waiting(ago: Double, wait: Double, left: Double) throws {
    // The text stays as it is, whatever it says.
    let hint = "the tokens are kept, in 5s and in 2m 10s too"
    let error = AuthError.tryLater(.init("refreshing", why: "503", hint: hint, remedy: .tryAgain(after: wait)))
    let now = try #require(BootTime.now)
    let begin = BootTime(id: now.id, seconds: now.seconds - 1000)
    let shared = try #require(try failure(ago: ago, error).shared(since: begin))
    #expect(shared.explanation.hint == hint)
    #expect(shared.explanation.remedy == .tryAgain(after: left))
    let asked = ago < 1 ? "just now" : "\(DurationText.describe(ago)) ago"
    #expect(shared.explanation.why == "503 (asked \(asked))")
  }

  @Test("a failure without a time keeps its remedy")
  func noTime() throws {
    let error = AuthError.tryLater(.init("refreshing", why: "no network", remedy: .tryAgain(after: nil)))
    #expect(try failure(ago: 2.1, error).shared(since: nil)?.explanation.remedy == .tryAgain(after: nil))
  }
}
