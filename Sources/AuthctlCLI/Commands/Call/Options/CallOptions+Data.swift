extension CallOptions {
  /// The options of the request's body.
  static let allData = [
    data, dataRaw, dataBinary, dataURLEncode, dataASCII, json, get, form, formString, uploadFile,
  ]

  /// The options whose values form the body or, with `-G`, the query, in command-line order.
  static let pieces = [data, dataRaw, dataBinary, dataURLEncode, dataASCII, json]

  static let data = Option(
    "data", short: "d", .textOrAtFile("DATA"), repeats: true, summary: "send DATA as a form, with POST",
    detail: "`@FILE` reads it from a file without line ends, `@-` from standard input. Several are joined by `&`.")
  static let dataRaw = Option(
    "data-raw", .text("DATA"), repeats: true, summary: "like -d, but @ has no special meaning")
  static let dataASCII = Option("data-ascii", .textOrAtFile("DATA"), repeats: true, summary: "the same as -d")
  static let dataBinary = Option(
    "data-binary", .textOrAtFile("DATA"), repeats: true, summary: "like -d, but a file is sent as it is",
    detail: """
      A single file or pipe is sent as it is read, in constant memory. The content of a pipe is kept while it is sent \
      (up to 1 MiB in memory, then in an unlinked file in `TMPDIR`, else `/var/tmp`), so that it can be replayed.
      """)
  static let dataURLEncode = Option(
    "data-urlencode", .textOrAtFile("DATA"), repeats: true, summary: "like -d, but DATA is encoded for a URL",
    detail: """
      - `CONTENT`, `=CONTENT`: the content is encoded; a leading `=` is dropped
      - `NAME=CONTENT`: the content is encoded, the name is sent as it is
      - `@FILE`, `NAME@FILE`: the same with the content of the file, line ends included; `-` is standard input
      """)
  static let json = Option(
    "json", .textOrAtFile("DATA"), repeats: true, summary: "send DATA as JSON, with POST",
    detail: """
      Sets `Content-Type` and `Accept` to `application/json`, unless `-H` sets them. `@FILE` reads it from a file, \
      `@-` from standard input, unchanged. Several are concatenated.
      """)
  static let get = Option(
    "get", short: "G", summary: "send the data in the URL's query, with GET")
  static let form = Option(
    "form", short: "F", .field("NAME=CONTENT"), repeats: true, summary: "send a multipart form field, with POST",
    detail: """
      - `NAME=TEXT`: a text
      - `NAME=@FILE`: a file with its name; several files with commas; `-` is standard input
      - `NAME=<FILE`: the content of a file as a text
      - `NAME=(`, `=)`: start and end of a nested multipart, which contains the `-F` between them

      Append `;type=MEDIA/TYPE`, `;filename=NAME`, `;headers="Name: value"`, `;headers=@FILE` (lines of a file), \
      `;encoder=binary` or `;encoder=8bit`. Put a value with a `;`, a `,`, or spaces at its ends between double \
      quotes, with a backslash before each `"` and `\\`. Files are sent as they are read, and read again for a replay.
      """)
  static let formString = Option(
    "form-string", .text("NAME=TEXT"), repeats: true, summary: "like -F, but @, < and ; have no special meaning")
  static let uploadFile = Option(
    "upload-file", short: "T", .file("FILE"), repeats: true, summary: "send FILE, with PUT",
    detail: """
      `-` and `.` are standard input. If the URL ends in a slash, the file's name is appended. With several URLs, the \
      first `-T` is for the first URL, and so on; an empty one means no file.
      """)
}
