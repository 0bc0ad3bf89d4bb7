extension CallOptions {
  /// What the request is, beside its body.
  static let allRequest = [
    request, header, head, userAgent, referer, range, continueAt, compressed, location, user, noAuth,
  ]

  static let request = Option(
    "request", short: "X", .text("METHOD"), summary: "the request's method",
    detail: "Without it: POST where there is data or a form, PUT with `-T`, HEAD with `-I`, else GET.")
  static let header = Option(
    "header", short: "H", .textOrAtFile("LINE"), repeats: true, summary: "add a header line",
    detail: """
      `Name: value` adds it or replaces authctl's own, `Name:` keeps authctl's own from being sent, `Name;` sends it \
      empty, `@FILE` reads lines from a file, `@-` from standard input. The header that carries the token is refused here.
      """)
  static let head = Option(
    "head", short: "I", summary: "ask for the header only, and print it", detail: "The method is HEAD.")
  static let userAgent = Option(
    "user-agent", short: "A", .text("NAME"), summary: "send NAME as User-Agent",
    detail: "Empty: the header is not sent.")
  static let referer = Option(
    "referer", short: "e", .text("URL"), summary: "send URL as Referer",
    detail: "With `;auto` behind it, or alone, each redirect that `-L` follows names the address that led there.")
  static let range = Option(
    "range", short: "r", .text("RANGE"), summary: "ask for these bytes only",
    detail: """
      `0-499` for the first 500, `500-` for what comes after them, `-500` for the last 500, several with commas. With a \
      body, `Content-Range` says that it is this part of the whole.
      """)
  static let continueAt = Option(
    "continue-at", short: "C", .checked("OFFSET", Continuation.fault),
    summary: "go on with a transfer that was broken off, at this byte",
    detail: """
      With `-o`, the rest is asked for and appended to the file; `-` is the size that the file has. With `-T`, the rest \
      of the file is sent, and `Content-Range` says so; with `-` all of it, since what the server has is not known.
      """)
  static let compressed = Option(
    "compressed", summary: "ask for a compressed answer, and decompress it")
  static let location = Option(
    "location", short: "L", summary: "follow redirects",
    detail: """
      50 at the most, and nothing goes from https to http. The token does not follow to another origin, and no header \
      line that might be a credential does: only those of HTTP itself that can be none (`Accept`, `Range`, \
      `User-Agent` and the like). A warning names the others.
      """)
  static let user = Option(
    "user", short: "u", .text("NAME"), summary: "send this user's name and password instead of the token",
    detail: """
      As `Basic` (RFC 7617); the password is asked for. Name and password on the command line (`NAME:PASSWORD`) are \
      refused: every user of the machine would see them. Where nobody can be asked, make a profile with `type = "basic"`.
      """)
  static let noAuth = Option(
    "no-auth", summary: "send the request without the token",
    detail: "To any address; nothing is read from the keyring.")
}
