extension CallOptions {
  /// The options of the request's body.
  static let allData = [
    data, dataRaw, dataBinary, dataURLEncode, dataASCII, json, get, form, formString, uploadFile,
  ]

  /// The options whose values form the body or, with `-G`, the query, in command-line order.
  static let pieces = [data, dataRaw, dataBinary, dataURLEncode, dataASCII, json]

  static let data = Option(
    "data", short: "d", .textOrAtFile("DATA"), repeats: true, summary: "send DATA as a form, with POST")
  static let dataRaw = Option(
    "data-raw", .text("DATA"), repeats: true, summary: "like -d, but @ has no special meaning")
  static let dataASCII = Option("data-ascii", .textOrAtFile("DATA"), repeats: true, summary: "the same as -d")
  static let dataBinary = Option(
    "data-binary", .textOrAtFile("DATA"), repeats: true, summary: "like -d, but a file is sent as it is")
  static let dataURLEncode = Option(
    "data-urlencode", .textOrAtFile("DATA"), repeats: true, summary: "like -d, but DATA is encoded for a URL")
  static let json = Option("json", .textOrAtFile("DATA"), repeats: true, summary: "send DATA as JSON, with POST")
  static let get = Option(
    "get", short: "G", summary: "send the data in the URL's query, with GET")
  static let form = Option(
    "form", short: "F", .field("NAME=CONTENT"), repeats: true, summary: "send a multipart form field, with POST")
  static let formString = Option(
    "form-string", .text("NAME=TEXT"), repeats: true, summary: "like -F, but @, < and ; have no special meaning")
  static let uploadFile = Option(
    "upload-file", short: "T", .file("FILE"), repeats: true, summary: "send FILE, with PUT")
}
