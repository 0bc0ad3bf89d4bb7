extension CallOptions {
  /// The request's body.
  static let allData = [data, dataRaw, dataBinary, json]

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
}
