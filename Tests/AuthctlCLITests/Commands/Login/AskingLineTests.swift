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
}
