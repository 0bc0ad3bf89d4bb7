import AuthCore
import Testing

@testable import AuthctlCLI

extension Invocation {
  /// Reads what is typed after `authctl`: `Invocation(typed: ["status", "work"])`.
  init(typed words: [String]) throws {
    guard case .run(let invocation) = try Parser(program: .authctl).parse(words) else {
      throw UsageError(message: "no command", hint: "")
    }
    self = invocation
  }

  /// Reads what is typed after `authctl call`.
  static func call(_ words: String...) throws -> Invocation { try Invocation(typed: ["call"] + words) }
}

/// The usage error that a closure throws.
func usageError(_ body: () throws -> Void) throws -> AuthError.Explanation {
  let error = try #require(throws: AuthError.self) { try body() }
  guard case .usage(let explanation) = error else { throw error }
  return explanation
}

extension AuthError.Explanation {
  /// What failed and why, as a message has it.
  var text: String { "\(what): \(why)" }
}
