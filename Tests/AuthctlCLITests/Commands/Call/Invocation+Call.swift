import Testing

@testable import AuthctlCLI

extension Invocation {
  /// What is typed after `authctl call`.
  static func call(_ words: String...) throws -> Invocation {
    guard case .run(let invocation) = try Parser(program: .authctl).parse(["call"] + words) else {
      throw UsageError(message: "no command", hint: "")
    }
    return invocation
  }
}
