import AuthCore
import Foundation
import Synchronization
import SystemPackage
import TestSupport

@testable import AuthctlCLI

/// A console that keeps what is written to it. Questions at its terminal get scripted answers.
final class FakeConsole: Console {
  private struct State {
    var error = ""
    var questions: [String] = []
    var answers: [String]
    var hidden: [String] = []
    var echoes = true
    var statuses: [String?] = []
    var enters = 0
    var typed: [UInt8] = []
    var echoChanges: [Bool] = []
  }

  /// Which standard streams are terminals.
  let terminals: Terminals
  let sharesOutput = false
  let input: FileDescriptor
  let output: FileDescriptor
  let width: Int
  let columns: Int
  private let state: Mutex<State>

  /// Creates a console.
  ///
  /// - Parameters:
  ///   - isTerminal: whether standard input is a terminal.
  ///   - answers: what is typed at the terminal, a line for each question; without a line left its input has ended.
  ///   - text: what standard input holds if it is no terminal; nil for nothing.
  init(
    isTerminal: Bool = false, answers: [String] = [], text: Data? = nil, isOutputTerminal: Bool = false, width: Int = 80
  ) throws {
    terminals = Terminals(input: isTerminal || !answers.isEmpty, output: isOutputTerminal, error: isOutputTerminal)
    state = Mutex(State(answers: answers))
    if let text {
      input = try FakeConsole.pipe(text)
    } else {
      input = try unsafe FileDescriptor.open("/dev/null", .readOnly)
    }
    output = try FakeConsole.unnamedFile()
    self.width = width
    columns = width
  }

  deinit {
    // Nothing is lost: what was written has been read.
    try? input.close()
    try? output.close()
  }

  /// The bytes of standard output.
  var writtenData: Data {
    // An open file of ours can't fail to be read.
    (try? Data(contentsOf: URL(filePath: "/proc/self/fd/\(output.rawValue)"))) ?? Data()
  }
  /// All of standard output.
  var written: String { String(decoding: writtenData, as: UTF8.self) }
  /// All of standard error, without the questions.
  var error: String { state.withLock(\.error) }
  /// The lines of standard error.
  var errorLines: [String] { error.split(separator: "\n").map(String.init) }
  /// The lines that were shown in place of each other; nil where the line was removed.
  var statuses: [String?] { state.withLock(\.statuses) }
  /// Presses Enter.
  func pressEnter() { state.withLock { $0.enters += 1 } }
  /// Types or writes something that is read without a question.
  func type(_ text: String) { state.withLock { $0.typed += text.utf8 } }
  /// How the echo was set.
  var echoChanges: [Bool] { state.withLock(\.echoChanges) }
  /// What was asked at the terminal.
  var questions: [String] { state.withLock(\.questions) }
  /// Which of the questions were asked without showing what is typed.
  var hiddenQuestions: [String] { state.withLock(\.hidden) }

  func write(_ text: String) throws { _ = try output.writeAll(text.utf8) }

  func note(_ line: String) {
    let safe = Escaped.lines(line)
    draw(safe.hasSuffix("\n") ? safe : safe + "\n")
  }

  func draw(_ text: String) { state.withLock { $0.error += text } }

  func showStatus(_ line: String?) { state.withLock { $0.statuses.append(line) } }

  func takeEnter() -> Bool {
    state.withLock { state in
      guard state.enters > 0 else { return false }
      state.enters -= 1
      return true
    }
  }

  func takeInput() -> [UInt8]? {
    state.withLock { state in
      defer { state.typed = [] }
      return state.typed
    }
  }

  func setEcho(_ isShown: Bool) { state.withLock { $0.echoChanges.append(isShown) } }

  func ask(_ prompt: String, echo: Bool) -> String? {
    state.withLock { state in
      state.questions.append(prompt)
      if !echo { state.hidden.append(prompt) }
      return state.answers.isEmpty ? nil : state.answers.removeFirst()
    }
  }

  func withoutEcho<Result>(_ read: () throws -> Result) throws -> Result { try read() }

  /// A file without a name: what a command writes to its descriptor is read back from it.
  private static func unnamedFile() throws -> FileDescriptor {
    let path = FileManager.default.temporaryDirectory.appending(path: "authctl-test-\(UUID().uuidString)").path
    let file = try FileDescriptor.open(
      FilePath(path), .readWrite, options: [.create, .exclusiveCreate, .append, .closeOnExec],
      permissions: [.ownerReadWrite])
    try FileManager.default.removeItem(atPath: path)
    return file
  }

  /// A pipe with these bytes in it, which no program that another test starts inherits.
  private static func pipe(_ bytes: Data) throws -> FileDescriptor {
    var ends: [Int32] = [0, 0]
    // Sockets, since these can be made close-on-exec in one step.
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw Errno(rawValue: errno) }
    let writing = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    signal(SIGPIPE, SIG_IGN)
    if bytes.count <= 1 << 16 {
      try writing.write(contentsOf: bytes)
      try writing.close()
    } else {
      Thread.detachNewThread {
        // Fails if the command does not want it all.
        try? writing.write(contentsOf: bytes)
        try? writing.close()
      }
    }
    return FileDescriptor(rawValue: ends[0])
  }
}
