import AuthCore
import Foundation
import TestSupport
import Testing

@testable import AuthctlCLI

/// The colours of messages on a terminal.
@Suite("ColourRun") struct ColourRunTests {
  private func terminal() throws -> FakeConsole { try FakeConsole(isOutputTerminal: true) }
  private let environment = ["TERM": "xterm"]

  @Test("an error is red, its hint is not; a usage error, too; a pipe, NO_COLOR and --color never have no colour")
  func failure() async throws {
    let place = try Workplace()
    let none = await place.run(["call", "me"], at: try terminal(), environment: environment)
    #expect(none.error.hasPrefix("\u{1B}[31mauthctl: ") && none.error.contains("\u{1B}[0m\n  "), "\(none.error)")
    let usage = await place.run(["call", "--nonsense"], at: try terminal(), environment: environment)
    #expect(usage.error.hasPrefix("\u{1B}[31mauthctl: "), "\(usage.error)")
    for words in [["call", "me", "--color", "never"], ["call", "--nonsense", "--color=never"]] {
      let plain = await place.run(words, at: try terminal(), environment: environment)
      #expect(!plain.error.contains("\u{1B}"), "\(plain.error)")
    }
    let variable = await place.run(
      ["call", "me"], at: try terminal(), environment: ["TERM": "xterm", "NO_COLOR": "1"])
    #expect(!variable.error.contains("\u{1B}") && variable.error.hasPrefix("authctl: "))
    #expect(try await !place.run("call", "me").error.contains("\u{1B}"))
    #expect(try await place.run("call", "me", "--color", "always").error.hasPrefix("\u{1B}[31m"))
    #expect(try await !place.run("call", "me", "--color", "always", "--errors=json").error.contains("\u{1B}"))
  }

  @Test("a warning is amber, success is green")
  func tones() async throws {
    let place = try await Workplace.loggedIn()
    let refreshed = await place.run(["refresh", "work"], at: try terminal(), environment: environment)
    #expect(refreshed.error.hasPrefix("\u{1B}[32mwork: refreshed"), "\(refreshed.error)")
    let options = ["--issuer", place.lab.origin, "--client-id", "cli", "--flow", "token"]
    let login = try await place.run(
      ["login", "other", "--color", "always"] + options, input: .text(#"{"access_token":"a-token-of-a-test"}"#))
    #expect(login.error.contains("\u{1B}[33mauthctl: warning: no api is set"), "\(login.error)")
    #expect(login.error.contains("\u{1B}[32mauthctl: logged in to other"), "\(login.error)")
  }

  @Test("a text of a server can't end the colour or begin another")
  func escaped() async throws {
    let place = try Workplace()
    try place.makeProfile()
    let body = #"{"error":"invalid_grant","error_description":"\u001b[0m\u001b]0;x\u0007"}"#
    try await place.response(at: "token", "status", ["status": 400, "body": body])
    let outcome = try await place.run(
      ["login", "work", "--color", "always", "--password-stdin"], input: .text(Workplace.password))
    #expect(outcome.error.components(separatedBy: "\u{1B}").count == 3, "\(outcome.error)")
  }

  @Test(
    "-v colours a status by its class",
    arguments: [(200, "32"), (204, "32"), (302, "1"), (404, "33"), (503, "31")])
  func classes(status: Int, colour: String) async throws {
    let place = try await Workplace.loggedIn()
    try place.makeProfile("work", #"api = ["https://own.example"]"#)
    place.network.add("https://own.example") { _ in "HTTP/1.1 \(status) X\nContent-Length: 0\n\n" }
    let outcome = try await place.run("call", "-v", "--color", "always", "https://own.example/")
    #expect(outcome.error.contains("ms] \u{1B}[\(colour)m< HTTP/1.1 \(status) X\u{1B}[0m\n"), "\(outcome.error)")
    #expect(outcome.error.contains("ms] \u{1B}[32m< Content-Length: 0\u{1B}[0m\n"), "\(outcome.error)")
  }

  @Test("the URL of a login is dim if a browser has been started with it, and as always if not")
  func page() async throws {
    for (more, begin) in [([], "  \u{1B}[2mhttp"), (["--no-browser"], "  http")] {
      let place = try Workplace()
      let console = try terminal()
      var parts = Workplace.Parts()
      parts.browser = place.browser()
      let outcome = await place.run(
        place.browserLogin(more + ["--timeout", "1"]), at: console, environment: environment, with: parts)
      #expect(outcome.error.contains("\n" + begin), "\(outcome.error)")
    }
  }
}
