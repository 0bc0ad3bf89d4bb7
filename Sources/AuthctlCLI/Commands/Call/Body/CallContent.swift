import AuthCore

/// What a command line gives to each of its requests, read once.
struct CallContent: Sendable {
  /// The lines of `-H`.
  let lines: [HeaderLine]
  /// Data, a form, or files that are put.
  let body: CallBody
  /// Where a transfer that was broken off goes on.
  let continuation: Continuation?

  /// - Throws: ``AuthError/usage(_:)`` where a file can't be read, or options contradict each other.
  init(_ invocation: Invocation, _ context: Context) throws(AuthError) {
    lines = try RequestFields.lines(invocation, context)
    continuation = try Continuation(invocation)
    body = try CallBody(invocation, context, continuation)
  }
}
