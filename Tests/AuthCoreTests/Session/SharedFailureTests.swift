import Foundation
import Testing

@testable import AuthCore

@Suite("SharedFailure")
struct SharedFailureTests {
  /// A failure that was left so many seconds ago, as another process reads it.
  private func failure(ago: Double, _ error: AuthError, retryAfter: Double?) throws -> SharedFailure {
    var failure = try #require(SharedFailure(error, rest: 60, lostAnswer: nil))
    failure.retryAfter = retryAfter
    var object = try #require(
      try JSONSerialization.jsonObject(with: JSONEncoder().encode(failure)) as? [String: Any])
    var failedAt = try #require(object["failedAt"] as? [String: Any])
    failedAt["seconds"] = try #require(failedAt["seconds"] as? Double) - ago
    object["failedAt"] = failedAt
    return try JSONDecoder().decode(SharedFailure.self, from: JSONSerialization.data(withJSONObject: object))
  }

  @Test(
    "what has passed since the server was asked is taken from the time to wait",
    arguments: [(2.1, 5.0, "in 3s"), (0.0, 5, "in 5s"), (10, 5, "in 1s"), (70, 130, "in 1m")])
  func waiting(ago: Double, retryAfter: Double, expected: String) throws {
    let error = AuthError.tryLater(
      .init("renewing", why: "503", hint: "the tokens are kept; try again \(RetryAfter.words(retryAfter))"))
    let now = try #require(BootTime.now)
    let begin = BootTime(id: now.id, seconds: now.seconds - 1000)
    let shared = try #require(try failure(ago: ago, error, retryAfter: retryAfter).shared(since: begin))
    #expect(shared.explanation.hint == "the tokens are kept; try again \(expected)")
    let asked = ago < 1 ? "just now" : "\(DurationText.describe(ago)) ago"
    #expect(shared.explanation.why == "503 (asked \(asked))")
  }

  @Test("a failure without a time keeps its hint")
  func noTime() throws {
    let error = AuthError.tryLater(.init("renewing", why: "no network", hint: "try again later"))
    let shared = try failure(ago: 2.1, error, retryAfter: nil).shared(since: nil)
    #expect(shared?.explanation.hint == "try again later")
  }
}
