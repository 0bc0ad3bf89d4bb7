import Foundation
import TestSupport
import Testing

@Suite struct ResourceTests {
  @Test("asks for a token (RFC 6750, section 3)")
  func challenge() throws {
    let answer = try Authlab().send("GET", "/api/me")
    #expect(answer.status == 401)
    #expect(answer.header("www-authenticate") == "Bearer realm=\"authlab\"")
  }

  @Test(
    "refuses an expired token in the requested form",
    arguments: [
      ("full", "Bearer error=\"invalid_token\", error_description=\"The access token expired.\""),
      ("lowercase", "bearer error=\"invalid_token\", error_description=\"The access token expired.\""),
      ("no-space", "Bearer error=\"invalid_token\",error_description=\"The access token expired.\""),
      ("absent", nil),
    ])
  func expiredToken(form: String, header: String?) throws {
    let lab = try Authlab()
    let token = try lab.logIn().access
    try lab.change(#"{"challenge":"\#(form)"}"#)
    try lab.expireAccessTokens()
    let answer = try lab.get("/api/me", token: token)
    #expect(answer.status == 401)
    #expect(answer.header("www-authenticate") == header)
    #expect(try lab.count("api.401") == 1)
  }

  @Test("expires a token without a request")
  func expiry() throws {
    let lab = try Authlab(["--access-lifetime", "0.000001"])
    let token = try lab.logIn().access
    let answer = try lab.get("/api/forbidden-when-expired", token: token)
    #expect(answer.status == 403)
    #expect(answer.header("www-authenticate") == nil)
  }

  @Test("refuses revoked tokens")
  func revokedToken() throws {
    let lab = try Authlab()
    let token = try lab.logIn().access
    try lab.revokeAll()
    let answer = try lab.get("/api/me", token: token)
    #expect(try answer.string("error_description") == "The access token was revoked.")
  }

  @Test("echoes the request with its header fields in their order")
  func echoedRequest() throws {
    let lab = try Authlab()
    let headers = [(name: "X-B", value: "1"), (name: "x-a", value: "2"), (name: "X-B", value: "3")]
    let answer = try lab.send("PATCH", "/open/echo/deep?a=1&a=%C3%A9", headers: headers, body: Data("hé\"".utf8))
    let json = try answer.json()
    #expect(json["method"] as? String == "PATCH")
    #expect(json["path"] as? String == "/open/echo/deep")
    #expect(json["query"] as? [[String]] == [["a", "1"], ["a", "é"]])
    #expect((json["headers"] as? [[String]])?.dropFirst(2).dropLast() == [["X-B", "1"], ["x-a", "2"], ["X-B", "3"]])
    #expect(json["body"] as? String == "hé\"")
    #expect(json["length"] as? Int == 4)
    #expect(json["sha256"] as? String == "8965808b7a39e5e774dc0c344a522f264c96ed1712cc6fec321131cb1e9112c6")
  }

  @Test("echoes bytes that are not text as base64")
  func echoedBytes() throws {
    let json = try Authlab().send("POST", "/open/echo", body: Data([0xff, 0x00])).json()
    #expect(json["body"] == nil)
    #expect(json["body_base64"] as? String == "/wA=")
  }

  @Test("reads chunked bodies")
  func chunkedBody() throws {
    let lab = try Authlab()
    let connection = try LoopbackConnection(port: lab.port)
    let head = "POST /open/echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    try connection.write(Data((head + "3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\nX: y\r\n\r\n").utf8))
    let answer = try connection.readResponse()
    connection.close()
    #expect(try answer.string("body") == "abc0123456789")
  }

  @Test("refuses before a held-back body is sent (RFC 9110, section 10.1.1)")
  func heldBackBody() throws {
    let lab = try Authlab()
    let connection = try LoopbackConnection(port: lab.port)
    let head = "POST /api/echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n"
    try connection.write(Data(head.utf8))
    let answer = try connection.readResponse()
    connection.close()
    #expect(answer.status == 401)
    #expect(answer.header("connection") == "close")
  }

  @Test("serves several requests on one connection, and only the head to HEAD")
  func keptConnection() throws {
    let lab = try Authlab()
    let connection = try LoopbackConnection(port: lab.port)
    let first = "HEAD /open/bytes/9 HTTP/1.1\r\nHost: x\r\n\r\n"
    try connection.write(Data((first + "GET /open/bytes/3 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").utf8))
    let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
    connection.close()
    #expect(text.contains("Content-Length: 9\r\n\r\nHTTP/1.1 200 OK\r\n"))
    #expect(text.hasSuffix("\r\n\r\n\u{0}\u{1}\u{2}"))
  }

  @Test("shows that no token came to another origin")
  func otherOrigin() throws {
    let (first, other) = (try Authlab(), try Authlab())
    let token = try first.logIn().access
    let answer = try first.get("/api/redirect?to=\(other.origin)/open/echo&status=307", token: token)
    #expect(answer.status == 307)
    #expect(answer.header("location") == other.origin + "/open/echo")
    _ = try other.send("GET", "/open/echo")
    #expect(try other.lastRequests().map { $0.header("authorization") } == [nil])
    #expect(try first.lastRequests(1).first?.header("authorization") == "Bearer \(token)")
  }

  @Test("responds with the requested status", arguments: [204, 404, 503])
  func requestedStatus(status: Int) throws {
    let lab = try Authlab()
    let answer = try lab.get("/api/status/\(status)", token: try lab.logIn().access)
    #expect(answer.status == status)
    #expect(answer.body.isEmpty == (status == 204))
  }

  @Test(
    "responds with 400 to what is not HTTP",
    arguments: ["nonsense\r\n\r\n", "GET / HTTP/1.1\r\n: x\r\n\r\n", "GET / HTTP/3\r\n\r\n"])
  func notHTTP(text: String) throws {
    let lab = try Authlab()
    let connection = try LoopbackConnection(port: lab.port)
    try connection.write(Data(text.utf8))
    #expect(try connection.readResponse().status == 400)
    connection.close()
  }
}
