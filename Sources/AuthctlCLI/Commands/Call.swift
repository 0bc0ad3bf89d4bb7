extension Command {
  static let call = Command(
    name: "call", summary: "send a request with the token",
    operands: [Operand("URL|PATH")],
    description: """
      Sends one request, as curl would, with the profile's token. A token that is about to expire is renewed first; \
      where the API refuses it (status 401, or the profile's `refresh_on`), it is renewed once and the request is sent \
      once more with the same body.

      Anything without a scheme is appended to the profile's first `api`, with one slash between. Options keep curl's \
      names and letters. The token goes to the origins of the profile's `api` and nowhere else: not to another host on \
      the command line (status 7), and not along a redirect to another origin, whichever it is.

      The body of the answer goes to standard output, also that of an error answer; the status is then 22.
      """,
    options: CallOptions.all,
    examples: [
      Example("authctl call me", "Asks the profile's API for `me`."),
      Example("authctl call https://api.example.com/v1/items | jq .", "Finds the profile by the address."),
      Example("authctl call items --json '{\"name\": \"x\"}'", "Posts JSON."),
      Example("tar c . | authctl call -X PUT --data-binary @- uploads/today.tar", "Uploads from a pipe."),
    ],
    run: { invocation, context in try await CallRun(invocation, context).run() })
}

/// The options of `call`: curl's, with curl's meaning.
enum CallOptions {
  static let request = Option("request", short: "X", .text("METHOD"), summary: "the request's method")
  static let header = Option(
    "header", short: "H", .textOrAtFile("LINE"), repeats: true, summary: "add a header line",
    detail: """
      `Name: value` adds it or replaces authctl's own, `Name:` keeps authctl's own from being sent, `Name;` sends it \
      empty, `@FILE` reads lines from a file. The header that carries the token is refused here.
      """)
  static let data = Option(
    "data", short: "d", .textOrAtFile("DATA"), repeats: true, summary: "send DATA as a form, with POST",
    detail: "`@FILE` reads it from a file and drops line ends; `@-` from standard input. Several are joined by `&`.")
  static let dataRaw = Option("data-raw", .text("DATA"), repeats: true, summary: "like -d, but an @ has no meaning")
  static let dataBinary = Option(
    "data-binary", .textOrAtFile("DATA"), repeats: true, summary: "like -d, but a file is sent as it is",
    detail: """
      A single file or pipe is sent as it is read, in constant memory. What comes from a pipe is kept while it is \
      sent (up to 1 MiB in memory, then in an unlinked file in `TMPDIR`, else `/var/tmp`), so that it can be replayed.
      """)
  static let json = Option(
    "json", .textOrAtFile("DATA"), repeats: true, summary: "send DATA as JSON, with POST",
    detail: "Sets `Content-Type` and `Accept` to `application/json`. `@FILE` and `@-` read it from there, as it is.")
  static let output = Option("output", short: "o", .file("FILE"), summary: "write the body to FILE")
  static let include = Option("include", short: "i", summary: "print the answer's header too")
  static let silent = Option("silent", short: "s", summary: "print no error messages")
  static let showError = Option("show-error", short: "S", summary: "with -s, print error messages after all")
  static let location = Option(
    "location", short: "L", summary: "follow redirects",
    detail: "50 at the most; the token does not follow to another origin, and nothing goes from https to http.")
  static let maxTime = Option(
    "max-time", short: "m", .text("SECONDS"), summary: "how long the transfer may take",
    detail:
      "Plain seconds, with a fraction if need be, or a duration such as `2m`. Getting the token has its own limits.")
  static let connectTimeout = Option(
    "connect-timeout", .text("SECONDS"), summary: "how long connecting may take")
  static let noFail = Option("no-fail", summary: "exit 0 also when the API answers 400 or more")
  static let noAuth = Option(
    "no-auth", summary: "send the request without the token",
    detail: "To any address; nothing is read from the keyring.")

  static let all = [
    request, header, data, dataRaw, dataBinary, json, output, include, silent, showError, location, maxTime,
    connectTimeout, noFail, noAuth,
  ]
}
