extension CallOptions {
  /// The options for many requests in one run.
  static let allBatch = [batch, parallel, unordered]

  static let batch = Option("batch", .file("FILE"), summary: "send a request per line of FILE (-: stdin)")
  static let parallel = Option(
    "parallel", .number("N", 1...1000), summary: "with --batch, send N requests at the same time")
  static let unordered = Option("unordered", summary: "with --batch, print responses as they arrive")

  /// The options of a single body or output; all others apply to every line of a batch.
  static let ofOneRequest =
    [head, range, continueAt, user, printCurl, simulate] + allData
    + allOutput.filter { ![.silent, .showError, noFail].contains($0) }
}
