import AuthCore

/// The options of a command line of `call` as curl's, for `--print-curl`.
struct CurlArguments: Sendable, Equatable {
  /// The options that mean the same in curl, with their values, in the order in which they were typed.
  let options: [String]
  /// The values of `-T`, in order; an empty one means no file.
  let uploads: [String]

  /// Reads the options; nil without `--print-curl`.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if an option has no equivalent in curl.
  init?(_ invocation: Invocation) throws(AuthError) {
    guard invocation.has(CallOptions.printCurl) else { return nil }
    let all = invocation.occurrences.filter { CallOptions.all.contains($0.option) }
    if let foreign = all.first(where: { !CurlArguments.known.contains($0.option) })?.option {
      throw .usage(
        "--print-curl", why: "curl has no equivalent of --\(foreign.long)",
        hint: foreign == CallOptions.batch ? "print a line for each request" : "remove one of them")
    }
    options = all.filter { CurlArguments.same.contains($0.option) }.flatMap { occurrence in
      [occurrence.option.names[0]] + (occurrence.value.map { [$0] } ?? [])
    }
    uploads = invocation.values(CallOptions.uploadFile)
  }

  /// The options with the same meaning and the same values as in curl.
  private static let same: Set<Option> = Set(
    [
      CallOptions.request, CallOptions.header, CallOptions.head, CallOptions.userAgent, CallOptions.referer,
      CallOptions.range, CallOptions.continueAt, CallOptions.compressed, CallOptions.location, CallOptions.user,
      CallOptions.get, CallOptions.form, CallOptions.formString, CallOptions.include, CallOptions.dumpHeader,
      CallOptions.writeOut, CallOptions.progressBar, CallOptions.fail, .silent, .showError, CallOptions.noBuffer,
      CallOptions.noProgressMeter, CallOptions.basic, CallOptions.tls12,
    ] + CallOptions.pieces)

  /// The options that ``CurlCommand`` translates from their typed values, and those that curl does not need.
  /// Some of the output's are in ``same``, too.
  private static let translated: Set<Option> = Set(
    [CallOptions.uploadFile, CallOptions.noAuth, CallOptions.printCurl] + CallOptions.allOutput
      + CallOptions.allConnection + CallOptions.allRetry + CallOptions.allWithoutEffect)

  private static let known = same.union(translated)
}
