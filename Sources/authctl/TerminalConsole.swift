import AuthctlCLI
import CTerminal
import FoundationEssentials
import Glibc
import Synchronization
import SystemPackage

/// The process's own standard streams.
final class TerminalConsole: Console {
  let input = FileDescriptor.standardInput
  let output = FileDescriptor.standardOutput
  let terminals = Terminals(input: isatty(0) == 1, output: isatty(1) == 1, error: isatty(2) == 1)
  private let echoIsOff = Mutex(false)

  /// `COLUMNS` where the shell exports it, else 80.
  var width: Int {
    ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }.map { min(max($0, 40), 120) } ?? 80
  }

  func write(_ text: String) throws {
    _ = try output.writeAll(text.utf8)
  }

  func note(_ line: String) {
    let text = line.hasSuffix("\n") ? line : line + "\n"
    // Whoever closed standard error does not want to hear of it.
    _ = try? FileDescriptor.standardError.writeAll(text.utf8)
  }

  func ask(_ prompt: String, echo: Bool) throws -> String? {
    _ = try FileDescriptor.standardError.writeAll(prompt.utf8)
    if !echo {
      echoIsOff.withLock { $0 = true }
      guard cterminal_set_echo(input.rawValue, false) == 0 else { throw Errno(rawValue: errno) }
    }
    defer {
      restoreEcho()
      if !echo { note("") }
    }
    return readLine(strippingNewline: true)
  }

  /// Switches the echo on again where a question for a secret has switched it off.
  func restoreEcho() {
    let wasOff = echoIsOff.withLock { off in
      defer { off = false }
      return off
    }
    if wasOff { _ = cterminal_set_echo(input.rawValue, true) }
  }
}
