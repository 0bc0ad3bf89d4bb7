import AuthCore

/// The failures of the stores of several profiles. Those with the same cause, such as a locked keyring, are one line.
struct StorageFailures {
  private var failures: [(name: ProfileName, error: AuthError)] = []

  /// Keeps the failure of a profile's store until ``report(_:)``.
  ///
  /// - Returns: whether the error is such a failure.
  mutating func add(_ error: AuthError, of name: ProfileName) -> Bool {
    guard case .storage = error else { return false }
    failures.append((name, error))
    return true
  }

  /// Prints the failures, and returns the exit status of each line.
  func report(_ context: Context) -> [ExitStatus] {
    var rest = failures[...]
    var statuses: [ExitStatus] = []
    while let (name, error) = rest.popFirst() {
      let others = rest.filter { StorageFailures.haveSameCause($0.error, error) }
      rest.removeAll { StorageFailures.haveSameCause($0.error, error) }
      guard !others.isEmpty else {
        statuses.append(ErrorReport(error).report(context, profile: name.string))
        continue
      }
      let names = ([name] + others.map(\.name)).map(\.string).joined(separator: ", ")
      var report = ErrorReport(.keyring, "profiles \(names): \(error.explanation.why)", ErrorReport(error).hint)
      report.isOneLine = true
      statuses.append(report.report(context))
    }
    return statuses
  }

  private static func haveSameCause(_ one: AuthError, _ other: AuthError) -> Bool {
    guard case .storage(let fault, let it) = one, case .storage(fault, let other) = other else { return false }
    return it.why == other.why && it.remedy == other.remedy && it.hint == other.hint
  }
}
