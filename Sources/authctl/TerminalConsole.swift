import AuthCore
import AuthctlCLI
import CProcess
import FoundationEssentials
import Glibc
import Synchronization
import SystemPackage

/// The process's own standard streams.
final class TerminalConsole: Console {
  let input = FileDescriptor.standardInput
  let output = FileDescriptor.standardOutput
  /// The line that is shown below all messages; nil if there is none.
  private let status = Mutex<String?>(nil)
  let terminals = Terminals(input: isatty(0) == 1, output: isatty(1) == 1, error: isatty(2) == 1)
  let sharesOutput = TerminalConsole.isSameFile(1, 2)

  var width: Int { min(max(columns, 40), 120) }

  /// The value of `COLUMNS` if the shell exports it, else the terminal's width, else 80.
  var columns: Int {
    let exported = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
    let known = exported ?? [1, 2].lazy.map { Int(cprocess_columns($0)) }.first { $0 > 0 }
    return known.flatMap { $0 > 0 ? $0 : nil } ?? 80
  }

  func write(_ text: String) throws {
    _ = try output.writeAll(text.utf8)
  }

  func note(_ line: String) {
    // All messages pass here: escaping keeps a server's text from controlling the terminal.
    let safe = Escaped.lines(line)
    draw(safe.ends(withBytes: "\n") ? safe : safe + "\n")
  }

  func draw(_ text: String) {
    status.withLock { line in
      write(error: line.map { TerminalConsole.emptyLine + text + $0 } ?? text)
    }
  }

  func showStatus(_ line: String?) {
    status.withLock { shown in
      guard shown != nil || line != nil else { return }
      // A signal between the two removes an empty line, or leaves none to remove.
      if line != nil { cprocess_show_status(true) }
      write(error: TerminalConsole.emptyLine + (line.map(Escaped.line) ?? ""))
      if line == nil { cprocess_show_status(false) }
      shown = line.map(Escaped.line)
    }
  }

  func takeEnter() -> Bool {
    let typed = cprocess_take_lines(input.rawValue)
    guard typed.count > 0 else { return false }
    // The terminal has shown them below the status line.
    if typed.echoed { status.withLock { _ in write(error: "\u{1B}[\(typed.count)A") } }
    return true
  }

  func takeInput() -> [UInt8]? {
    guard !terminals.input || isInForeground, cprocess_wait_for_input(input.rawValue, 0) == 1 else { return [] }
    // More than a terminal takes in one line.
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      // What can't be read has ended.
      (try? unsafe input.read(into: buffer)) ?? 0
    }
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }

  func setEcho(_ isShown: Bool) {
    // In the background, changing the terminal would stop the process.
    guard terminals.input, isInForeground else { return }
    // Without a terminal that can be changed, nothing is typed there.
    if isShown { cprocess_show_input() } else { _ = unsafe cprocess_hide_input(input.rawValue, "") }
  }

  private var isInForeground: Bool { tcgetpgrp(input.rawValue) == getpgrp() }

  /// Whether two open descriptors are of the same terminal, file or pipe.
  private static func isSameFile(_ one: Int32, _ other: Int32) -> Bool {
    var (first, second) = (stat(), stat())
    guard unsafe fstat(one, &first) == 0, unsafe fstat(other, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  private func write(error text: String) {
    // A closed standard error is ignored.
    _ = try? FileDescriptor.standardError.writeAll(text.utf8)
  }

  /// Goes to the beginning of the line and clears it (ECMA-48, section 8.3.41).
  private static let emptyLine = "\r\u{1B}[K"

  func ask(_ prompt: String, echo: Bool) throws -> String? {
    let prompt = Escaped.lines(prompt)
    _ = try FileDescriptor.standardError.writeAll(prompt.utf8)
    return try echo ? response() : withoutEcho(after: prompt, response)
  }

  func withoutEcho<Result>(_ read: () throws -> Result) throws -> Result { try withoutEcho(after: "", read) }

  /// - Parameter prompt: repeated when the process was stopped and goes on.
  private func withoutEcho<Result>(after prompt: String, _ read: () throws -> Result) throws -> Result {
    guard terminals.input else { return try read() }
    guard unsafe cprocess_hide_input(input.rawValue, prompt) == 0 else { throw Errno(rawValue: errno) }
    defer {
      cprocess_show_input()
      note("")
    }
    return try read()
  }

  /// Reads a line, and fails after five minutes: no wait is unlimited, not even for user input.
  private func response() throws -> String? {
    guard cprocess_wait_for_input(input.rawValue, TerminalConsole.patience * 1000) == 1 else {
      throw AuthError.tryLater("the question at the terminal", why: "no response within 5 minutes", hint: "try again")
    }
    return readLine(strippingNewline: true)
  }

  private static let patience: Int32 = 300
}
