@testable import AuthctlCLI

/// A command line, its words parted by NUL as the kernel does it.
enum CommandLineTarget: FuzzTarget {
  static let name = "command"

  private static let parser = Parser(program: .authctl)

  static func check(_ bytes: [UInt8]) {
    let words = bytes.split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    do {
      guard case .run(let invocation) = try parser.parse(words) else { return }
      requireSame(invocation, words)
    } catch {
      requireShowable(error.message)
      requireShowable(error.hint)
      require(!error.message.isEmpty && !error.hint.isEmpty, "a message and a hint")
    }
  }

  /// Requires that a line written in the longest form means the same.
  private static func requireSame(_ invocation: Invocation, _ words: [String]) {
    let options = invocation.occurrences.map { "--\($0.option.long)" + ($0.value.map { "=" + $0 } ?? "") }
    let line = invocation.command.words + options + ["--"] + invocation.operands
    do {
      guard case .run(let again) = try parser.parse(line) else { return require(false, "it still runs: \(line)") }
      require(again.command.words == invocation.command.words, "the command: \(line)")
      require(again.occurrences == invocation.occurrences, "the options: \(line)")
      require(again.operands == invocation.operands, "the operands: \(line)")
    } catch {
      require(false, "it can still be read: \(words) as \(line): \(error.message)")
    }
  }
}
