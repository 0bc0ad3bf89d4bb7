import Synchronization
import SystemPackage

@testable import AuthctlCLI

/// A console that keeps what is written to it. Its input is no terminal and ends at once.
final class FakeConsole: Console {
  private let state = Mutex(State())

  private struct State {
    var written = ""
    var error = ""
    var questions: [String] = []
  }

  /// All of standard output.
  var written: String { state.withLock(\.written) }
  /// All of standard error.
  var error: String { state.withLock(\.error) }
  /// The lines of standard error.
  var errorLines: [String] { error.split(separator: "\n").map(String.init) }
  /// What was asked at the terminal.
  var questions: [String] { state.withLock(\.questions) }

  /// Which standard streams are terminals.
  let terminals: Terminals
  let input: FileDescriptor
  let output = FileDescriptor.standardOutput
  let width = 80
  let columns = 80

  /// Makes a console; `isTerminal` makes its input one.
  init(isTerminal: Bool = false) throws {
    terminals = Terminals(input: isTerminal, output: false, error: false)
    input = try unsafe FileDescriptor.open("/dev/null", .readOnly)
  }

  deinit {
    // It was only read from.
    try? input.close()
  }

  func write(_ text: String) { state.withLock { $0.written += text } }

  func note(_ line: String) { draw(line + "\n") }

  func draw(_ text: String) { state.withLock { $0.error += text } }

  func ask(_ prompt: String, echo: Bool) -> String? {
    state.withLock { $0.questions.append(prompt) }
    return nil
  }

  func withoutEcho<Result>(_ read: () throws -> Result) throws -> Result { try read() }
}
