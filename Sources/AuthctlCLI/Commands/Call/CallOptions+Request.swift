extension CallOptions {
  /// What the request is, beside its body.
  static let allRequest = [request, header, location, noAuth]

  static let request = Option("request", short: "X", .text("METHOD"), summary: "the request's method")
  static let header = Option(
    "header", short: "H", .textOrAtFile("LINE"), repeats: true, summary: "add a header line",
    detail: """
      `Name: value` adds it or replaces authctl's own, `Name:` keeps authctl's own from being sent, `Name;` sends it \
      empty, `@FILE` reads lines from a file. The header that carries the token is refused here.
      """)
  static let location = Option(
    "location", short: "L", summary: "follow redirects",
    detail: """
      50 at the most, and nothing goes from https to http. The token does not follow to another origin, and no header \
      line that might be a credential does: only those of HTTP itself that can be none (`Accept`, `Range`, \
      `User-Agent` and the like). A warning names the others.
      """)
  static let noAuth = Option(
    "no-auth", summary: "send the request without the token",
    detail: "To any address; nothing is read from the keyring.")
}
