import AuthCore
import Foundation
import TestSupport
import Testing

@testable import AuthctlCLI

@Suite("WatchEvent") struct WatchEventTests {
  /// A pair of a session; `token` stands for its access token, `number` for its last change.
  func pair(_ token: String, number: Int?, session: String? = "one", refused: Bool = false) -> TokenPair {
    var pair = TokenPair(accessToken: Secret(token), refreshToken: Secret("r"), issuedAt: .sample)
    pair.sessionID = session
    pair.change = number.map { TokenPair.Change(number: $0, process: RefreshingProcess(pid: Int32($0 * 10))) }
    if refused { pair.lastError = .init(error: "invalid_grant", at: .sample, final: true) }
    return pair
  }

  /// The same pair after the API has refused its access token, too.
  func dead(_ pair: TokenPair, number: Int) -> TokenPair {
    var pair = pair
    pair.accessTokenRefusedAt = .sample
    pair.change = TokenPair.Change(number: number, process: RefreshingProcess(pid: 9))
    return pair
  }

  @Test("the last change is the event, and the others are counted")
  func kinds() {
    let first = pair("a", number: 4)
    #expect(WatchEvent(from: first, to: first) == nil)
    #expect(WatchEvent(from: nil, to: nil) == nil)
    #expect(WatchEvent(from: first, to: nil) == WatchEvent(.loggedOut))
    #expect(WatchEvent(from: nil, to: pair("a", number: 1)) == WatchEvent(.loggedIn, process: 10))
    #expect(WatchEvent(from: nil, to: pair("a", number: 3)) == WatchEvent(.loggedIn, process: 30, skipped: 2))
    #expect(WatchEvent(from: first, to: pair("b", number: 5)) == WatchEvent(.refreshed, process: 50))
    #expect(WatchEvent(from: first, to: pair("b", number: 7)) == WatchEvent(.refreshed, process: 70, skipped: 2))
    #expect(
      WatchEvent(from: first, to: pair("b", number: 5, session: "two")) == WatchEvent(.loggedIn, process: 50))
    #expect(
      WatchEvent(from: first, to: pair("b", number: 2, session: "two"))
        == WatchEvent(.loggedIn, process: 20, skipped: 1), "a session after a logout counts from 1 again")
  }

  @Test("a refused refresh token is login_required once, and not again if the API refuses the access token, too")
  func refusals() {
    let refused = pair("a", number: 5, refused: true)
    #expect(WatchEvent(from: pair("a", number: 4), to: refused) == WatchEvent(.loginRequired, process: 50))
    #expect(WatchEvent(from: refused, to: refused) == nil)
    #expect(WatchEvent(from: refused, to: dead(refused, number: 6)) == nil)
    #expect(
      WatchEvent(from: pair("a", number: 4), to: dead(refused, number: 5)) == WatchEvent(.loginRequired, process: 9))
    #expect(
      WatchEvent(from: pair("a", number: 4), to: pair("b", number: 6, refused: true))
        == WatchEvent(.loginRequired, process: 60, skipped: 1))
  }

  @Test("a version that does not count changes is understood")
  func uncounted() {
    #expect(WatchEvent(from: pair("a", number: nil), to: pair("b", number: nil)) == WatchEvent(.refreshed))
    #expect(WatchEvent(from: pair("a", number: 7), to: pair("b", number: nil)) == WatchEvent(.refreshed))
    #expect(WatchEvent(from: pair("a", number: nil), to: pair("b", number: 1))?.skipped == 0)
  }

  @Test("a stored password has no session and is a login")
  func password() throws {
    func stored(_ text: String) -> TokenPair {
      TokenPair(accessToken: Secret(text), tokenType: "Basic", issuedAt: .sample)
    }
    #expect(WatchEvent(from: stored("a"), to: stored("a")) == nil)
    #expect(WatchEvent(from: stored("a"), to: stored("b")) == WatchEvent(.loggedIn))
  }

  @Test(
    "the text of a remaining time changes with its smaller unit",
    arguments: [(0.5, 0.5), (59.25, 0.25), (3599.0, 0.0), (3661.0, 1.0), (90007.0, 7.0)])
  func untilNextChange(left: Double, pause: Double) {
    #expect(abs(WatchOutput.untilNextChange(of: left) - pause - 0.02) < 0.001)
  }

  @Test("the lines of a text on a terminal: longer ones are broken, colours take no room")
  func lines() {
    #expect(WatchOutput.lines(of: "abc\nabcd\nabcde\n", columns: 4) == 4)
    #expect(WatchOutput.lines(of: "\u{1B}[1;33mabcd\u{1B}[0m\n", columns: 4) == 1)
  }
}
