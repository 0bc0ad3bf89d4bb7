import HTTPTypes
import InMemoryLogging
import Logging
import TestSupport
import Testing

@testable import AuthCore

@Suite("LoggingTransport")
struct LoggingTransportTests {
  private let handler = InMemoryLogHandler()
  private let echo: HTTPField.Name
  private let custom: HTTPField.Name

  init() throws {
    echo = try #require(HTTPField.Name("X-Echo"))
    custom = try #require(HTTPField.Name("X-Custom"))
  }

  private func logger(_ level: Logger.Level = .debug) -> Logger {
    var logger = Logger(label: "test") { [handler] _ in handler }
    logger.logLevel = level
    return logger
  }

  /// All that was logged, in one text.
  private var log: String { handler.entries.map { "\($0.message) \($0.metadata)" }.joined(separator: "\n") }

  private var messages: [String] { handler.entries.map { "\($0.message)" } }

  private func headers(_ index: Int) -> [String] {
    guard case .array(let values) = handler.entries[index].metadata["headers"] else { return [] }
    return values.map { "\($0)" }
  }

  private func isTimed(_ message: String, _ start: String, _ end: String) -> Bool {
    message.hasPrefix(start) && message.hasSuffix(end)
      && message.dropFirst(start.count).dropLast(end.count).allSatisfy(\.isNumber)
  }

  @Test("a request and its response: number, method, URL, status, duration, sizes and header fields")
  func exchange() async throws {
    let api = FakeAPI(201, "created", fields: [.contentType: "text/plain", .setCookie: "a=topsecret"])
    let transport = LoggingTransport(api, logger: logger())
    var transfer = Transfer(
      method: .post, url: try WebURL("https://api.example/v1?page=2"), fields: [.accept: "*/*"],
      body: .bytes([1, 2, 3]))
    transfer.standardFields = [.userAgent: "test", .accept: "not sent"]
    for _ in 1...2 { #expect(try await transport.send(transfer).status == 201) }
    #expect(messages.count == 4)
    #expect(messages[0] == "#1 POST https://api.example/v1?page=2, 3 bytes")
    #expect(isTimed(messages[1], "#1 POST https://api.example/v1?page=2: 201 in ", " ms, 7 bytes"))
    #expect(messages[2] == "#2 POST https://api.example/v1?page=2, 3 bytes")
    #expect(headers(0) == ["Accept: */*", "User-Agent: test"])
    #expect(headers(1).map { $0.lowercased().prefix(22) } == ["content-type: text/pla", "set-cookie: ‹redacted "])
    #expect(handler.entries.allSatisfy { $0.level == .debug && $0.metadata["body"] == nil })
  }

  @Test("nothing is logged, and the request is unchanged, if the logger ignores messages of the level")
  func level() async throws {
    let transport = LoggingTransport(FakeAPI(200), logger: logger(.info))
    _ = try await transport.send(Transfer(method: .get, url: try WebURL("https://api.example/")))
    #expect(handler.entries.isEmpty)
    let loud = LoggingTransport(FakeAPI(200), logger: logger(.info), level: .info)
    _ = try await loud.send(Transfer(method: .get, url: try WebURL("https://api.example/")))
    #expect(handler.entries.map(\.level) == [.info, .info])
  }

  @Test("a failure is logged and thrown")
  func failure() async throws {
    let transport = LoggingTransport(
      ScriptedTransport([.failure(.timedOut(detail: "no response\n"))]), logger: logger())
    await #expect(throws: TransportError.self) {
      _ = try await transport.send(Transfer(method: .get, url: try WebURL("https://api.example/?code=topsecret")))
    }
    #expect(messages[0] == "#1 GET https://api.example/?code=‹redacted›")
    #expect(messages[1].hasPrefix("#1 GET https://api.example/?code=‹redacted›: failed after "), "\(messages[1])")
    #expect(messages[1].contains("no response\\u{a}"), "\(messages[1])")
  }

  @Test("a credential is replaced whatever its field is called, and wherever an API repeats it")
  func credential() async throws {
    let api = FakeAPI { [echo, custom] request in
      let value = request.fields.first { $0.name == custom }?.value ?? ""
      let fields: HTTPFields = [echo: "got \(value.dropFirst(6))", .contentType: "application/json"]
      return .made(400, #"{"message":"no \#(FormEncoding.percentEncode(String(value.dropFirst(6))))"}"#, fields: fields)
    }
    let transport = LoggingTransport(api, logger: logger(), bodyLimit: 100)
    var transfer = Transfer(method: .get, url: try WebURL("https://api.example/"))
    transfer.credential = { [custom] in [HTTPField(name: custom, value: "Token top/secret+1")] }
    _ = try await transport.send(transfer)
    #expect(headers(0) == ["X-Custom: ‹redacted \(Secret("Token top/secret+1").fingerprint)›"])
    #expect(headers(1).contains("X-Echo: got ‹redacted›"))
    #expect(handler.entries[1].metadata["body"] == #"{"message":"no ‹redacted›"}"#)
  }

  @Test("a credential that can't be had is a failure of the request")
  func noCredential() async throws {
    let transport = LoggingTransport(FakeAPI(200), logger: logger())
    var transfer = Transfer(method: .get, url: try WebURL("https://api.example/"))
    transfer.credential = { throw AuthError.failed(.init("a", why: "b")) }
    await #expect(throws: AuthError.failed(.init("a", why: "b"))) { _ = try await transport.send(transfer) }
    #expect(messages.count == 1 && messages[0].hasSuffix(" ms: a: b"), "\(messages)")
  }

  @Test(
    "bodies are logged only if asked for, as text, without secrets, and cut",
    arguments: [
      ("application/json", #"{"page":2,"apiKey":"topsecret"}"#, #"{"page":2,"apiKey":"‹redacted›"}"#),
      (
        "application/problem+json; charset=utf-8", #"{"a":"\#(String(repeating: "x", count: 100))"}"#,
        #"{"a":"\#(String(repeating: "x", count: 44))…"#
      ),
      ("application/x-www-form-urlencoded", "a=1&guest_key=topsecret", "a=1&guest_key=‹redacted›"),
      ("text/plain", "a\nb", "a\\u{a}b"), ("application/octet-stream", "abc", nil), ("multipart/form-data", "abc", nil),
      ("text/plain", "", nil),
    ] as [(String, String, String?)])
  func bodies(type: String, body: String, shown: String?) async throws {
    let api = FakeAPI(200, body, fields: [.contentType: type])
    let transport = LoggingTransport(api, logger: logger(), secretNames: ["guestKey"], bodyLimit: 50)
    var transfer = Transfer(
      method: .post, url: try WebURL("https://api.example/"), fields: [.contentType: type],
      body: .bytes(Array(body.utf8)))
    _ = try await transport.send(transfer)
    let expected = shown.map { Logger.MetadataValue.string($0) }
    #expect(handler.entries.map { $0.metadata["body"] } == [expected, expected])
    // What has a secret in it by its nature is never logged.
    transfer.isConfidential = true
    _ = try await transport.send(transfer)
    #expect(handler.entries.suffix(2).allSatisfy { $0.metadata["body"] == nil })
  }

  @Test("a profile's own requests put secrets anywhere: into the path and fields of any name, short ones too")
  func customRequests() async throws {
    let response = #"{"accessToken":"access-1","refreshToken":"refresh-1"}"#
    let api = FakeAPI(200, response, fields: [echo: "pin pi"])
    let profile = try customProfile(
      "[requests.other]\nurl = \"/enter/{pin}\"\nheaders = { X-Any = \"{pin}\" }", top: "secrets = [\"pin\"]")
    let server = try #require(profile.custom)
    let connection = ServerConnection(
      transport: LoggingTransport(api, logger: logger(), bodyLimit: 1000), network: NetworkOptions(), userAgent: "test",
      now: { .sample }, events: { _ in })
    let values = requestValues(["pin": "pi n"])
    let request = try await #require(server.requests["other"]).filled(values)
    _ = try await CustomEndpoint(server: server, connection: connection).tokens(request, values)
    #expect(api.requests.first?.url == "https://id.example/v1/enter/pi%20n")
    #expect(messages.first == "#1 POST https://id.example/v1/enter/‹redacted›", "\(messages)")
    #expect(headers(0).contains("X-Any: ‹redacted›"), "\(headers(0))")
    #expect(!log.contains("access-1") && headers(1) == ["X-Echo: pin pi"], "\(log)")
  }

  @Test("a login by password, a call, a 401, a refresh and a logout: no secret is in the log, though all come back")
  func flow() async throws {
    let secrets = [
      "alice/pass word", "client+secret", "access/token+1", "access/token+2", "refresh/token+1", "refresh/token+2",
    ]
    let api = FakeAPI { [field = echo] request in
      // Everything is sent back in a field and in the body.
      let echo: HTTPFields = [
        .contentType: "application/json", field: "\(request.authorization ?? "") \(request.body)",
      ]
      switch request.url {
      case "https://id.example/.well-known/oauth-authorization-server":
        return .made(
          200,
          #"{"issuer":"https://id.example","token_endpoint":"https://id.example/token","#
            + #""revocation_endpoint":"https://id.example/revoke"}"#)
      case "https://id.example/token":
        let number = request.body.contains("refresh_token=") ? 2 : 1
        return .made(
          200,
          #"{"access_token":"access/token+\#(number)","token_type":"Bearer","#
            + #""refresh_token":"refresh/token+\#(number)"}"#, fields: echo)
      case "https://api.example/me":
        let isFirst = request.authorization == "Bearer access/token+1"
        return .made(isFirst ? 401 : 200, #"{"you sent":"\#(request.authorization ?? "")"}"#, fields: echo)
      case "https://id.example/revoke": return .made(200, fields: echo)
      default: return .made(404)
      }
    }
    let transport = LoggingTransport(api, logger: logger(), bodyLimit: 1000)
    let server = try AuthorizationServer(
      "work", issuer: "https://id.example", clientID: "cli", clientSecret: Secret("client+secret"), transport: transport
    )
    let session = TokenSession("work", storage: .memory, server: server)
    try await session.logIn(with: try await server.logIn(username: "alice", password: Secret("alice/pass word")))
    let client = session.client(base: try WebURL("https://api.example"), transport: transport)
    #expect(try await client.response(to: .get("me")).status == 200)
    _ = try await session.logOut()
    let calls = api.requests.filter { $0.url == "https://api.example/me" }.map(\.authorization)
    #expect(calls == ["Bearer access/token+1", "Bearer access/token+2"])
    #expect(messages.count == 2 * api.requests.count)
    #expect(log.contains("Authorization: Bearer ‹redacted \(Secret("access/token+2").fingerprint)›"), "\(log)")
    #expect(log.contains(#"{"you sent":"Bearer ‹redacted›"}"#), "\(log)")
    for secret in secrets {
      for form in [secret, FormEncoding.percentEncode(secret), FormEncoding.encode(secret)] {
        #expect(!log.contains(form), "\(form): \(log)")
      }
    }
    let basic = try #require(api.requests.compactMap(\.authorization).first { $0.hasPrefix("Basic ") }?.dropFirst(6))
    #expect(!log.contains(basic))
  }
}
