import Foundation
import HTTPTypes
import SystemPackage
import TestSupport
import Testing

@testable import AuthCore

@Suite("TraceRecorder")
struct TraceRecorderTests {
  private let url = "https://api.example/v1?page=2"

  private func record(
    _ transfer: Transfer, by api: any HTTPTransport, keepsSecrets: Bool = false
  ) async throws -> TraceExchange {
    let recorder = TraceRecorder(keepsSecrets: keepsSecrets)
    _ = try? await recorder.recording(api).send(transfer)
    guard case .exchange(let exchange)? = recorder.entries.first?.step else { throw Unexpected(nil) }
    return exchange
  }

  private func transfer(_ body: String? = nil, type: String = "application/json") throws -> Transfer {
    var transfer = Transfer(
      method: body == nil ? .get : .post, url: try WebURL(url), body: body.map { .bytes(Array($0.utf8)) })
    if body != nil { transfer.fields[.contentType] = type }
    return transfer
  }

  @Test("times count from the start that the recorder is given")
  func start() throws {
    let recorder = TraceRecorder(redaction: nil, limit: 1, start: .now - .seconds(3600))
    let before = Date()
    recorder.note("x")
    let entry = try #require(recorder.entries.first)
    #expect(entry.offset >= 3600)
    #expect(entry.time >= before - 1, "the time of the day is that of the step")
  }

  @Test(
    "an archive has the reason phrase of the server, else the standard one",
    arguments: [
      ("HTTP/1.1 200 Fine, thanks", "Fine, thanks"), ("HTTP/1.1 200 ", "OK"), ("HTTP/2 200", "OK"),
      ("HTTP/1.1 200 a\u{1B}[1m", #"a\u{1b}[1m"#),
    ])
  func reason(line: String, reason: String) async throws {
    let api = LineTransport(lines: [.received(line), .received("")])
    let exchange = try await record(try transfer(), by: api)
    let entry = TraceEntry(
      number: 1, time: .sample, offset: 0, process: 1, isInBackground: false, step: .exchange(exchange))
    let archive = HTTPArchive(creator: "test", version: "1")
    let document = try JSONValue(parsing: #require(archive.entry(entry)).utf8)
    #expect(document["response"]?["statusText"]?.string == reason)
  }

  @Test("an archive's entry is JSON with its members sorted by name, with and without a response")
  func archive() throws {
    var exchange = TraceExchange(role: .api, method: "POST", url: "https://api.example/v1?a=1&b=%C3%A9#end")
    exchange.requestFields = [.init(name: "X-\"Odd\"", value: "a\\b\u{1B}é")]
    exchange.requestBody = .init(text: "a=1", mediaType: "application/x-www-form-urlencoded", size: 3)
    exchange.remote = "[::1]:8443"
    exchange.failure = "lost"
    var answered = exchange
    answered.failure = nil
    answered.status = 302
    answered.responseFields = [.init(name: "Location", value: "/next")]
    answered.responseBody = .init(text: "{\"a\":\"ü\"}\n", mediaType: "application/json", size: 99_999, isCut: true)
    answered.timings.tls = 1.23456
    for exchange in [exchange, answered] {
      let entry = TraceEntry(
        number: 7, time: .sample, offset: 0, process: 1, isInBackground: true, step: .exchange(exchange))
      let text = try #require(HTTPArchive(creator: "test", version: "1").entry(entry))
      let document = try JSONValue(parsing: text.utf8)
      #expect(try document.text() == text)
      #expect(document["connection"]?.string == "8443" && document["serverIPAddress"]?.string == "::1")
      #expect(document["request"]?["queryString"] == pairs([("a", "1"), ("b", "é")]))
      #expect(document["request"]?["headers"] == pairs([("X-\"Odd\"", "a\\b\u{1B}é")]))
      #expect(document["request"]?["postData"]?["params"] == pairs([("a", "1")]))
      #expect(document["response"]?["_error"]?.string == exchange.failure)
      #expect(document["response"]?["content"]?["text"]?.string == exchange.responseBody?.text)
      #expect(document["response"]?["redirectURL"]?.string == (exchange.status == 0 ? "" : "/next"))
      #expect(document["timings"]?["ssl"] == (exchange.status == 0 ? .integer(-1) : .number(1.235)))
    }
  }

  private func pairs(_ pairs: [(String, String)]) -> JSONValue {
    .array(pairs.map { .object(["name": .string($0.0), "value": .string($0.1)]) })
  }

  @Test("a request and its response: method, URL, fields, bodies and status, also without observed lines")
  func exchange() async throws {
    let api = FakeAPI(201, "created", fields: [.contentType: "text/plain"])
    var transfer = try transfer(#"{"a":1}"#)
    transfer.standardFields = [.userAgent: "test", .contentType: "not sent"]
    let exchange = try await record(transfer, by: api)
    #expect(exchange.role == .api && exchange.method == "POST" && exchange.url == url)
    #expect(
      exchange.requestFields.map { "\($0.name): \($0.value)" } == [
        "Content-Type: application/json", "User-Agent: test",
      ])
    #expect(exchange.requestBody == .init(text: #"{"a":1}"#, mediaType: "application/json", size: 7))
    #expect(exchange.status == 201 && exchange.failure == nil)
    #expect(exchange.responseFields.contains { $0.name.lowercased() == "content-type" && $0.value == "text/plain" })
    #expect(exchange.responseBody == .init(text: "created", mediaType: "text/plain", size: 7))
  }

  @Test("header lines as they were sent and received; those of a proxy and interim responses are left out")
  func lines() async throws {
    let lines: [WireLine] = [
      .note("Connected"), .sent("CONNECT api.example:443 HTTP/1.1"), .sent("Proxy-Authorization: Basic cHJveHk6cHc="),
      .sent(""), .received("HTTP/1.1 200 Established"), .received("Via: proxy"), .received(""),
      .sent("GET /v1 HTTP/1.1"), .sent("X-Odd:  spaced"), .sent(""), .received("HTTP/1.1 100 Continue"), .received(""),
      .received("HTTP/1.1 200 OK"), .received("X-Real: yes"), .received(""), .received("X-Trailer: late"),
    ]
    let seen = EventLog()
    var transfer = try transfer()
    transfer.trace = { if case .sent = $0 { seen.handler(.warning("sent")) } }
    let exchange = try await record(transfer, by: LineTransport(lines: lines))
    #expect(exchange.requestFields == [.init(name: "X-Odd", value: "spaced")])
    #expect(exchange.responseFields == [.init(name: "X-Real", value: "yes")])
    #expect(exchange.status == 200 && exchange.httpVersion == "2" && exchange.remote == "[::1]:8443")
    // The request's own observer sees all of them.
    #expect(seen.events.count == 6)
    let refused = try await record(
      try self.transfer(nil), by: LineTransport(lines: Array(lines[..<7]), isRefused: true))
    #expect(refused.status == 0 && refused.responseFields.isEmpty && refused.responseBody == nil)
    #expect(refused.requestFields.isEmpty && refused.failure == "the proxy refuses")
  }

  @Test("of a header that is sent again, as to a proxy that wants a password, the last one counts")
  func sentAgain() async throws {
    let secret = "the-token-of-the-user"
    let first: [WireLine] = [
      .sent("GET http://api.example/v1 HTTP/1.1"), .sent("Authorization: Bearer \(secret)"), .sent(""),
      .received("HTTP/1.1 407 Proxy Authentication Required"), .received(""),
    ]
    let second: [WireLine] = [first[0], first[1], .sent("Proxy-Authorization: Basic cHJveHk6cHc="), first[2]]
    let last: [WireLine] = [.received("HTTP/1.1 200 OK"), .received("X-Echo: \(secret)"), .received("")]
    var transfer = try transfer(nil)
    transfer.credential = { [HTTPField(name: .authorization, value: "Bearer \(secret)")] }
    let exchange = try await record(transfer, by: LineTransport(lines: first, later: second + last))
    #expect(
      exchange.requestFields == [
        .init(name: "Authorization", value: "Bearer ‹redacted \(Secret(secret).fingerprint)›"),
        .init(name: "Proxy-Authorization", value: "Basic ‹redacted›"),
      ])
    #expect(exchange.status == 200 && exchange.responseFields == [.init(name: "X-Echo", value: "‹redacted›")])
  }

  @Test("the phases of a new connection and of a reused one, without the wait for the token")
  func timings() async throws {
    func phases(_ token: Int, newConnections: Int = 1) throws -> TracePhases {
      var report = TransferReport(of: try transfer())
      report.newConnections = newConnections
      report.times.nameLookup = .milliseconds(10)
      report.times.connect = .milliseconds(30)
      report.times.handshake = .milliseconds(60)
      report.times.preTransfer = .milliseconds(100)
      report.times.startTransfer = .milliseconds(150)
      report.times.total = .milliseconds(250)
      return try #require(TracePhases(report, token: .milliseconds(token)))
    }
    for token in [-5, 50] {
      let new = try phases(token)
      #expect(new.pause == .zero && new.timings.total == 250)
      #expect(new.timings.dns == 10 && new.timings.connect == 20 && new.timings.tls == 30)
      #expect(new.timings.wait == 50 && new.timings.receive == 100)
    }
    // 40 ms after the connection was open, and after the response.
    #expect(try phases(100).pause == .milliseconds(40) && phases(100).timings.total == 210)
    #expect(try phases(100).timings.wait == 50)
    #expect(try phases(1000).timings.total == 160 && phases(1000).timings.wait == 0)
    let reused = try phases(20, newConnections: 0)
    #expect(reused.timings.dns == nil && reused.timings.connect == nil && reused.timings.tls == nil)
    #expect(reused.pause == .milliseconds(20) && reused.timings.total == 230 && reused.timings.wait == 50)
    #expect(TracePhases(nil, token: .zero) == nil)
  }

  @Test("a failure is recorded and thrown; so is a request that is still open at the end")
  func failures() async throws {
    let recorder = TraceRecorder()
    let transport = recorder.recording(ScriptedTransport([.failure(.timedOut(detail: "no response"))]))
    await #expect(throws: TransportError.self) { _ = try await transport.send(try transfer()) }
    let open = FakeAPI { _ in
      recorder.finish()
      return .made(200)
    }
    _ = try await recorder.recording(open).send(try transfer())
    recorder.note("too late")
    let failures = recorder.entries.map { entry -> String in
      guard case .exchange(let exchange) = entry.step else { return "" }
      return exchange.failure ?? "none"
    }
    #expect(failures == ["no response", "interrupted: there was no complete response yet"])
    #expect(recorder.entries.map(\.number) == [1, 2])
  }

  @Test("tokens that a server issues under names of its own are not in the record, however the names are written")
  func issued() async throws {
    let bodies = [
      #"{"a":{"k":"CUSTTOK1234567890abcdefgh","n":12345678},"list":["CUSTTOK1234567890abcdefgh"],"error":"none"}"#,
      #"{"\u0061ccess_tok\u0065n":"CUSTTOK1234567890abcdefgh","code":12345678,"error":"none"}"#,
      "<token>CUSTTOK1234567890abcdefgh</token> error none",
    ]
    for body in bodies {
      var transfer = try transfer("a=b", type: "application/x-www-form-urlencoded")
      transfer.isConfidential = true
      transfer.isForServer = true
      let exchange = try await record(transfer, by: FakeAPI(200, body, fields: [.contentType: "application/json"]))
      let text = try #require(exchange.responseBody?.text)
      #expect(!text.contains("CUSTTOK") && !text.contains("12345678") && text.contains("none"), "\(text)")
    }
  }

  @Test("a response with many cookies does not make the record forget the token of its request")
  func manyCookies() async throws {
    var transfer = try transfer()
    transfer.credential = { [HTTPField(name: .authorization, value: "Bearer tok-1234567890abcdef")] }
    var fields: HTTPFields = [.contentType: "text/plain"]
    for number in 0..<400 {
      fields.append(HTTPField(name: .setCookie, value: "c\(number)=value-\(number)-of-a-cookie"))
    }
    let exchange = try await record(transfer, by: FakeAPI(200, "echo tok-1234567890abcdef", fields: fields))
    #expect(exchange.responseBody?.text == "echo ‹redacted›")
  }

  @Test("a body from a file: the part that is sent, redacted; of a long one its beginning, of a binary one its size")
  func file() async throws {
    let folder = try TemporaryDirectory()
    var answers: [String?] = []
    func body(_ content: [UInt8], from offset: Int64 = 0, type: String = "application/json") async throws
      -> TraceExchange.Body?
    {
      try Data(content).write(to: folder.url.appending(path: "body"))
      let file = try FileDescriptor.open(folder.path.appending("body"), .readOnly)
      defer { try? file.close() }
      var transfer = try transfer("")
      transfer.fields[.contentType] = type
      transfer.body = .file(file, offset: offset, length: Int64(content.count) - offset)
      let exchange = try await record(
        transfer, by: FakeAPI(200, "you sent swordfish", fields: [.contentType: "text/plain"]))
      answers.append(exchange.responseBody?.text)
      return exchange.requestBody
    }
    let text = #"{"password":"swordfish","a":1}"#
    let part = try await body(Array((".." + text).utf8), from: 2)
    let shown = #"{"password":"‹redacted›","a":1}"#
    #expect(part == .init(text: shown, mediaType: "application/json", size: Int64(text.utf8.count)))
    let long = try await body(Array(String(repeating: "x", count: 80_000).utf8), type: "text/plain")
    #expect(long?.text?.utf8.count == 64 << 10 && long?.isCut == true && long?.size == 80_000)
    #expect(try await body([0xFF, 0xFE, 0], type: "image/png") == .init(text: nil, mediaType: "image/png", size: 3))
    #expect(answers == ["you sent ‹redacted›", "you sent swordfish", "you sent swordfish"])
    withExtendedLifetime(folder) {}
  }

  @Test("a request for which there is no token is not sent, and not recorded")
  func withheld() async throws {
    let recorder = TraceRecorder()
    var transfer = try transfer()
    transfer.credential = { throw AuthError.loginRequired(.init("refreshing", why: "refused")) }
    await #expect(throws: AuthError.self) { try await recorder.recording(FakeAPI(200, "")).send(transfer) }
    recorder.finish()
    #expect(recorder.entries.isEmpty)
  }

  @Test("a token has a fingerprint in its header, and is replaced wherever an API repeats it")
  func token() async throws {
    let secret = "top/secret+token-of-the-user"
    let api = FakeAPI(
      200, #"{"echo":"\#(FormEncoding.percentEncode(secret)) \#(secret)"}"#,
      fields: [
        .contentType: "application/json", .location: "https://api.example/?code=abcdefgh",
      ])
    var transfer = try transfer()
    transfer.credential = { [HTTPField(name: .authorization, value: "Bearer \(secret)")] }
    let exchange = try await record(transfer, by: api)
    #expect(exchange.requestFields.last?.value == "Bearer ‹redacted \(Secret(secret).fingerprint)›")
    #expect(exchange.responseBody?.text == #"{"echo":"‹redacted› ‹redacted›"}"#)
    #expect(!"\(exchange)".contains(secret) && !"\(exchange)".contains("abcdefgh"))
    let kept = try await record(transfer, by: api, keepsSecrets: true)
    #expect(kept.requestFields.last?.value == "Bearer \(secret)")
    #expect(kept.responseBody?.text?.contains(secret) == true)
  }

  @Test(
    "forms and documents of an authorization server: tokens by type, length and fingerprint, other secrets not at all")
  func server() async throws {
    let access = "an-access-token-of-33-characters."
    let jwt = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2lnbmF0dXJl"
    let api = FakeAPI(
      200,
      """
      {"access_token": "\(access)", "id_token":"\(jwt)", "expires_in": 60, "user_code":"ABCD-EFGH",
       "verification_uri_complete": "https://id.example/device?user_code=ABCD-EFGH", "scope": "api"}
      """, fields: [.contentType: "application/json"])
    let form = "grant_type=password&username=alice&password=sesame&client_secret=conf%2Fsecret&code=123456&scope=api"
    var transfer = try transfer(form, type: "application/x-www-form-urlencoded")
    transfer.isForServer = true
    let exchange = try await record(transfer, by: api)
    #expect(exchange.role == .server)
    #expect(
      exchange.requestBody?.text
        == "grant_type=password&username=alice&password=‹redacted›&client_secret=‹redacted›&code=‹redacted›&scope=api")
    let shown = { (kind: String, token: String) in
      "‹\(kind), \(token.count) chars, \(Secret(token).fingerprint)›"
    }
    #expect(
      exchange.responseBody?.text == """
        {"access_token":"\(shown("opaque", access))","expires_in":60,"id_token":"\(shown("JWT", jwt))",\
        "scope":"api","user_code":"‹redacted›","verification_uri_complete":"‹redacted›"}
        """)
  }

  @Test("secrets that a profile puts into a request are replaced, however short")
  func ownSecrets() async throws {
    var transfer = try transfer("my pin is 4711", type: "text/plain")
    transfer.secrets = [Secret("4711")]
    let exchange = try await record(transfer, by: FakeAPI(400, "4711 is wrong", fields: [.contentType: "text/plain"]))
    #expect(exchange.requestBody?.text == "my pin is ‹redacted›")
    #expect(exchange.responseBody?.text == "‹redacted› is wrong")
  }

  @Test("a long body is cut, also within a token, and a binary one has its size only")
  func bodies() async throws {
    let token = "token-that-lies-at-the-limit-of-the-body"
    let text =
      String(repeating: "x", count: TraceTransfer.bodyLimit - 10) + token + String(repeating: "y", count: 20_000)
    var transfer = try transfer()
    transfer.credential = { [HTTPField(name: .authorization, value: "Bearer \(token)")] }
    let long = try await record(transfer, by: FakeAPI(200, text, fields: [.contentType: "text/plain"]))
    let body = try #require(long.responseBody)
    #expect(body.isCut && body.size == Int64(text.utf8.count))
    #expect(body.text?.utf8.count ?? 0 <= TraceTransfer.bodyLimit && body.text?.contains("token") == false)
    for type in ["image/png", "multipart/form-data; boundary=a", "application/octet-stream"] {
      let binary = try await record(
        try self.transfer("abc", type: type), by: FakeAPI(200, "def", fields: [.contentType: type]))
      #expect(binary.requestBody == .init(text: nil, mediaType: type, size: 3))
      #expect(binary.responseBody == .init(text: nil, mediaType: type, size: 3))
    }
    let packed = FakeAPI(200, "def", fields: [.contentType: "text/plain", .contentEncoding: "gzip"])
    #expect(try await record(try self.transfer(), by: packed).responseBody?.text == nil)
  }

  @Test("a text that may end within a secret loses the secret's beginning")
  func cutSecret() {
    let known = KnownSecrets()
    known.add("top-secret-token")
    #expect(known.redacting("a top-sec", isCut: true) == "a ‹redacted›")
    #expect(known.redacting("a top-sec") == "a top-sec")
    #expect(known.redacting("a top-xyz", isCut: true) == "a top-xyz")
  }

  @Test("events and notes are recorded in their order without secrets; further steps are counted")
  func steps() throws {
    let recorder = TraceRecorder(limit: 2)
    recorder.handler(.warning("https://id.example/?code=abcdefgh is odd"))
    recorder.note("opened the browser")
    recorder.note("one more")
    #expect(
      recorder.entries.map(\.step) == [
        .event(.warning("https://id.example/?code=‹redacted› is odd")), .note("opened the browser"),
      ])
    #expect(recorder.omittedCount == 1)
  }

  @Test("a program gets its record as an archive with its requests, and as a diagram with its steps, too")
  func forms() async throws {
    let recorder = TraceRecorder()
    _ = try await recorder.recording(FakeAPI(200, "{}")).send(try transfer())
    recorder.note("logged in")
    let log = try JSONValue(parsing: recorder.har(creator: "demo").utf8)["log"]
    #expect(log?["creator"]?["name"]?.string == "demo")
    guard case .array(let entries)? = log?["entries"] else { throw Unexpected(log) }
    #expect(entries.map { $0["request"]?["url"]?.string } == [url])
    let diagram = recorder.mermaid(program: "demo")
    #expect(diagram.hasPrefix("sequenceDiagram\n") && diagram.contains("participant program as demo\n"))
    #expect(diagram.contains("GET /v1") && diagram.contains("logged in"), "\(diagram)")
  }

  @Test("an entry of another process gets a number and an offset of this one, and keeps the rest")
  func otherProcess() throws {
    let child = TraceRecorder(redaction: Redaction(), limit: 5, isInBackground: true)
    let recorder = TraceRecorder()
    recorder.note("first")
    child.note("second")
    var entry = try #require(child.entries.first)
    entry.process = 4711
    recorder.add(entry)
    let added = try #require(recorder.entries.last)
    #expect(added.number == 2 && added.process == 4711 && added.isInBackground && added.offset >= 0)
  }

  @Test("requests that are sent at the same time are all recorded, with numbers of their own")
  func parallel() async throws {
    let recorder = TraceRecorder(limit: 1000)
    let transport = recorder.recording(FakeAPI(200, "a"))
    try await withThrowingTaskGroup { group in
      for _ in 1...500 { group.addTask { [transfer] in _ = try await transport.send(try transfer()) } }
      try await group.waitForAll()
    }
    #expect(recorder.entries.map(\.number).sorted() == Array(1...500))
  }

  private func transfer() throws -> Transfer { try transfer(nil) }
}

/// Shows header lines, and responds with 200 over HTTP/2.
private struct LineTransport: HTTPTransport {
  let lines: [WireLine]
  /// Further lines, after the first ones have been recorded.
  var later: [WireLine] = []
  /// Whether there is no response.
  var isRefused = false

  func send(_ transfer: Transfer) async throws -> TransferResponse {
    _ = try await transfer.credential?()
    for line in lines { transfer.trace?(line) }
    for line in later { transfer.trace?(line) }
    if isRefused { throw TransportError.unreachable(detail: "the proxy refuses") }
    var report = TransferReport(of: transfer)
    report.httpVersion = "2"
    report.remote.address = "::1"
    report.remote.port = 8443
    transfer.report?(report)
    return TransferResponse(status: 200)
  }
}
