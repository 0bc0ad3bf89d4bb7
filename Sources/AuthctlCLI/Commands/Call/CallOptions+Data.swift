extension CallOptions {
  /// The request's body.
  static let allData = [
    data, dataRaw, dataBinary, dataURLEncode, dataASCII, json, get, form, formString, uploadFile,
  ]

  /// What makes up a body of data, or with `-G` the query, in its order on the command line.
  static let pieces = [data, dataRaw, dataBinary, dataURLEncode, dataASCII, json]

  static let data = Option(
    "data", short: "d", .textOrAtFile("DATA"), repeats: true, summary: "send DATA as a form, with POST",
    detail: "`@FILE` reads it from a file and drops line ends; `@-` from standard input. Several are joined by `&`.")
  static let dataRaw = Option("data-raw", .text("DATA"), repeats: true, summary: "like -d, but an @ has no meaning")
  static let dataASCII = Option("data-ascii", .textOrAtFile("DATA"), repeats: true, summary: "the same as -d")
  static let dataBinary = Option(
    "data-binary", .textOrAtFile("DATA"), repeats: true, summary: "like -d, but a file is sent as it is",
    detail: """
      A single file or pipe is sent as it is read, in constant memory. What comes from a pipe is kept while it is \
      sent (up to 1 MiB in memory, then in an unlinked file in `TMPDIR`, else `/var/tmp`), so that it can be replayed.
      """)
  static let dataURLEncode = Option(
    "data-urlencode", .textOrAtFile("DATA"), repeats: true, summary: "like -d, but DATA is encoded for a URL",
    detail: """
      - `CONTENT`, `=CONTENT`: the content is encoded (an `=` in front is left out)
      - `NAME=CONTENT`: the content is encoded, the name is sent as it is
      - `@FILE`, `NAME@FILE`: the same with what is in the file, line ends included; `-` is standard input
      """)
  static let json = Option(
    "json", .textOrAtFile("DATA"), repeats: true, summary: "send DATA as JSON, with POST",
    detail: """
      Sets `Content-Type` and `Accept` to `application/json`, unless `-H` says otherwise. `@FILE` and `@-` read it from \
      there, as it is. Several are joined without anything between.
      """)
  static let get = Option(
    "get", short: "G", summary: "put the data into the URL's query, with GET")
  static let form = Option(
    "form", short: "F", .text("NAME=CONTENT"), repeats: true, summary: "send a field of a multipart form, with POST",
    detail: """
      - `NAME=TEXT`: a text
      - `NAME=@FILE`: a file with its name; several with commas between them; `-` is standard input
      - `NAME=<FILE`: what is in the file as a text
      - `NAME=(`, `=)`: the begin and the end of a part whose parts are the `-F` between them

      Behind it may stand `;type=MEDIA/TYPE`, `;filename=NAME`, `;headers="Name: value"` or `;headers=@FILE` with lines of \
      a file, and `;encoder=binary` or `;encoder=8bit`. What holds a `;`, a `,` or spaces at its ends is put between \
      double quotes, in which a backslash stands before a `"` or a `\\`. Files are sent as they are read, and read anew \
      where the request is sent once more.
      """)
  static let formString = Option(
    "form-string", .text("NAME=TEXT"), repeats: true, summary: "like -F, but @, < and ; have no meaning")
  static let uploadFile = Option(
    "upload-file", short: "T", .file("FILE"), repeats: true, summary: "send FILE, with PUT",
    detail: """
      `-` and `.` are standard input. Where the address ends in a slash, the file's name is appended. With several \
      addresses, the first `-T` is for the first of them, and so on; an empty one is for an address without.
      """)
}
