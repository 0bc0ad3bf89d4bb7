import AuthCore

/// Something about a profile that somebody should look at.
struct ProfileFinding: Sendable, Equatable {
  /// How bad it is.
  enum Level: String, Sendable {
    /// A login or a call fails with it.
    case error
    /// It works, but not as well or as safely as it could.
    case warning
  }

  /// How bad it is.
  let level: Level
  /// The key that it is about, or a word for what else: `file`, `discovery`.
  let about: String
  /// What it is.
  let message: String
  /// What to do.
  let hint: String
  /// The exit status that an error leads to.
  var status = ExitStatus.usage

  static func error(_ about: String, _ message: String, hint: String, status: ExitStatus = .usage) -> ProfileFinding {
    ProfileFinding(level: .error, about: about, message: message, hint: hint, status: status)
  }

  static func warning(_ about: String, _ message: String, hint: String) -> ProfileFinding {
    ProfileFinding(level: .warning, about: about, message: message, hint: hint)
  }

  /// Stable keys.
  var json: JSONValue {
    .object([
      "level": .string(level.rawValue), "about": .string(about), "message": .string(message), "hint": .string(hint),
    ])
  }

  /// Two lines for people.
  var text: String { "  \(level.rawValue): \(about): \(message)\n    \(hint)\n" }
}
