import Foundation
import TestSupport

/// Command lines that an error names.
extension Workplace {
  /// Runs the login that a message suggests, as a shell reads it.
  /// - Throws: `SessionError` where the message names none.
  func follow(
    _ message: String, adding options: String = "", input: ProgramInput = .nothing, environment: [String: String?] = [:]
  ) throws -> Outcome {
    guard let match = message.firstMatch(of: /: authctl (login [^;\n]*)/) else {
      throw SessionError("no login in: \(message)")
    }
    let script = "exec \"$0\" \(match.1) \(options)"
    return try run([], input: input, environment: environment, through: ["/bin/sh", "-c", script])
  }
}
