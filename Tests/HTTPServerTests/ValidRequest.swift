/// An unusual request, or several, that the server accepts; the last one closes the connection.
struct ValidRequest: Sendable, CustomStringConvertible {
  let description: String
  let text: String
  /// Texts in what comes back, in this order.
  let answers: [String]
  var requests = 1
  /// The fields of the request, where they matter.
  var fields: String?

  private static func get(_ name: String, _ lines: String, _ answers: String..., fields: String? = nil) -> ValidRequest
  {
    ValidRequest(
      description: name, text: "GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(lines)\r\n",
      answers: answers.isEmpty ? ["GET /a "] : answers,
      fields: fields.map { "Host=a|Connection=close|\($0)" })
  }

  private static func line(_ name: String, _ line: String, _ answer: String) -> ValidRequest {
    ValidRequest(
      description: name, text: "\(line)\r\nHost: a\r\nConnection: close\r\n\r\n", answers: ["\r\n\r\n\(answer) "])
  }

  private static func host(_ name: String, _ host: String) -> ValidRequest {
    ValidRequest(
      description: name, text: "GET / HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n", answers: ["GET / "],
      fields: "Host=\(host)|Connection=close")
  }

  private static func post(_ name: String, _ lines: String, _ body: String, _ answers: String...) -> ValidRequest {
    ValidRequest(
      description: name, text: "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(lines)\r\n\(body)",
      answers: answers)
  }

  private static let chunked = "Transfer-Encoding: chunked\r\n"
  private static let pair = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n"
  private static let last = "GET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

  static let all: [ValidRequest] = [
    get("names in lower case", "accept: x\r\n", fields: "accept=x"),
    get("names in mixed case", "aCcEpT: x\r\n", fields: "aCcEpT=x"),
    get("an empty value", "A:\r\n", fields: "A="),
    get("a value of spaces", "A:  \t \r\n", fields: "A="),
    get("no space after the colon", "A:b\r\n", fields: "A=b"),
    get("spaces around a value", "A: \t b c \t\r\n", fields: "A=b c"),
    get("a tab in a value", "A: b\tc\r\n", fields: "A=b\tc"),
    get("colons in a value", "A: b: c:\r\n", fields: "A=b: c:"),
    get("UTF-8 in a value", "A: \u{E4}\u{1F600}\r\n", fields: "A=\u{E4}\u{1F600}"),
    get("all characters of a token in a name", "!#$%&'*+-.^_`|~09azAZ: b\r\n", fields: "!#$%&'*+-.^_`|~09azAZ=b"),
    get("repeated fields", "A: b\r\na: c\r\n", fields: "A=b|a=c"),
    get("197 more fields", String(repeating: "A: b\r\n", count: 197)),
    get("an upgrade", "Upgrade: h2c\r\n"),
    get("an expectation without a body", "Expect: 100-continue\r\n", "HTTP/1.1 200"),
    get("a body of no bytes", "Content-Length: 0\r\n"),
    line("a query with odd characters", "GET /?a=%zz&b[]={}|\\^`\"<> HTTP/1.1", "GET /?a=%zz&b[]={}|\\^`\"<>"),
    line("a percent-encoded path", "GET /%2Fa%20b/../%C3%A4 HTTP/1.1", "GET /%2Fa%20b/../%C3%A4"),
    line("an absolute target", "GET http://b:80/a?c HTTP/1.1", "GET http://b:80/a?c"),
    line("an absolute target without a path", "GET http://b HTTP/1.1", "GET http://b"),
    line("an asterisk", "OPTIONS * HTTP/1.1", "OPTIONS *"),
    line("a method of the client's own", "FROB-1 / HTTP/1.1", "FROB-1 /"),
    line("a method in lower case", "get / HTTP/1.1", "get /"),
    line("a method of 32 bytes", "ABCDEFGHIJKLMNOPABCDEFGHIJKLMNOP / HTTP/1.1", "ABCDEFGHIJKLMNOPABCDEFGHIJKLMNOP /"),
    line("an empty line before the request", "\r\nGET / HTTP/1.1", "GET /"),
    host("a Host with a port", "example.com:8080"), host("a Host with a dot at the end", "example.com."),
    host("a Host that is an IPv4 address", "127.0.0.1:1"), host("a Host that is an IPv6 address", "[::1]:443"),
    host("a Host with an underscore", "my_host"),
    post("a length with zeros in front", "Content-Length: 003\r\n", "abc", "POST / abc"),
    post("a length with spaces around", "Content-Length:  3 \r\n", "abc", "POST / abc"),
    post("chunks", chunked, "3\r\nabc\r\n0\r\n\r\n", "POST / abc"),
    post("the coding in mixed case", "transfer-encoding: Chunked\r\n", "3\r\nabc\r\n0\r\n\r\n", "POST / abc"),
    post("chunks with extensions", chunked, "3;a=b;c=\"d e\"\r\nabc\r\n0;f\r\n\r\n", "POST / abc"),
    post(
      "chunk sizes with zeros, in both cases", chunked, "00A\r\n0123456789\r\n0b\r\n0123456789a\r\n000\r\n\r\n",
      "POST / 01234567890123456789a"),
    post("trailers", chunked, "3\r\nabc\r\n0\r\nA: b\r\nC:\r\n\r\n", "POST / abc"),
    post("chunks without data", chunked, "0\r\n\r\n", "POST / "),
    post("100-continue", "Content-Length: 3\r\nExpect: 100-continue\r\n", "abc", "POST / abc"),
    post("100-continue in another case", "Content-Length: 3\r\nexpect: 100-Continue\r\n", "abc", "POST / abc"),
    ValidRequest(description: "a pipelined pair", text: pair + last, answers: ["GET /1 ", "GET /2 "], requests: 2),
    ValidRequest(
      description: "a pipelined pair with a body",
      text: "POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc" + last,
      answers: ["POST /1 abc", "GET /2 "], requests: 2),
    ValidRequest(
      description: "a pipelined pair with chunks",
      text: "POST /1 HTTP/1.1\r\nHost: a\r\n\(chunked)\r\n3\r\nabc\r\n0\r\n\r\n\r\n" + last,
      answers: ["POST /1 abc", "GET /2 "], requests: 2),
    ValidRequest(
      description: "100 pipelined requests", text: String(repeating: pair, count: 99) + last,
      answers: ["GET /1 ", "GET /2 "], requests: 100),
    ValidRequest(
      description: "a request after an upgrade that is not done",
      text: "GET /1 HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n" + last,
      answers: ["GET /1 ", "GET /2 "], requests: 2),
    ValidRequest(
      description: "HEAD", text: "HEAD /1 HTTP/1.1\r\nHost: a\r\n\r\n" + last,
      answers: ["Content-Length: 8\r\n\r\nHTTP/1.1 200 OK", "GET /2 "], requests: 2),
    ValidRequest(
      description: "HTTP/1.0 without Host", text: "GET / HTTP/1.0\r\n\r\n", answers: ["Connection: close\r\n\r\nGET / "]
    ),
    ValidRequest(
      description: "HTTP/1.0 with keep-alive",
      text: "GET /1 HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\nGET /2 HTTP/1.0\r\n\r\n",
      answers: ["Connection: keep-alive\r\n\r\nGET /1 ", "Connection: close\r\n\r\nGET /2 "], requests: 2),
    ValidRequest(
      description: "HTTP/1.0 with a body", text: "POST / HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc",
      answers: ["POST / abc"]),
  ]
}
