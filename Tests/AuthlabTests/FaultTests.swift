import Foundation
import TestSupport
import Testing

@Suite struct FaultTests {
  private static func logIn(_ lab: Authlab) throws -> LoopbackResponse {
    let form = ["grant_type": "password", "username": "alice", "password": "alice-pass", "client_id": "cli"]
    return try lab.post("/token", form: form.map { (name: $0.key, value: $0.value) })
  }

  @Test(
    "responds in place of the endpoint, then clears itself",
    arguments: [
      (#""kind":"status","status":503"#, 503, "application/json", #"{"error":"server_error"}"#),
      (#""kind":"status","status":500,"body":"oops","content_type":"text/plain""#, 500, "text/plain", "oops"),
      (#""kind":"malformed""#, 200, "application/json", #"{"access_token": ""#),
      (#""kind":"empty","status":400"#, 400, nil, ""),
      (#""kind":"redirect","location":"http://127.0.0.1:1/""#, 302, nil, ""),
      (#""kind":"retry_after","milliseconds":1500"#, 429, "application/json", #"{"error":"slow_down"}"#),
    ])
  func substitute(
    fault: String, status: Int, type: String?, body: String
  ) throws {
    let lab = try Authlab()
    try lab.fail(#"{"endpoint":"token","count":1,\#(fault)}"#)
    let answer = try Self.logIn(lab)
    #expect(answer.status == status)
    #expect(answer.header("content-type") == type)
    #expect(answer.text == body)
    #expect(try Self.logIn(lab).status == 200)
    #expect(try lab.count("token.password.ok") == 1)
    #expect(try lab.count("token") == 2)
  }

  @Test("drops the connection without a byte")
  func droppedConnection() throws {
    let lab = try Authlab()
    try lab.fail(#"{"endpoint":"token","kind":"drop","count":2}"#)
    for _ in 0..<2 {
      #expect(throws: AuthlabError.cutOff(bytes: 0)) { try Self.logIn(lab) }
    }
    #expect(try Self.logIn(lab).status == 200)
  }

  @Test("breaks off half way")
  func brokenOff() throws {
    let lab = try Authlab()
    try lab.fail(#"{"endpoint":"open","kind":"truncate"}"#)
    let connection = try LoopbackConnection(port: lab.port)
    try connection.write(method: "GET", path: "/open/bytes/1000", headers: [], body: nil)
    let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
    connection.close()
    let body = try #require(text.split(separator: "\r\n\r\n", maxSplits: 1).last)
    #expect(text.contains("Content-Length: 1000\r\n"))
    #expect(Array(body.utf8).count < 1000)
  }

  @Test("keeps a connection open without a response")
  func silence() throws {
    let lab = try Authlab()
    try lab.fail(#"{"endpoint":"api","kind":"hang","count":1}"#)
    let connection = try LoopbackConnection(port: lab.port, timeout: 1)
    try connection.write(method: "GET", path: "/api/me", headers: [], body: nil)
    #expect(throws: AuthlabError.silent) { try connection.readToEnd() }
    connection.close()
    #expect(try lab.send("GET", "/api/me").status == 401)
  }

  @Test("delays a response")
  func delay() throws {
    let lab = try Authlab()
    try lab.fail(#"{"endpoint":"token.password","kind":"delay","milliseconds":150}"#)
    let start = ContinuousClock.now
    #expect(try Self.logIn(lab).status == 200)
    #expect(ContinuousClock.now - start >= .milliseconds(150))
    try lab.clearFaults()
    #expect(try lab.count("fault.delay") == 1)
  }

  @Test("sends a delayed response as soon as the faults are cleared", arguments: [true, false])
  func release(after: Bool) throws {
    let lab = try Authlab()
    try lab.fail(#"{"endpoint":"open","kind":"delay","milliseconds":600000,"after":\#(after)}"#)
    let connection = try LoopbackConnection(port: lab.port)
    try connection.write(method: "GET", path: "/open/me", headers: [], body: nil)
    while try lab.count("fault.delay") == 0 {}
    try lab.clearFaults()
    #expect(try connection.readResponse().status == 200)
    connection.close()
  }

  @Test("loses the response to a request that took effect")
  func lostResponse() throws {
    let lab = try Authlab()
    let tokens = try lab.logIn()
    try lab.fail(#"{"endpoint":"token.refresh_token","kind":"drop","count":1,"after":true}"#)
    #expect(throws: AuthlabError.cutOff(bytes: 0)) { try lab.refresh(tokens.refresh) }
    #expect(try lab.count("token.refresh_token.ok") == 1)
    #expect(try lab.refresh(tokens.refresh).string("error") == "invalid_grant")
  }

  @Test("responds to a valid token with 401 on demand")
  func refusedToken() throws {
    let lab = try Authlab()
    let token = try lab.logIn().access
    try lab.fail(#"{"endpoint":"api","kind":"always401"}"#)
    let answer = try lab.get("/api/me", token: token)
    #expect(answer.status == 401)
    #expect(answer.header("www-authenticate")?.hasPrefix("Bearer error=\"invalid_token\"") == true)
  }

  @Test(
    "refuses a fault that it does not understand",
    arguments: [
      #"{"endpoint":"nowhere","kind":"drop"}"#, #"{"endpoint":"token","kind":"explode"}"#,
      #"{"endpoint":"token","kind":"status"}"#, #"{"endpoint":"token","kind":"delay"}"#, "nonsense",
    ])
  func unknownFault(fault: String) throws {
    let lab = try Authlab()
    #expect(throws: AuthlabError.self) { try lab.fail(fault) }
  }
}
