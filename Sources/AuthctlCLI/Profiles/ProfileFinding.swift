import AuthCore

/// A problem in a profile.
struct ProfileFinding: Sendable, Equatable {
  /// The severity of a finding.
  enum Level: String, Sendable {
    /// A login or a call fails with it.
    case error
    /// The profile works, but not as well or as safely as it could.
    case warning
  }

  /// The severity.
  let level: Level
  /// The key with the problem, or `file` or `discovery`.
  let about: String
  /// The problem.
  let message: String
  /// How to fix it.
  let hint: String
  /// The exit status that an error leads to.
  var status = ExitStatus.usage

  static func error(_ about: String, _ message: String, hint: String, status: ExitStatus = .usage) -> ProfileFinding {
    ProfileFinding(level: .error, about: about, message: message, hint: hint, status: status)
  }

  static func warning(_ about: String, _ message: String, hint: String) -> ProfileFinding {
    ProfileFinding(level: .warning, about: about, message: message, hint: hint)
  }

  /// The finding as JSON with stable keys.
  var json: JSONValue {
    .object([
      "level": .string(level.rawValue), "about": .string(about), "message": .string(message), "hint": .string(hint),
    ])
  }

  /// The finding as two lines of text.
  var text: String { "  \(level.rawValue): \(about): \(message)\n    \(hint)\n" }
}
