import Foundation
import TestSupport
import Testing

/// `.make/quietly`, with which `make demo` builds.
@Suite("A build in one line") struct QuietlyTests {
  private static let script = GeneratedFilesTests.top.appending(path: ".make/quietly").path
  private static let build = "seq 1 30; echo warning >&2"

  @Test("prints one line where there is no terminal, and keeps what the command prints")
  func noTerminal() throws {
    let directory = try TemporaryDirectory()
    let log = directory.url.appending(path: "logs/build.log").path
    let outcome = try Tool.run([Self.script, log, "sh", "-c", Self.build])
    #expect(outcome == Tool.Outcome(status: 0, output: "building; the compiler's lines are in \(log)\n", errors: ""))
    #expect(try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").count == 31)
  }

  @Test("prints the end of a failed command's lines and the path of all, with its status")
  func failure() throws {
    let directory = try TemporaryDirectory()
    let log = directory.url.resolvingSymlinksInPath().appending(path: "build.log").path
    let outcome = try Tool.run([Self.script, log, "sh", "-c", Self.build + "; exit 3"])
    #expect(outcome.status == 3)
    let lines = outcome.errors.split(separator: "\n").map(String.init)
    let end: [String] = (12...30).map { "\($0)" }
    #expect(lines == end + ["warning", "quietly: the build failed with 3; all that it printed: \(log)"])
  }

  @Test("draws one line again and again on a terminal, no wider than it, and none at the end")
  func terminal() throws {
    let directory = try TemporaryDirectory()
    let log = directory.url.appending(path: "build.log").path
    let line = "stty cols 9; \(Self.script) \(log) sh -c 'echo one; echo 1234567890'"
    let outcome = try Tool.run(["script", "--quiet", "--return", "--command", line, "/dev/null"])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output == "\r\u{1B}[Kone\r\u{1B}[K12345678\r\u{1B}[K")
  }
}
