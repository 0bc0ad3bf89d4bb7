extension CallOptions {
  /// Many requests in one run.
  static let allBatch = [batch, parallel, unordered]

  static let batch = Option(
    "batch", .file("FILE"), summary: "send one request for each line of FILE, - for standard input",
    detail: """
      A line is a URL or a path, as on the command line, or a JSON object with the members `url`, `method`, `headers` \
      (an object of strings or arrays of strings; `null` takes a header away), and `body` or `body_base64`. A body that \
      is a string is sent as it is, any other JSON value as JSON. Blank lines and those that begin with `#` are passed \
      over. Lines are read as they are needed: the input may be a pipe that never ends.

      Each answer is one line of JSON with the members `line` (the number of its line in the input, from 1), `url`, \
      `status`, `headers` (the names in lower case, the values as arrays), `body`, or `body_base64` where the body is \
      not UTF-8, and `time` in seconds. A line whose request fails has `error` instead, with `code`, `exit`, `message` \
      and `hint`, as with `--errors=json`; the others go on. An answer of more than 64 MiB is such an error.

      The other options of `call` hold for every line, unless they concern one body or one output: those are refused. \
      The status is the worst of all lines.
      """)
  static let parallel = Option(
    "parallel", .number("N", 1...1000), summary: "with --batch, N requests at the same time",
    detail: "From 1 to 1000; \(BatchPlan.standardParallel) unless given. Connections are kept and used again.")
  static let unordered = Option(
    "unordered", summary: "with --batch, print answers as they come",
    detail: """
      Without it they come in the order of the lines, and where one is slow, no more than 16 times as many lines as run \
      at the same time are read ahead.
      """)

  /// The options that hold for every line of a batch; whatever else `call` has is refused there.
  static let holdingForBatch =
    allBatch + allRetry + allConnection + [
      request, header, userAgent, referer, compressed, location, noAuth, silent, showError, noFail,
    ]
}
