import AuthCore

/// What can end a command beside the failures of tokens.
enum CLIError: Error, Sendable, Equatable {
  /// The API answered 400 or more; its body has been written.
  case http(AuthError.Explanation)
  /// The transfer itself failed: no whole response came, or it could not be written.
  case transfer(AuthError)
  /// `exec`: the command can't be run; `isThere` tells whether there is such a one.
  case command(AuthError.Explanation, isThere: Bool)
  /// Whoever read the output is gone.
  case outputClosed
}
