/// A command line that the table doesn't allow.
///
/// Its texts hold names and numbers from the line but never the value of an option, which can be a secret; the one
/// exception is a value that had to be one of a few words.
struct UsageError: Error, Equatable {
  /// What is wrong: `unknown option '--profle'`.
  let message: String
  /// What to do, one line: `did you mean '--profile'?`.
  let hint: String
}
