import Foundation
import TestSupport
import Testing

@testable import AuthctlCLI

/// Compares what commands print in a terminal of 80 and of 120 columns with the files of `Tests/Terminal`.
@Suite("TerminalScreen") struct TerminalScreenTests {
  /// A screen: its name, and the commands whose output is on it.
  struct Screen: Sendable, CustomStringConvertible {
    let name: String
    let commands: [[String]]
    var description: String { name }
  }

  private static let login = [
    "login", "work", "--issuer", "https://id.example.com", "--client-id", "cli", "--api",
    "https://id.example.com/api", "--scope", "openid", "--scope", "offline_access", "--scope", "api",
  ]
  static let screens = [
    Screen(name: "login", commands: [login]),
    Screen(name: "status", commands: [["status"], ["status", "work"], ["profile", "list"]]),
    Screen(name: "inspect", commands: [["inspect", "work"]]),
    Screen(name: "doctor", commands: [["doctor", "work"]]),
    Screen(name: "profile-show", commands: [["profile", "show", "work"]]),
  ]

  /// Returns what the commands of a screen print, after a login, without what differs from run to run.
  private func text(_ screen: Screen, width: Int) async throws -> String {
    // The length of its path counts.
    let place = try Workplace(
      lab: ["--origin", "https://id.example.com", "--jwt-access-tokens"], in: URL(filePath: "/tmp"))
    var parts = Workplace.Parts()
    parts.browser = place.browser()
    var text = ""
    for words in (screen.name == "login" ? [] : [Self.login]) + screen.commands {
      let console = try FakeConsole(isTerminal: true, isOutputTerminal: true, width: width)
      let outcome = await place.run(words, at: console, environment: ["LANG": "C.UTF-8"], with: parts)
      guard screen.commands.contains(words) else {
        try place.makeProfile("other", "flow = \"browser\"")
        continue
      }
      text += "$ authctl \(words.joined(separator: " "))\n" + outcome.error + outcome.text
    }
    return Self.stable(text.replacing(place.folder.path, with: Self.home(place.folder.path.count)))
  }

  /// A folder of the same length, so that the columns stay.
  private static func home(_ length: Int) -> String {
    "/home/alice".padding(toLength: length, withPad: "e", startingAt: 0)
  }

  /// Returns a text with marks in place of what differs from run to run: ports, fingerprints, key IDs, random texts.
  private static func stable(_ text: String) -> String {
    text.replacing("\u{1B}[", with: "␛[").replacing(#/(127\.0\.0\.1(?::|%3A))[0-9]{4,5}/#) { "\($0.1)45801" }
      .replacing(#/(characters, )[0-9a-f]{8}/#) { "\($0.1)0f0f0f0f" }
      .replacing(#/(key |kid {2})[A-Za-z0-9_-]{8}/#) { "\($0.1)KeyKeyId" }
      .replacing(#/[A-Za-z0-9_-]{20,}/#) { match in
        let isRandom = match.0.contains { $0.isUppercase || $0.isNumber }
        return isRandom ? String(repeating: "x", count: match.0.count) : String(match.0)
      }
  }

  @Test("what a terminal shows is as in Tests/Terminal", arguments: screens, [80, 120])
  func fresh(screen: Screen, width: Int) async throws {
    let path = "Tests/Terminal/\(screen.name)-\(width).txt"
    let url = GeneratedFilesTests.top.appending(path: path)
    let text = try await text(screen, width: width)
    if ProcessInfo.processInfo.environment["AUTHCTL_REGENERATE"] == "1" {
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    let kept = FileManager.default.contents(atPath: url.path).map { String(decoding: $0, as: UTF8.self) }
    #expect(kept == text, "\(path): AUTHCTL_REGENERATE=1 Tests/run.sh --filter TerminalScreenTests, and look at it")
  }
}
