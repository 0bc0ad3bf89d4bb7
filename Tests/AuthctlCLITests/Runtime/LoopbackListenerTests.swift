import AuthCore
import Foundation
import TestSupport
import Testing

@testable import AuthctlCLI

@Suite("LoopbackListener") struct LoopbackListenerTests {
  /// A listener on any port.
  private func listener(patience: Duration = .seconds(600)) throws -> (LoopbackListener, port: UInt16) {
    let listener = try LoopbackListener([RedirectURI("http://127.0.0.1/callback")], patience: patience)
    let port = try #require(URL(string: listener.redirectURI)?.port)
    return (listener, UInt16(port))
  }

  /// Accepts any request with a code, which is the response.
  private static let verdict: @Sendable ([FormField]) -> LoopbackListener.Verdict<String> = { fields in
    fields.first { $0.name == "code" }.map { .accepted($0.value) } ?? .ignored(.empty)
  }

  private static let page = LoopbackPage.loggedIn(to: "work", as: "alice")

  @Test("a child process inherits no listener: the port is free when the listener is closed")
  func inherited() async throws {
    let (listener, port) = try listener()
    let child = try ChildProcess("sleep", ["60"], environment: [:])
    listener.close()
    try await LoopbackListener.again(at: Int(port)).close()
    child.end()
  }

  @Test("the browser gets its page when the outcome is known, and the listener ends with it")
  func outcome() async throws {
    let (listener, port) = try listener()
    async let visit = FakeBrowser.get("/callback?code=1", port: port)
    let answer = try await listener.serve(LoopbackListenerTests.verdict) { visit in
      let answer = try await visit.response(within: .seconds(600))
      await visit.show(LoopbackListenerTests.page)
      return answer
    }
    #expect(answer == "1")
    #expect(try await visit.text.contains("alice is logged in"))
    await #expect(throws: (any Error).self) { try await FakeBrowser.get("/callback?code=1", port: port) }
  }

  @Test("a page that was loaded again gets the same outcome; another response meanwhile is ignored")
  func again() async throws {
    let (listener, port) = try listener()
    async let first = FakeBrowser.get("/callback?code=1", port: port)
    let (answer, other, icon, second) = try await listener.serve(LoopbackListenerTests.verdict) { visit in
      let answer = try await visit.response(within: .seconds(600))
      // Not awaited here: a shown page ends when the listener does.
      let second = Task { try await FakeBrowser.get("/callback?code=1", port: port) }
      while await visit.waiting.count < 2 { try await Task.sleep(for: .milliseconds(1)) }
      let other = try await FakeBrowser.get("/callback?code=2", port: port)
      let icon = try await FakeBrowser.get("/favicon.ico", port: port)
      await visit.show(LoopbackListenerTests.page)
      return (answer, other, icon, second)
    }
    #expect(answer == "1" && other.status == 400 && icon.status == 404)
    #expect(other.text.contains("another login"))
    for response in [try await first, try await second.value] { #expect(response.text.contains("alice is logged in")) }
  }

  @Test("an outcome that takes too long: the browser is sent to the terminal, and the login goes on")
  func late() async throws {
    let (listener, port) = try listener(patience: .milliseconds(20))
    let browser = Task { try await FakeBrowser.get("/callback?code=1", port: port) }
    let (answer, shown) = try await listener.serve(LoopbackListenerTests.verdict) { visit in
      let answer = try await visit.response(within: .seconds(600))
      // The browser has its page before there is an outcome.
      let shown = try await browser.value
      await visit.show(LoopbackListenerTests.page)
      return (answer, shown)
    }
    #expect(answer == "1" && shown.status == 200)
    #expect(shown.text.contains("See the terminal") && !shown.text.contains("alice"), "\(shown.text)")
  }

  @Test("the browser waits for the outcome for 10 seconds at most")
  func patience() async throws {
    let listener = try LoopbackListener([RedirectURI("http://127.0.0.1/callback")])
    try await listener.serve(LoopbackListenerTests.verdict) { _ in }
    #expect(Mirror(reflecting: listener).descendant("patience") as? Duration == .seconds(10))
  }

  @Test("the login does not wait for a browser that has gone away", .timeLimit(.minutes(20)))
  func gone() async throws {
    let (listener, port) = try listener(patience: .seconds(3600))
    let connection = try LoopbackConnection(port: port)
    try connection.write(method: "GET", path: "/callback?code=1", headers: [], body: nil)
    let answer = try await listener.serve(LoopbackListenerTests.verdict) { visit in
      let answer = try await visit.response(within: .seconds(600))
      connection.close()
      await visit.show(LoopbackListenerTests.page)
      return answer
    }
    #expect(answer == "1")
  }

  @Test("without a response within the time there is none")
  func silence() async throws {
    let (listener, _) = try listener()
    let answer = try await listener.serve(LoopbackListenerTests.verdict) {
      try await $0.response(within: .milliseconds(20))
    }
    #expect(answer == nil)
  }
}
