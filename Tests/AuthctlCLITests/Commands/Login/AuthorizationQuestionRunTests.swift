import Foundation
import TestSupport
import Testing

@testable import AuthctlCLI

/// A browser that does not come back to the login.
@Suite("AuthorizationQuestionRun") struct AuthorizationQuestionRunTests {
  private static var refusal: Regex<Substring> {
    /127\.0\.0\.1:\d+ refuses http:\/\/127\.0\.0\.1:\d+\/callback for client cli \(400\)/
  }

  private func requests(_ place: Workplace) async throws -> [String] {
    try await place.lab.lastRequests().map(\.target).filter { $0.hasPrefix("/authorize?") }
  }

  @Test("at the limit, the error says what the server refuses, and how to fix it: status 6")
  func limit() async throws {
    let place = try Workplace()
    try await place.lab.change(#"{"redirect_uris":["http://127.0.0.1/other"]}"#)
    let outcome = await place.run(
      place.browserLogin(["--timeout", "1s"]), at: try FakeConsole(), with: .init(browser: NotingBrowser()))
    outcome.expect(6)
    #expect(outcome.error.contains(Self.refusal), "\(outcome.error)")
    #expect(outcome.error.contains("\n  register it, or use --redirect-uri URI\n"), "\(outcome.error)")
    let sent = try await requests(place)
    #expect(sent.count == 1 && sent[0].contains("prompt=none"), "\(sent)")
    let state = try #require(outcome.error.firstMatch(of: /state=([^&\s]+)/)?.1)
    #expect(!sent[0].contains("state=\(state)&"), "a state of its own")
  }

  @Test("while the login waits, a warning says so, once; the login goes on")
  func warning() async throws {
    let place = try Workplace()
    try await place.lab.change(#"{"redirect_uris":["http://127.0.0.1/other"]}"#)
    let console = try FakeConsole()
    let browser = NotingBrowser { url in
      let isWarned: ()? = try? await place.wait(for: "the warning") { console.error.contains("warning: 127.0.0.1") }
      guard isWarned != nil, (try? await place.lab.change(#"{"redirect_uris":[]}"#)) != nil else { return false }
      return await place.browser().open(url)
    }
    let outcome = await place.run(
      place.browserLogin(["--timeout", "600s"]), at: console, with: .init(browser: browser, silenceTime: .zero))
    outcome.expect(0)
    #expect(outcome.error.matches(of: Self.refusal).count == 1, "\(outcome.error)")
    #expect(outcome.error.contains("(400): register it, or use --redirect-uri URI\n"), "\(outcome.error)")
  }

  @Test(
    "a server that refuses nothing, or can't be reached: status 5, both values are in the hint",
    arguments: [true, false])
  func nothing(isThere: Bool) async throws {
    let place = try Workplace()
    let browser = NotingBrowser { _ in
      if !isThere { place.lab.stop() }
      return true
    }
    let outcome = await place.run(
      place.browserLogin(["--timeout", "1s"]), at: try FakeConsole(), with: .init(browser: browser))
    outcome.expect(5)
    #expect(
      outcome.error.contains(/check that http:\/\/127\.0\.0\.1:\d+\/callback is registered for client cli/),
      "\(outcome.error)")
  }

  @Test("a server that fails has refused nothing: status 5 with its status")
  func failing() async throws {
    let place = try Workplace()
    try await place.response(at: "authorize", "status", ["status": 503])
    let outcome = await place.run(
      place.browserLogin(["--timeout", "1s"]), at: try FakeConsole(), with: .init(browser: NotingBrowser()))
    outcome.expect(5)
    #expect(
      outcome.error.contains(/returned 503 for http:\/\/127\.0\.0\.1:\d+\/callback and client cli/), "\(outcome.error)")
  }

  @Test("nothing is asked about a pushed request, which the server has accepted")
  func pushed() async throws {
    let place = try Workplace()
    try await place.lab.change(#"{"par":"required"}"#)
    let outcome = await place.run(
      place.browserLogin(["--timeout", "1s"]), at: try FakeConsole(), with: .init(browser: NotingBrowser()))
    outcome.expect(5)
    #expect(try await requests(place).isEmpty)
    #expect(try await place.lab.count("par.ok") <= 1)
  }
}
