import AuthCore
import Foundation
import Synchronization
import Testing

@testable import AuthctlCLI

@Suite("Values of options") struct OptionValueTests {
  /// Sends nothing, and counts who wanted to.
  private final class Untouched: HTTPTransport, SecretStore {
    let touches = Mutex(0)

    func send(_ transfer: Transfer) async throws -> TransferResponse {
      touches.withLock { $0 += 1 }
      throw TransportError.unusable(detail: "a test sends nothing")
    }

    func load(_ item: SecretItem) async throws(AuthError) -> Secret? {
      touches.withLock { $0 += 1 }
      return nil
    }

    func save(_ secret: Secret, as item: SecretItem) async throws(AuthError) { touches.withLock { $0 += 1 } }

    func clear(_ item: SecretItem) async throws(AuthError) { touches.withLock { $0 += 1 } }
  }

  /// The options of each command whose values have a form that is known beforehand.
  private static let checked: [(command: Command, option: AuthctlCLI.Option)] = Program.authctl.allCommands
    .filter { !$0.isFamily }
    .flatMap { command in Program.authctl.options(of: command).map { (command, $0) } }
    .filter { _, option in
      guard let value = option.value else { return false }
      return !value.choices.isEmpty && !value.isOpen || value.check("10x ") != nil
    }

  @Test("every option that takes a duration, a number or one of a few words knows so from the table")
  func table() {
    let numeric: Set = ["DURATION", "SECONDS", "TIMES", "N", "STATUS", "OFFSET", "TYPE"]
    for command in Program.authctl.allCommands {
      for option in command.options {
        guard let value = option.value, numeric.contains(value.placeholder) else { continue }
        #expect(value.check("10x ") != nil || !value.choices.isEmpty, "\(command.name) --\(option.long)")
      }
    }
    #expect(Self.checked.count > 25)
  }

  @Test(
    "a value that can't be right is refused first: no profile, file or keyring is looked at, nothing asked or sent"
  )
  func first() async throws {
    for (command, option) in Self.checked {
      let console = try FakeConsole(isTerminal: true)
      let untouched = Untouched()
      let home = "/nonexistent/\(UUID().uuidString)"
      let context = Context(
        environment: ["HOME": home], console: console, transport: { untouched }, secrets: { _ in untouched })
      let operands = command.operands.filter { !$0.optional }.map { _ in "work" }
      let asking = command.name == "call" ? ["-u", "alice"] : []
      let status = await Application(context).run(command.words + asking + ["--\(option.long)=10x "] + operands)
      let line = "\(command.name) --\(option.long): \(console.error)"
      #expect(status == 2, "\(line)")
      #expect(console.error.contains("--\(option.long)") && !console.error.contains(home), "\(line)")
      #expect(console.questions.isEmpty && console.written.isEmpty, "\(line)")
      #expect(untouched.touches.withLock { $0 } == 0, "\(line)")
    }
  }
}
