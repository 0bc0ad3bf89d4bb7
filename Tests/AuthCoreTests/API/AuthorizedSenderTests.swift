import HTTPTypes
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import AuthCore

@Suite("AuthorizedSender")
struct AuthorizedSenderTests {
  private let asked = TwoCredentials()

  private func sender(
    _ transport: any HTTPTransport, header: TokenHeader = TokenHeader(), origins: [String] = ["https://api.example"],
    refreshOn: Set<Int> = [401], events: EventLog = EventLog()
  ) throws -> AuthorizedSender {
    AuthorizedSender(
      transport,
      .init(
        asked, header: header, origins: Set(try origins.map { try WebURL($0).origin }),
        refusals: RefusalRule(statuses: refreshOn)), events: events.handler)
  }

  private func post(_ url: String = "https://api.example/v1", fields: HTTPFields = [:]) throws -> Transfer {
    Transfer(method: .post, url: try WebURL(url), fields: fields, body: .bytes(Array("body".utf8)))
  }

  private func tokens(_ transport: ScriptedTransport) -> [String?] {
    transport.requests.map { $0.fields[.authorization] }
  }

  @Test(
    "a 401 causes one refresh and one replay with the same body (invariant 8)",
    arguments: [nil, "Bearer", "bearer realm=x,error=y"])
  func replay(challenge: String?) async throws {
    var fields: HTTPFields = [:]
    fields[.wwwAuthenticate] = challenge
    let transport = ScriptedTransport([.response(401, "no", fields: fields), .response(200, "yes")])
    let events = EventLog()
    let response = try await sender(transport, events: events).send(post(), redirects: .response)
    #expect(response.status == 200)
    #expect(tokens(transport) == ["Bearer A1", "Bearer A2"])
    #expect(transport.requests.map(\.body) == ["body", "body"])
    #expect(transport.requests.map(\.method) == [.post, .post])
    #expect(asked.replacing == [nil, Secret("A1")])
    #expect(transport.destinations == ["discard", "collect(limit: 1048576)"])
    #expect(events.events == [.replaying(status: 401)])
  }

  @Test("a body from a pipe is replayed whole (invariant 8)")
  func pipe() async throws {
    let (reading, writing) = try FileDescriptor.pipe()
    try writing.closeAfter { _ = try writing.writeAll("from a pipe".utf8) }
    let transport = ScriptedTransport([.response(401), .response(200)])
    var transfer = try post()
    transfer.body = .stream(Spool(reading, folder: "/tmp"))
    _ = try await sender(transport).send(transfer, redirects: .response)
    try reading.close()
    #expect(transport.requests.map(\.body) == ["from a pipe", "from a pipe"])
  }

  @Test("a body that could not be kept is never sent a second time, and no token is refreshed for it")
  func unkept() async throws {
    let folder = try TemporaryDirectory()
    let file = try FileDescriptor.open(
      folder.path.appending("source"), .readWrite, options: [.create], permissions: [.ownerReadWrite])
    _ = try file.writeAll([UInt8](repeating: 7, count: 2 * Spool.memoryLimit))
    try file.seek(offset: 0, from: .start)
    // A folder in which no file can be made.
    let spool = Spool(file, folder: "/proc")
    #expect(try spool.readToEnd().count == 2 * Spool.memoryLimit)
    try file.close()
    var transfer = try post()
    transfer.body = .stream(spool)
    let failure = try #require(spool.failure)
    let transport = ScriptedTransport([.response(401), .response(200)])
    await #expect(
      throws: AuthError.failed(
        .init(
          "replaying the body to https://api.example/v1",
          why: "the piped body could not be stored for the replay: \(failure)",
          hint: "free some space in /var/tmp, set TMPDIR to a folder with space, or use a file instead of the pipe"))
    ) {
      try await sender(transport).send(transfer, redirects: .response)
    }
    #expect(transport.requests.isEmpty)
    #expect(asked.replacing.isEmpty)
  }

  @Test("a redirect that is followed says where it came from only where that was asked for", arguments: [true, false])
  func referer(refersOnward: Bool) async throws {
    let requests = Mutex<[Transfer]>([])
    let transport = RecordingTransport { transfer in
      requests.withLock { $0.append(transfer) }
      return TransferResponse(status: transfer.url.path == "/end" ? 200 : 307, fields: [.location: "/end"])
    }
    var transfer = Transfer(method: .put, url: try WebURL("https://api.example/v1?a=b"), body: .bytes([1]))
    transfer.refersOnward = refersOnward
    transfer.standardFields[.referer] = "https://first.example/"
    let sender = AuthorizedSender(transport, nil, events: { _ in })
    _ = try await sender.send(transfer, redirects: .follow(keepingMethod: false))
    #expect(
      requests.withLock { $0.map { $0.standardFields[.referer] } }
        == ["https://first.example/", refersOnward ? "https://api.example/v1?a=b" : "https://first.example/"])
  }

  @Test("another origin receives only the address that the redirect names, and nothing that was typed for the first")
  func foreignReferer() async throws {
    for (refersOnward, expected) in [(true, "https://api.example/"), (false, nil)] {
      let requests = Mutex<[Transfer]>([])
      let transport = RecordingTransport { transfer in
        requests.withLock { $0.append(transfer) }
        let isEnd = transfer.url.path == "/end"
        return TransferResponse(status: isEnd ? 200 : 302, fields: [.location: "https://other.example/end"])
      }
      var transfer = Transfer(method: .get, url: try WebURL("https://api.example/v1?a=secret"))
      transfer.refersOnward = refersOnward
      transfer.standardFields[.referer] = "https://first.example/page?secret"
      _ = try await AuthorizedSender(transport, nil, events: { _ in }).send(
        transfer, redirects: .follow(keepingMethod: false))
      let referer = requests.withLock { $0.last?.standardFields[.referer] }
      #expect(referer == expected)
    }
  }

  @Test("the time limit is that of all redirects together")
  func timeLimit() async throws {
    let limits = Mutex<[Duration]>([])
    let transport = RecordingTransport { transfer in
      limits.withLock { $0.append(transfer.network.timeout ?? .zero) }
      let end = ContinuousClock.now + .milliseconds(30)
      while ContinuousClock.now < end {}
      return TransferResponse(status: 302, fields: [.location: "/again"])
    }
    var transfer = Transfer(method: .get, url: try WebURL("https://api.example/v1"))
    transfer.network.timeout = .milliseconds(200)
    let failure = await #expect(throws: TransportError.self) {
      try await sender(transport, origins: []).send(transfer, redirects: .follow(keepingMethod: false))
    }
    guard case .timedOut? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    let seen = limits.withLock { $0 }
    #expect(seen.first == .milliseconds(200))
    for (earlier, later) in zip(seen, seen.dropFirst()) { #expect(earlier - later >= .milliseconds(29)) }
  }

  @Test("a redirect after which nothing is sent takes the body's type and the upload away with the body")
  func bodyless() async throws {
    let requests = Mutex<[Transfer]>([])
    let transport = RecordingTransport { transfer in
      requests.withLock { $0.append(transfer) }
      return TransferResponse(status: transfer.url.path == "/end" ? 200 : 303, fields: [.location: "/end"])
    }
    var transfer = Transfer(method: .put, url: try WebURL("https://api.example/v1"), body: .bytes([1]))
    transfer.upload = .whole
    transfer.standardFields[.contentType] = "multipart/form-data; boundary=b"
    transfer.standardFields[.userAgent] = "me"
    let sender = AuthorizedSender(transport, nil, events: { _ in })
    _ = try await sender.send(transfer, redirects: .follow(keepingMethod: false))
    let last = try #require(requests.withLock { $0.last })
    #expect(last.body == nil && last.upload == nil)
    #expect(last.standardFields == [.userAgent: "me"])
  }

  @Test("a request with a field of the token's own name keeps it: no token is asked for, put beside it, or refreshed")
  func ownField() async throws {
    let transport = ScriptedTransport([.response(401), .response(200)])
    let response = try await sender(transport).send(post(fields: [.authorization: "Own x"]), redirects: .response)
    #expect(response.status == 401)
    #expect(transport.requests.map { $0.fields[values: .authorization] } == [["Own x"]])
    #expect(asked.replacing.isEmpty)
  }

  @Test("a second 401 is the response (invariant 8)")
  func second() async throws {
    let transport = ScriptedTransport([.response(401), .response(401, "still no"), .response(200)])
    let response = try await sender(transport).send(post(), redirects: .follow(keepingMethod: false))
    #expect(response.status == 401)
    #expect(String(decoding: response.body, as: UTF8.self) == "still no")
    #expect(transport.requests.count == 2)
    #expect(transport.destinations == ["discard", "collect(limit: 1048576)"])
  }

  @Test(
    "the profile decides which statuses cause a refresh (real-servers.md, 22)",
    arguments: [
      (403, [401, 403], true), (403, [401], false), (400, [400], true), (401, [403], false), (401, [], false),
    ] as [(Int, Set<Int>, Bool)])
  func refreshOn(status: Int, refreshOn: Set<Int>, expected: Bool) async throws {
    let transport = ScriptedTransport([.response(status), .response(200)])
    let response = try await sender(transport, refreshOn: refreshOn).send(post(), redirects: .response)
    #expect(response.status == (expected ? 200 : status))
    #expect(asked.replacing.count == (expected ? 2 : 1))
  }

  @Test(
    "the token goes to the profile's origins only (invariant 9)",
    arguments: [
      ("https://api.example/x", true), ("https://api.example:443/x", true), ("https://api.example:8443/x", false),
      ("http://api.example:443/x", false), ("https://api.example.evil.example/", false),
      ("https://evil.example/", false),
    ])
  func origin(url: String, expected: Bool) async throws {
    let transport = ScriptedTransport([.response(401), .response(200)])
    let response = try await sender(transport).send(post(url), redirects: .response)
    #expect(response.status == (expected ? 200 : 401))
    #expect(tokens(transport) == (expected ? ["Bearer A1", "Bearer A2"] : [nil]))
  }

  @Test("without -L the redirect itself is the response")
  func notFollowed() async throws {
    let transport = ScriptedTransport([.response(302, fields: [.location: "/other"])])
    #expect(try await sender(transport).send(post(), redirects: .response).status == 302)
    #expect(transport.requests.count == 1)
  }

  @Test("no possible credential follows to another origin, and a warning names it (RFC 9110, section 15.4)")
  func redirectedAway() async throws {
    let transport = ScriptedTransport([
      .response(307, fields: [.location: "https://evil.example/x"]), .response(401),
    ])
    let events = EventLog()
    let fields: HTTPFields = [
      .cookie: "c=1", .accept: "text/plain", try name("PRIVATE-TOKEN"): "s", try name("X-Mine"): "s",
      .referer: "https://api.example/?secret", .userAgent: "u", .contentType: "text/plain", .range: "bytes=1-",
      .authorization: "Basic s", .proxyAuthorization: "Basic s", try name("Host"): "api.example",
    ]
    let response = try await sender(transport, events: events).send(
      post(fields: fields), redirects: .follow(keepingMethod: false))
    #expect(response.status == 401)
    let second = try #require(transport.requests.last)
    #expect(second.url == "https://evil.example/x")
    let followed: HTTPFields = [
      .accept: "text/plain", .userAgent: "u", .contentType: "text/plain", .range: "bytes=1-",
    ]
    #expect(second.fields == followed)
    #expect(second.body == "body")
    #expect(transport.destinations.first == "discard")
    let names = "Cookie, PRIVATE-TOKEN, X-Mine, Referer, Authorization, Proxy-Authorization, Host"
    #expect(
      events.events == [
        .warning(
          "the redirect leads to another origin, https://evil.example: not sent there: \(names); the body is sent there"
        )
      ])
  }

  @Test("within the origin all fields follow, and the token alone is left behind without a warning")
  func fieldsWithin() async throws {
    let events = EventLog()
    let transport = ScriptedTransport([
      .response(307, fields: [.location: "/x"]), .response(307, fields: [.location: "https://other.example/"]),
      .response(200),
    ])
    let fields: HTTPFields = [.cookie: "c=1", try name("X-Mine"): "s"]
    _ = try await sender(transport, events: events).send(post(fields: fields), redirects: .follow(keepingMethod: false))
    #expect(transport.requests.map { $0.fields[.cookie] } == ["c=1", "c=1", nil])
    #expect(tokens(transport) == ["Bearer A1", "Bearer A1", nil])
    #expect(events.events.count == 1)
    let silent = EventLog()
    let away = ScriptedTransport([.response(307, fields: [.location: "https://other.example/"]), .response(200)])
    _ = try await sender(away, events: silent).send(
      Transfer(method: .get, url: WebURL("https://api.example/v1")),
      redirects: .follow(keepingMethod: false))
    #expect(tokens(away) == ["Bearer A1", nil])
    #expect(silent.events.isEmpty)
  }

  @Test("a body that a redirect takes to another origin is in the warning", arguments: [307, 303])
  func redirectedBody(status: Int) async throws {
    let events = EventLog()
    let transport = ScriptedTransport([
      .response(status, fields: [.location: "https://other.example/"]), .response(200),
    ])
    _ = try await sender(transport, events: events).send(post(), redirects: .follow(keepingMethod: false))
    let warning = AuthEvent.warning(
      "the redirect leads to another origin, https://other.example: the body is sent there")
    #expect(events.events == (status == 307 ? [warning] : []))
  }

  private func name(_ text: String) throws -> HTTPField.Name { try #require(HTTPField.Name(text)) }

  @Test("the profile's own token header does not follow to another origin either")
  func ownHeader() async throws {
    let name = try #require(HTTPField.Name("X-Auth-Token"))
    let transport = ScriptedTransport([.response(302, fields: [.location: "https://evil.example/"]), .response(200)])
    let sender = try sender(transport, header: TokenHeader(name: name, prefix: ""))
    _ = try await sender.send(post(), redirects: .follow(keepingMethod: false))
    #expect(transport.requests.map { $0.fields[name] } == ["A1", nil])
  }

  @Test("a redirect that has left the origin loses the token permanently, even if it returns (invariant 9)")
  func redirectedBack() async throws {
    let transport = ScriptedTransport([
      .response(307, fields: [.location: "https://evil.example/x"]),
      .response(307, fields: [.location: "https://api.example/v1/chosen-by-evil"]), .response(401),
    ])
    let response = try await sender(transport).send(post(), redirects: .follow(keepingMethod: false))
    #expect(response.status == 401)
    #expect(tokens(transport) == ["Bearer A1", nil, nil])
  }

  @Test("within the origin the token goes along")
  func redirectedWithin() async throws {
    let transport = ScriptedTransport([.response(308, fields: [.location: "../v2?x"]), .response(200)])
    _ = try await sender(transport).send(post("https://api.example/v1/a"), redirects: .follow(keepingMethod: false))
    #expect(tokens(transport) == ["Bearer A1", "Bearer A1"])
    #expect(transport.requests.last?.url == "https://api.example/v2?x")
  }

  @Test(
    "a redirect from https to http is refused, nothing is sent (invariant 9)",
    arguments: ["http://api.example/", "http://127.0.0.1/"])
  func downgrade(location: String) async throws {
    let transport = ScriptedTransport([.response(302, fields: [.location: location])])
    let sender = try sender(transport)
    await #expect(
      throws: AuthError.origin(
        .init(
          "following the redirect", why: "it leads from https to plain http (\(location))",
          hint: "ask the API's operator", remedy: .followNoRedirects))
    ) { try await sender.send(post(), redirects: .follow(keepingMethod: false)) }
    #expect(transport.requests.count == 1)
  }

  @Test(
    "a redirect changes the request as RFC 9110, section 15.4 says, and as curl does where the method is named",
    arguments: [
      (301, "POST", false, false, "GET", nil), (302, "POST", false, false, "GET", nil),
      (303, "POST", false, false, "GET", nil), (307, "POST", false, false, "POST", "body"),
      (308, "POST", false, false, "POST", "body"), (302, "DELETE", false, false, "DELETE", "body"),
      (303, "HEAD", false, false, "HEAD", "body"),
      // -T
      (301, "PUT", false, true, "PUT", "body"), (302, "PUT", false, true, "PUT", "body"),
      (303, "PUT", false, true, "GET", nil), (307, "PUT", false, true, "PUT", "body"),
      // -X with -d
      (301, "POST", true, false, "POST", nil), (302, "PUT", true, false, "PUT", nil),
      (303, "PUT", true, false, "PUT", nil), (302, "DELETE", true, false, "DELETE", nil),
      (302, "GET", true, false, "GET", nil), (307, "PUT", true, false, "PUT", "body"),
      // -X with -T
      (301, "POST", true, true, "POST", "body"), (303, "POST", true, true, "POST", nil),
      (308, "POST", true, true, "POST", "body"),
    ] as [(Int, String, Bool, Bool, String, String?)])
  func method(status: Int, from: String, keeping: Bool, isUpload: Bool, to: String, body: String?) async throws {
    let transport = ScriptedTransport([.response(status, fields: [.location: "/next"]), .response(200)])
    var transfer = try post(fields: [.contentType: "text/plain"])
    transfer.method = try #require(HTTPRequest.Method(from))
    _ = try await sender(transport).send(transfer, redirects: .follow(keepingMethod: keeping, isUpload: isUpload))
    let last = try #require(transport.requests.last)
    #expect(last.url == "https://api.example/next")
    #expect(last.method.rawValue == to)
    #expect(last.body == body)
    #expect(last.fields[.contentType] == (body == nil ? nil : "text/plain"))
  }

  @Test("a 401 after a redirect causes a refresh and a replay of the first request")
  func renewedAfterRedirect() async throws {
    let transport = ScriptedTransport([
      .response(307, fields: [.location: "/next"]), .response(401), .response(200),
    ])
    _ = try await sender(transport).send(post(), redirects: .follow(keepingMethod: false))
    #expect(tokens(transport) == ["Bearer A1", "Bearer A1", "Bearer A2"])
    #expect(transport.requests.map(\.url).suffix(2) == ["https://api.example/next", "https://api.example/next"])
  }

  @Test("redirects without end are given up after 50")
  func endless() async throws {
    let transport = ScriptedTransport((0..<60).map { _ in .response(302, fields: [.location: "/again"]) })
    let sender = try sender(transport)
    await #expect(
      throws: AuthError.failed(
        .init(
          "calling https://api.example/v1", why: "more than 50 redirects", hint: "follow them one by one",
          remedy: .followNoRedirects))
    ) { try await sender.send(post(), redirects: .follow(keepingMethod: false)) }
    #expect(transport.requests.count == 51)
  }

  @Test("a redirect without a usable Location is refused; one without Location is the response")
  func location() async throws {
    let bad = try sender(ScriptedTransport([.response(302, fields: [.location: "ftp://a/"])]))
    await #expect(
      throws: AuthError.failed(
        .init(
          "following the redirect of https://api.example/v1",
          why: "its Location is invalid: its scheme is neither https nor http", hint: "ask the API's operator"))
    ) { try await bad.send(post(), redirects: .follow(keepingMethod: false)) }
    let none = try sender(ScriptedTransport([.response(302)]))
    #expect(try await none.send(post(), redirects: .follow(keepingMethod: false)).status == 302)
  }
}
