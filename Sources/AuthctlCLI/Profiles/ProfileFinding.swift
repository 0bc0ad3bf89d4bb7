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

  /// Returns findings as text, two lines for each problem: one that several keys have is stated once.
  static func text(_ findings: [ProfileFinding], colour: Bool) -> String {
    groups(findings).map { keys, finding in
      let message = Escaped.line("\(keys.joined(separator: ", ")): \(finding.message)")
      let tone = finding.level == .error ? MessageTone.failure : .warning
      let line = "\(finding.level.rawValue): \(message)".tinted(tone.rawValue, if: colour)
      return "  \(line)\n    \(Escaped.line(finding.hint))\n"
    }.joined()
  }

  /// Returns each problem with the keys that have it.
  static func groups(_ findings: [ProfileFinding]) -> [(keys: [String], finding: ProfileFinding)] {
    var groups: [(keys: [String], finding: ProfileFinding)] = []
    for finding in findings {
      if let index = groups.firstIndex(where: { $0.finding.isSameProblem(as: finding) }) {
        groups[index].keys.append(finding.about)
      } else {
        groups.append(([finding.about], finding))
      }
    }
    return groups
  }

  private func isSameProblem(as other: ProfileFinding) -> Bool {
    level == other.level && message == other.message && hint == other.hint
  }
}
