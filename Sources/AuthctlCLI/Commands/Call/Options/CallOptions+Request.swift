extension CallOptions {
  /// The options of the request, except its body.
  static let allRequest = [
    request, header, head, userAgent, referer, range, continueAt, compressed, location, user, noAuth, .cache,
  ]

  static let request = Option("request", short: "X", .text("METHOD"), summary: "use this method")
  static let header = Option("header", short: "H", .textOrAtFile("LINE"), repeats: true, summary: "add a header line")
  static let head = Option("head", short: "I", summary: "request and print the headers only")
  static let userAgent = Option("user-agent", short: "A", .text("NAME"), summary: "send NAME as User-Agent")
  static let referer = Option("referer", short: "e", .text("URL"), summary: "send URL as Referer")
  static let range = Option("range", short: "r", .text("RANGE"), summary: "request these bytes only")
  static let continueAt = Option(
    "continue-at", short: "C", .checked("OFFSET", Continuation.fault),
    summary: "resume a transfer at this byte (-: from the file's size)")
  static let compressed = Option(
    "compressed", summary: "request a compressed response, decompress it")
  static let location = Option("location", short: "L", summary: "follow redirects")
  static let user = Option(
    "user", short: "u", .text("NAME"), summary: "send a user name and password instead of the token")
  static let noAuth = Option("no-auth", summary: "send the request without the token")
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
