extension CallOptions {
  /// The options for many requests in one run.
  static let allBatch = [batch, parallel, unordered]

  static let batch = Option(
    "batch", .file("FILE"), summary: "send a request per line of FILE (-: stdin)",
    detail: """
      A line is a URL or a path, as on the command line, or a JSON object with the members `url`, `method`, `headers` \
      (an object of strings or arrays of strings; `null` removes a header), and `body` or `body_base64`. A body that \
      is a string is sent as it is, any other JSON value as JSON. Blank lines and lines that begin with `#` are \
      ignored. Lines are read when they are needed, so the input may be an endless pipe.

      Each response is one line of JSON with the members `line` (the number of its line in the input, from 1), `url`, \
      `status`, `headers` (the names in lower case, the values as arrays), `body`, or `body_base64` where the body is \
      not UTF-8, and `time` in seconds. A line whose request fails has `error` instead, with `code`, `exit`, `message` \
      and `hint`, as with `--errors=json`; the other lines continue. A response of more than 64 MiB is such an error. \
      A 401 in the middle causes one refresh for all lines.

      The other options of `call` apply to every line. Options for a single body or output are refused. The exit \
      status is the worst of all lines.
      """)
  static let parallel = Option(
    "parallel", .number("N", 1...1000), summary: "with --batch, send N requests at the same time",
    detail: "From 1 to 1000; \(BatchOptions.standardParallel) unless given. Connections are reused.")
  static let unordered = Option(
    "unordered", summary: "with --batch, print responses as they arrive",
    detail: """
      Otherwise they are printed in the order of the lines. If one is slow, at most 16 times as many lines as run at \
      the same time are read ahead.
      """)

  /// The options that apply to every line of a batch; `call` refuses its other options for a batch.
  static let holdingForBatch =
    allBatch + allRetry + allConnection + allWithoutEffect + [
      request, header, userAgent, referer, compressed, location, noAuth, .cache, .silent, .showError, noFail,
    ] + Option.allTrace
}
