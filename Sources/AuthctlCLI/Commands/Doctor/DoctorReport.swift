import AuthCore

/// The results of all checks, in order.
struct DoctorReport: Sendable {
  /// The results: errors first, then warnings; within them in the order of the checks, then of the profiles.
  let findings: [DoctorFinding]

  /// Sorts the results. A result of the machine is not repeated for each profile.
  init(_ findings: [DoctorFinding]) {
    let ofMachine = findings.filter { $0.profile == nil }
    let ofProfiles = findings.filter { finding in
      finding.profile != nil
        && !ofMachine.contains { $0.check == finding.check && $0.message == finding.message && $0.level != .ok }
    }
    let all = (ofMachine + ofProfiles).sorted { one, other in
      guard one.check == other.check else { return one.check.position < other.check.position }
      guard let name = one.profile, let otherName = other.profile else {
        return one.profile == nil && other.profile != nil
      }
      return name < otherName
    }
    self.findings = DoctorFinding.Level.allCases.flatMap { level in all.filter { $0.level == level } }
  }

  /// The status of the first error; success if there is none.
  var status: ExitStatus { findings.first { $0.level == .error }?.status ?? .ok }

  /// The results as JSON with stable keys.
  var json: JSONValue {
    .array(
      findings.map { finding in
        .object([
          "check": .string(finding.check.rawValue), "level": .string(finding.level.rawValue),
          "profile": finding.profile.map { .string($0.string) } ?? .null, "message": .string(finding.message),
          "hint": .string(finding.hint), "exit": .integer(Int64(finding.status.rawValue)),
        ])
      })
  }

  /// Returns the results as lines of text.
  func text(colour: Bool) -> String {
    let lines = findings.map { finding in
      let mark = DoctorReport.mark(finding.level, colour: colour)
      let subject = (finding.profile.map { "\($0): " } ?? "") + finding.check.rawValue
      let line = "\(mark) \(subject): \(Escaped.line(finding.message))\n"
      return finding.hint.isEmpty ? line : line + "    \(Escaped.line(finding.hint))\n"
    }
    let isWell = findings.allSatisfy { $0.level == .ok }
    return (isWell ? "no problem found\n" : "") + lines.joined()
  }

  private static func mark(_ level: DoctorFinding.Level, colour: Bool) -> String {
    let (mark, tint) =
      switch level {
      case .error: ("✗", "31")
      case .warning: ("!", "33")
      case .ok: ("✓", "32")
      }
    return mark.tinted(tint, if: colour)
  }
}
