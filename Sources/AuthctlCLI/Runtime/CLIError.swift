import AuthCore

/// What can end a command beside the failures of tokens.
enum CLIError: Error, Sendable, Equatable {
  /// The API answered 400 or more; its body has been written.
  case http(AuthError.Explanation)
  /// Whoever read the output is gone.
  case outputClosed
}
