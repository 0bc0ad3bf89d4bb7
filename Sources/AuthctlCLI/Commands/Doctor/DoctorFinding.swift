import AuthCore

/// The result of a check.
struct DoctorFinding: Sendable, Equatable {
  /// The severity of a result, the worst first.
  enum Level: String, Sendable, CaseIterable {
    /// A login or a call fails with it.
    case error
    /// It works, but not as well or as safely as it could, or it will soon fail.
    case warning
    /// There is no problem.
    case ok
  }

  /// The check.
  let check: DoctorCheck
  /// The severity.
  let level: Level
  /// The result in words.
  let message: String
  /// How to fix it; empty if there is no problem.
  let hint: String
  /// The exit status that an error leads to.
  let status: ExitStatus
  /// The profile; nil for a check of the machine.
  var profile: ProfileName?

  private init(_ check: DoctorCheck, _ level: Level, _ message: String, hint: String, status: ExitStatus) {
    self.check = check
    self.level = level
    self.message = message
    self.hint = hint
    self.status = status
  }

  static func ok(_ check: DoctorCheck, _ message: String) -> DoctorFinding {
    DoctorFinding(check, .ok, message, hint: "", status: .ok)
  }

  static func warning(_ check: DoctorCheck, _ message: String, hint: String) -> DoctorFinding {
    DoctorFinding(check, .warning, message, hint: hint, status: .ok)
  }

  static func error(_ check: DoctorCheck, _ message: String, hint: String, status: ExitStatus) -> DoctorFinding {
    DoctorFinding(check, .error, message, hint: hint, status: status)
  }

  /// Returns the error of a command as a result.
  ///
  /// - Parameters:
  ///   - hint: is added to the hint of the error.
  ///   - isNamed: whether the result names what failed, such as a file.
  static func error(
    _ check: DoctorCheck, _ error: AuthError, hint: String = "", isNamed: Bool = false
  ) -> DoctorFinding {
    let report = ErrorReport(error)
    let hints = [report.hint, hint].filter { !$0.isEmpty }
    let named = isNamed ? "\(error.explanation.what): " : ""
    return DoctorFinding(
      check, .error, named + error.explanation.why, hint: hints.joined(separator: "; "), status: report.status)
  }
}
