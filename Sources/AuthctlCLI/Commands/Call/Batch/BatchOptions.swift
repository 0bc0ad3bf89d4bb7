import AuthCore

/// What the command line says of a batch as a whole.
struct BatchOptions: Sendable, Equatable {
  /// How many requests are on their way at the same time unless the command line says so.
  static let standardParallel = 20

  /// Where the lines come from; `-` is standard input.
  let path: String
  /// How many requests are on their way at the same time.
  let parallel: Int
  /// Whether the responses are printed in the order of the lines.
  let isOrdered: Bool

  /// Reads the options; nil where there is no batch.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where they don't go together.
  init?(_ invocation: Invocation) throws(AuthError) {
    guard let path = invocation.value(CallOptions.batch) else {
      for option in [CallOptions.parallel, CallOptions.unordered] where invocation.has(option) {
        throw .usage(
          .init("--\(option.long)", why: "it needs --batch", hint: "add --batch FILE"))
      }
      return nil
    }
    self.path = path
    parallel = invocation.number(CallOptions.parallel) ?? BatchOptions.standardParallel
    isOrdered = !invocation.has(CallOptions.unordered)
    guard invocation.operands.isEmpty else {
      throw .usage(
        .init(
          "call --batch", why: "there is an address on the command line too",
          hint: "put it into the file, or run two commands"))
    }
    guard invocation.values(CallOptions.batch).count == 1 else {
      throw .usage(.init("--batch", why: "it is given more than once", hint: "combine the files: cat A B | …"))
    }
    guard path != "-" || !invocation.values(CallOptions.header).contains("@-") else {
      throw .usage(
        .init("-H @-", why: "standard input has the lines of the batch", hint: "use a file for one of them"))
    }
    let refused = CallOptions.all.first { option in
      invocation.has(option) && !CallOptions.holdingForBatch.contains(option)
    }
    if let refused {
      throw .usage(
        .init(
          "--\(refused.long)", why: "it can't be combined with --batch",
          hint: CallOptions.allOutput.contains(refused)
            ? "each line of the output has status, headers, body and time of its response"
            : "put it into the lines: {\"url\": …, \"method\": …, \"headers\": {…}, \"body\": …}"))
    }
  }
}
