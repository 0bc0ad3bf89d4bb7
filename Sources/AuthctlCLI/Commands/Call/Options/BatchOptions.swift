import AuthCore

/// The options that apply to a whole batch.
struct BatchOptions: Sendable, Equatable {
  /// The default number of concurrent requests.
  static let standardParallel = 20

  /// The file that the lines are read from; `-` for standard input.
  let path: String
  /// The number of concurrent requests.
  let parallel: Int
  /// Whether the responses are printed in the order of the lines.
  let isOrdered: Bool

  /// Reads the options; nil if there is no batch.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if the options contradict each other.
  init?(_ invocation: Invocation) throws(AuthError) {
    guard let path = invocation.value(CallOptions.batch) else {
      for option in [CallOptions.parallel, CallOptions.unordered] where invocation.has(option) {
        throw .usage("--\(option.long)", why: "it needs --batch", hint: "add --batch FILE")
      }
      return nil
    }
    self.path = path
    parallel = invocation.number(CallOptions.parallel) ?? BatchOptions.standardParallel
    isOrdered = !invocation.has(CallOptions.unordered)
    guard invocation.operands.isEmpty else {
      throw .usage(
        "call --batch", why: "there is an address on the command line too",
        hint: "put it into the file, or run two commands")
    }
    guard invocation.values(CallOptions.batch).count == 1 else {
      throw .usage("--batch", why: "it is given more than once", hint: "combine the files: cat A B | …")
    }
    guard path != "-" || !invocation.values(CallOptions.header).contains("@-") else {
      throw .usage("-H @-", why: "standard input has the lines of the batch", hint: "use a file for one of them")
    }
    if let refused = CallOptions.ofOneRequest.first(where: invocation.has) {
      throw .usage(
        "--\(refused.long)", why: "it can't be combined with --batch",
        hint: CallOptions.allOutput.contains(refused)
          ? "each line of the output has status, headers, body and time of its response"
          : "put it into the lines: {\"url\": …, \"method\": …, \"headers\": {…}, \"body\": …}")
    }
  }
}
