import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("BrowserLoginRun") struct BrowserLoginRunTests {
  @Test(
    "a response of another server ends the login with status 6, and nothing is stored or written",
    arguments: [("wrong-iss", "iss"), ("missing-iss", "iss")])
  func wrongAnswers(oddity: String, word: String) async throws {
    let place = try Workplace()
    try await place.lab.change(#"{"authorization_oddity":"\#(oddity)"}"#)
    let outcome = try await place.run(place.browserLogin(["--timeout", "600s"]), browser: place.browser())
    outcome.expect(6)
    #expect(outcome.error.contains(word), "\(outcome.error)")
    #expect(try await place.lab.count("token") == 0)
    #expect(try place.stored() == nil)
    #expect(!FileManager.default.fileExists(atPath: place.file().path))
  }

  @Test("a server that grants less than was asked: a warning names what is missing (real-servers.md, 11, 14)")
  func lessScope() async throws {
    let place = try Workplace()
    try await place.lab.change(#"{"granted_scope":"openid"}"#)
    let outcome = try await place.run(place.browserLogin(), browser: place.browser())
    outcome.expect(0, error: "warning", "did not grant: api")
    #expect(try place.pair().string("scope") == "openid")
  }

  @Test("a server that requires a nonce gets one (real-servers.md, 12)")
  func nonce() async throws {
    let place = try Workplace()
    try await place.lab.change(#"{"require_nonce":true}"#)
    let outcome = try await place.run(place.browserLogin(), browser: place.browser())
    outcome.expect(0)
  }

  @Test("a new login revokes the refresh token of the former one")
  func newLogin() async throws {
    let place = try Workplace()
    #expect(try await place.run(place.browserLogin(), browser: place.browser()).status == 0)
    let old = try #require(try place.pair().string("refresh_token"))
    #expect(try await place.run(["login", "work"], browser: place.browser()).status == 0)
    let form = [(name: "grant_type", value: "refresh_token"), ("refresh_token", old), ("client_id", "cli")]
    #expect(try await place.lab.post("/token", form: form).string("error") == "invalid_grant")
    #expect(try await place.lab.count("revoke.ok") > 0)
    #expect(try await place.run("call", "me").status == 0)
  }

  @Test("an error without state does not end the login, and is mentioned at the limit: status 5 (real-servers.md, 14)")
  func denialWithoutState() async throws {
    let place = try Workplace()
    try await place.lab.change(#"{"authorization_oddity":"missing-state"}"#)
    var browser = place.browser(.deny)
    let page = Mutex("")
    browser.onPage = { shown in page.withLock { $0 = shown.text } }
    // The browser must have come before the time is over, which it does later on a busy machine.
    var outcome: Outcome
    var seconds = 1
    repeat {
      outcome = try await place.run(place.browserLogin(["--timeout", "\(seconds)s"]), browser: browser)
      outcome.expect(5)
      seconds *= 4
    } while !outcome.error.contains("ignored an error") && seconds < 100
    #expect(
      outcome.error.contains("ignored an error without state (access_denied), which any page can send"),
      "\(outcome.error)")
    #expect(outcome.error.contains("an error without state was ignored: access_denied"), "\(outcome.error)")
    #expect(page.withLock(\.self).contains("<h1>No proof that this is your login</h1>"))
  }

  @Test("a response with a code twice ends the login with status 6: nothing is exchanged or stored")
  func twoCodes() async throws {
    let place = try Workplace()
    let outcome = try await place.run(place.browserLogin(["--timeout", "600s"]), browser: place.browser(.repeatCode))
    outcome.expect(6, error: "the response has code twice")
    #expect(try await place.lab.count("token") == 0)
    #expect(try place.stored() == nil)
  }
}
