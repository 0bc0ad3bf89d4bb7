/// A command line that can't be understood.
struct UsageError: Error {
  /// What is wrong.
  let reason: String
}
