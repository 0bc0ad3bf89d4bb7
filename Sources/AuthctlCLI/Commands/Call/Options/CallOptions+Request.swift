extension CallOptions {
  /// The options of the request, except its body.
  static let allRequest = [
    request, header, head, userAgent, referer, range, continueAt, compressed, location, user, noAuth, .cache,
  ]

  static let request = Option(
    "request", short: "X", .text("METHOD"), summary: "use this method",
    detail: "Unless given: POST with data or a form, PUT with `-T`, HEAD with `-I`, else GET.")
  static let header = Option(
    "header", short: "H", .textOrAtFile("LINE"), repeats: true, summary: "add a header line",
    detail: """
      `Name: value` adds a header or replaces a default one, `Name:` removes a default one, `Name;` sends an empty \
      one. `@FILE` reads lines from a file, `@-` from standard input. The header that carries the token is refused.
      """)
  static let head = Option(
    "head", short: "I", summary: "request and print the headers only", detail: "The method is HEAD.")
  static let userAgent = Option(
    "user-agent", short: "A", .text("NAME"), summary: "send NAME as User-Agent",
    detail: "If NAME is empty, the header is not sent.")
  static let referer = Option(
    "referer", short: "e", .text("URL"), summary: "send URL as Referer",
    detail: "With `;auto` appended, or alone, each redirect that `-L` follows sends the URL that led to it.")
  static let range = Option(
    "range", short: "r", .text("RANGE"), summary: "request these bytes only",
    detail: """
      `0-499` for the first 500, `500-` for the rest, `-500` for the last 500; several ranges with commas. \
      With a body, `Content-Range` is sent.
      """)
  static let continueAt = Option(
    "continue-at", short: "C", .checked("OFFSET", Continuation.fault),
    summary: "resume a transfer at this byte (-: from the file's size)",
    detail: """
      With `-o`, the rest is requested and appended to the file; `-` uses the size of the file. With `-T`, the rest of \
      the file is sent with `Content-Range`; `-` sends all of it, because the size at the server is unknown.
      """)
  static let compressed = Option(
    "compressed", summary: "request a compressed response, decompress it")
  static let location = Option(
    "location", short: "L", summary: "follow redirects",
    detail: """
      At most 50, and never from https to http. The token is not sent to another origin. Neither are `-H` lines that \
      could be credentials: only standard headers that can't (`Accept`, `Range`, `User-Agent` and similar) are. A \
      warning names the others.
      """)
  static let user = Option(
    "user", short: "u", .text("NAME"), summary: "send a user name and password instead of the token",
    detail: """
      As `Basic` (RFC 7617); `call` prompts for the password. `NAME:PASSWORD` is refused, because all users of the \
      machine could read it. In scripts, use a profile with `type = "basic"`.
      """)
  static let noAuth = Option(
    "no-auth", summary: "send the request without the token",
    detail: "To any URL. Nothing is read from the keyring.")
}

extension CallOptions {
  /// The options for command lines written for curl, which change nothing here.
  static let allWithoutEffect = [url, globoff, noBuffer, noProgressMeter, basic, tls12]

  static let url = Option(
    "url", .text("URL"), repeats: true, isOperand: true, summary: "request this URL: the same as URL alone")
  static let globoff = Option("globoff", short: "g", summary: "send brackets and braces as they are: the default")
  static let noBuffer = Option("no-buffer", short: "N", summary: "do not buffer the output: the default")
  static let noProgressMeter = Option(
    "no-progress-meter", summary: "accepted as in curl, without effect: use -q to suppress notes")
  static let basic = Option("basic", summary: "with -u, authenticate with Basic: the default")
  static let tls12 = Option("tlsv1.2", summary: "use TLS 1.2 or newer: the default")
}

/// The options of `call`, with the same meaning as in curl.
enum CallOptions {
  static let all =
    allRequest + allData + allConnection + allRetry + allBatch + allOutput + allInspection + allWithoutEffect
}
