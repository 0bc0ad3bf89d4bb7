import Foundation
import TestSupport
import Testing

@testable import AuthctlCLI

@Suite("AskingLine") struct AskingLineTests {
  @Test("the line has the host and the time; a narrow terminal cuts it")
  func text() {
    #expect(AskingLine.text("id.example.com", .milliseconds(9900), 80) == "Asking id.example.com … 9 s")
    #expect(AskingLine.text("id.example.com", .seconds(2), 12) == "Asking id.e")
  }

  @Test("a discovery that takes a while shows which host it asks, and removes the line")
  func shown() async throws {
    let console = try FakeConsole(isOutputTerminal: true)
    let home = try TemporaryDirectory()
    var context = Context.test(home: home.url, environment: ["TERM": "xterm"], console: console)
    context.askingLineTime = .zero
    let found = await AskingLine(context).during("id.example.com") {
      // Until the line is there.
      while console.statuses.isEmpty { await Task.yield() }
      return 7
    }
    #expect(found == 7)
    let first = try #require(console.statuses.first ?? nil)
    #expect(first.wholeMatch(of: /Asking id\.example\.com … \d+ s/) != nil, "\(first)")
    #expect(try #require(console.statuses.last) == nil)
  }

  @Test("no line for a discovery that is over before, and none without a terminal")
  func notShown() async throws {
    for isTerminal in [true, false] {
      let console = try FakeConsole(isOutputTerminal: isTerminal)
      let home = try TemporaryDirectory()
      var context = Context.test(home: home.url, environment: ["TERM": "xterm"], console: console)
      context.askingLineTime = isTerminal ? .seconds(600) : .zero
      #expect(await AskingLine(context).during("id.example.com") { 7 } == 7)
      #expect(console.statuses.isEmpty)
    }
  }

  @Test("both ways of a first login show it", arguments: [["https://slow.example"], ["w", "--issuer"]])
  func login(arguments: [String]) async throws {
    let place = try Workplace()
    let console = try FakeConsole(isOutputTerminal: true)
    place.network.add("https://slow.example") { _ in
      // Without the line, the login ends with an error.
      let end = ContinuousClock.now.advanced(by: .seconds(20))
      while console.statuses.isEmpty, ContinuousClock.now < end { await Task.yield() }
      return "HTTP/1.1 404 Not Found\n\n"
    }
    var parts = Workplace.Parts()
    parts.askingLineTime = .zero
    let words = arguments.count > 1 ? arguments + ["https://slow.example", "--client-id", "cli"] : arguments
    let outcome = await place.run(["login"] + words, at: console, environment: ["TERM": "xterm"], with: parts)
    outcome.expect(6)
    let first = try #require(console.statuses.first ?? nil, "\(outcome.error)")
    #expect(first.starts(with: "Asking slow.example … "), "\(first)")
    #expect(try #require(console.statuses.last) == nil)
  }
}
