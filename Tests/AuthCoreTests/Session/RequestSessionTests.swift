import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import AuthCore

@Suite("A session whose server refreshes by a request")
struct RequestSessionTests {
  private struct Reply: TokenReply {
    var accessToken: Secret
    var refreshToken: Secret?
    var user: String?
  }

  private struct Broken: Error, Equatable { let number = 7 }

  private let storage = MemoryTokenStorage()

  private func session(
    _ transport: ScriptedTransport, codes: Set<String> = [], codeAt: [String]? = nil, now: Date = .sample,
    options: APIOptions = APIOptions(), refresh: (@Sendable (String) throws -> APIRequest)? = nil
  ) throws -> TokenSession {
    var settings = SessionSettings()
    settings.now = { now }
    settings.policy.failureRest = .zero
    settings.loginRequiredCodes = codes
    if let codeAt { settings.codeAt = codeAt }
    let base = try WebURL("https://api.example/v1")
    return TokenSession(
      "work", storage: .custom(storage), server: APIClient(base: base, transport: transport, options: options),
      settings: settings, refresh: refresh ?? { try .post("refresh", json: ["token": $0]) }, as: Reply.self,
      revoke: { try .post("logout", json: ["token": $0]) })
  }

  @Test("login, refresh and logout are its requests; the reply of the login is the caller's")
  func life() async throws {
    let transport = ScriptedTransport([
      .response(200, #"{"accessToken":"A1","refreshToken":"R1","user":"alice"}"#),
      .response(200, #"{"accessToken":"A2"}"#), .response(204),
    ])
    let session = try session(transport)
    #expect(try await session.logIn(.post("login"), as: Reply.self).user == "alice")
    #expect(try await storage.load()?.issuedAt == .sample)
    let pair = try await session.refresh()
    #expect(pair.accessToken == Secret("A2") && pair.refreshToken == Secret("R1"))
    #expect(try await session.logOut())
    #expect(
      transport.requests.map(\.url)
        == ["login", "refresh", "logout"].map { "https://api.example/v1/\($0)" })
    #expect(transport.requests.map(\.body) == [nil, #"{"token":"R1"}"#, #"{"token":"R1"}"#])
    #expect(transport.requests.allSatisfy { $0.fields[.accept] == "application/json" })
  }

  /// A storage that can be written, and read with an error only.
  private struct Unreadable: TokenStorage {
    let fault: StorageFault
    let saved = MemoryTokenStorage()

    func load() async throws(AuthError) -> TokenPair? { throw .storage(fault, "the storage", why: "unreadable") }
    func save(_ pair: TokenPair) async throws(AuthError) { try await saved.save(pair) }
    func clear() async throws(AuthError) {}
  }

  @Test(
    "a login whose tokens could not be stored sends nothing; it replaces a damaged pair",
    arguments: [(StorageFault.locked, 0), (.noService, 0), (.damaged, 1)])
  func unreadable(fault: StorageFault, requests: Int) async throws {
    let transport = ScriptedTransport([.response(200, #"{"accessToken":"A1"}"#)])
    let storage = Unreadable(fault: fault)
    let session = TokenSession(
      "work", storage: .custom(storage),
      server: APIClient(base: try WebURL("https://api.example/v1"), transport: transport),
      refresh: { try .post("refresh", json: ["token": $0]) }, as: Reply.self)
    if requests == 0 {
      let error = await #expect(throws: AuthError.self) { try await session.logIn(.post("login"), as: Reply.self) }
      #expect(error == .storage(fault, "the storage", why: "unreadable"))
    } else {
      try await session.logIn(.post("login"), as: Reply.self)
      #expect(try await storage.saved.load()?.accessToken == Secret("A1"))
    }
    #expect(transport.requests.count == requests)
  }

  @Test("lifetimes count from the moment of sending; a token response of RFC 6749 is a reply, too")
  func lifetimes() async throws {
    let text = #"{"access_token":"A1","expires_in":"60","refresh_expires_in":90,"scope":"a b"}"#
    let transport = ScriptedTransport([.response(200, text), .response(200, text), .response(200, "{}")])
    let session = try session(transport)
    try await session.logIn(.post("login"), as: TokenResponse.self)
    let pair = try #require(try await storage.load())
    #expect(pair.expiresAt == .sample.addingTimeInterval(60))
    #expect(pair.refreshExpiresAt == .sample.addingTimeInterval(90) && pair.scope == ["a", "b"])
    await #expect(throws: APIError.self) { try await session.logIn(.post("login"), as: Reply.self) }
    await #expect(throws: APIError.self) { try await session.logIn(.post("login"), as: TokenResponse.self) }
    #expect(try await storage.load()?.accessToken == Secret("A1"), "what has no token changes nothing")
  }

  @Test(
    "what a refused refresh means",
    arguments: [
      // Without codes the status decides.
      (400, #"{"code":"X"}"#, [], true), (401, "", [], true), (403, #"{"code":"X"}"#, [], false),
      (500, #"{"code":"X"}"#, [], false), (200, #"{"success":false,"code":"X"}"#, [], false),
      // With codes, a code decides, and no other code means it; without a code the status does.
      (200, #"{"success":false,"code":"X"}"#, ["X"], true), (200, #"{"code":"X"}"#, ["X"], true),
      (409, #"{"error":{"code":"X"}}"#, ["X"], true), (400, #"{"code":401,"error":{"code":"X"}}"#, ["X"], true),
      (400, #"{"error":true,"type":"Y"}"#, ["X"], false), (401, #"{"code":"Y"}"#, ["X"], false), (401, "", ["X"], true),
      (200, "{}", ["X"], false),
    ] as [(Int, String, Set<String>, Bool)])
  func refusals(status: Int, body: String, codes: Set<String>, isDead: Bool) async throws {
    try await storage.save(samplePair(life: -1).beginning("S"))
    let session = try session(ScriptedTransport([.response(status, body)]), codes: codes)
    let error = await #expect(throws: AuthError.self) { try await session.token() }
    if case .loginRequired = error { #expect(isDead) } else { #expect(!isDead, "\(String(describing: error))") }
    #expect(try await storage.load()?.lastError?.final == (isDead ? true : nil))
  }

  @Test("a code beside a token refuses nothing, unless the flag does")
  func codeBesideToken() async throws {
    try await storage.save(samplePair(life: -1).beginning("S"))
    let transport = ScriptedTransport([
      .response(200, #"{"code":"X","success":false,"accessToken":"A2"}"#),
      .response(200, #"{"code":"X","success":true,"accessToken":"A2"}"#),
    ])
    let session = try session(transport, codes: ["Z"])
    await #expect(throws: AuthError.self) { try await session.token() }
    #expect(try await session.token().accessToken == Secret("A2"))
  }

  @Test("a code is found where the settings say; a place that is no pointer is the name of a member")
  func place() async throws {
    for place in ["/x/0", "why~2"] {
      try await storage.save(samplePair(life: -1).beginning("S"))
      let transport = ScriptedTransport([.response(409, #"{"x":["DEAD"],"why~2":"DEAD","code":"X"}"#)])
      let session = try session(transport, codes: ["DEAD"], codeAt: [place])
      let error = await #expect(throws: AuthError.self) { try await session.token() }
      #expect(error?.explanation.serverError == "DEAD")
    }
  }

  @Test("an API's own code refuses the token, with its status or with the flag; any other does not")
  func refreshOnCodes() {
    var settings = SessionSettings()
    settings.refreshOnCodes = ["EXPIRED"]
    settings.refreshOn = [401, 419]
    let json: HTTPFields = [.contentType: "application/json"]
    for (status, body, isRefused) in [
      (419, "", true), (400, #"{"code":"EXPIRED"}"#, true), (400, #"{"code":"X"}"#, false),
      (200, #"{"code":"EXPIRED"}"#, false), (200, #"{"success":false,"code":"EXPIRED"}"#, true),
    ] {
      #expect(settings.refusals.refuses(.made(status, body, fields: json)) == isRefused, "\(status) \(body)")
    }
  }

  @Test("its requests go out once, with nothing but to this server: no redirect is followed, no plain http is used")
  func once() async throws {
    try await storage.save(samplePair(life: -1).beginning("S"))
    let seen = Mutex<[Bool]>([])
    let recording = RecordingTransport { transfer in
      seen.withLock { $0.append(transfer.isSentOnce && transfer.isConfidential) }
      return .made(307, fields: [.location: "https://other.example/"])
    }
    let base = try WebURL("https://api.example/v1")
    let session = TokenSession(
      "work", storage: .custom(storage), server: APIClient(base: base, transport: recording),
      refresh: { try .post("refresh", json: ["token": $0]) }, as: Reply.self)
    await #expect(throws: AuthError.self) { try await session.refresh() }
    #expect(seen.withLock { $0 } == [true])
    #expect(try await storage.load()?.lastError == nil, "a redirect says nothing of the refresh token")
  }

  @Test("a pair of one server is never sent to another one: a login is required, and nothing is sent")
  func otherServer() async throws {
    let login = ScriptedTransport([.response(200, #"{"accessToken":"A1","refreshToken":"R1"}"#)])
    try await session(login).logIn(.post("login"), as: Reply.self)
    let transport = ScriptedTransport()
    let other = TokenSession(
      "work", storage: .custom(storage),
      server: APIClient(base: try WebURL("https://staging.example"), transport: transport),
      refresh: { try .post("refresh", json: ["token": $0]) }, as: Reply.self)
    let error = await #expect(throws: AuthError.self) { try await other.refresh() }
    #expect(error?.explanation.why.contains("are from https://api.example") == true)
    #expect(transport.requests.isEmpty)
    #expect(try await storage.load()?.refreshToken == Secret("R1"))
  }

  @Test("no login or logout at one server revokes the pair of another one there")
  func revokedElsewhere() async throws {
    let login = ScriptedTransport.Step.response(200, #"{"accessToken":"A1","refreshToken":"R1"}"#)
    try await session(ScriptedTransport([login])).logIn(.post("login"), as: Reply.self)
    let former = try #require(try await storage.load())
    let transport = ScriptedTransport([.response(200, #"{"accessToken":"A2","refreshToken":"R2"}"#)])
    let staging = APIClient(base: try WebURL("https://staging.example"), transport: transport)
    let other = TokenSession(
      "work", storage: .custom(storage), server: staging, refresh: { try .post("refresh", json: ["token": $0]) },
      as: Reply.self, revoke: { try .post("logout", json: ["token": $0]) })
    try await other.logIn(.post("login"), as: Reply.self)
    try await storage.save(former)
    await #expect(throws: AuthError.self) { try await other.logOut() }
    #expect(try await storage.load() == nil)
    #expect(transport.requests.map(\.url) == ["https://staging.example/login"])
  }

  @Test("the server's own credentials go with its requests, and these go to no other origin")
  func credentials() async throws {
    let transport = ScriptedTransport([.response(200, #"{"accessToken":"A1"}"#)])
    let basic = try BasicAdapter(username: "app", password: Secret("pw"))
    let server = APIClient(base: try WebURL("https://api.example"), transport: transport, interceptor: basic)
    let session = TokenSession(
      "work", storage: .custom(storage), server: server,
      refresh: { try .post("https://other.example/refresh", json: ["token": $0]) }, as: Reply.self)
    try await session.logIn(.post("login"), as: Reply.self)
    #expect(transport.requests.map { $0.fields[.authorization] } == ["Basic YXBwOnB3"])
    try await storage.save(samplePair(life: -1).beginning("S"))
    let error = await #expect(throws: AuthError.self) { try await session.refresh() }
    if case .origin = error {} else { Issue.record("\(String(describing: error))") }
    #expect(transport.requests.count == 1)
  }

  @Test("tokens are checked as those of a token endpoint: an empty refresh token keeps the former one")
  func checks() async throws {
    try await storage.save(samplePair(life: -1).beginning("S"))
    let transport = ScriptedTransport([
      .response(200, #"{"accessToken":"A2","refreshToken":""}"#), .response(200, #"{"accessToken":""}"#),
      .response(200, #"{"accessToken":"a\u0000b"}"#),
    ])
    let session = try session(transport)
    #expect(try await session.refresh().refreshToken == samplePair().refreshToken)
    for _ in 1...2 { await #expect(throws: AuthError.self) { try await session.refresh() } }
    #expect(try await storage.load()?.accessToken == Secret("A2"))
  }

  @Test("a logout without a refresh token revokes nothing, and says so; a flag counts as a refusal")
  func revocation() async throws {
    let transport = ScriptedTransport([.response(200, #"{"success":false}"#)])
    let session = try session(transport)
    try await storage.save(samplePair(refresh: nil).beginning("S"))
    #expect(try await session.logOut() == false)
    #expect(transport.requests.isEmpty)
    try await storage.save(samplePair().beginning("S"))
    await #expect(throws: AuthError.self) { try await session.logOut() }
    #expect(try await storage.load() == nil)
  }

  @Test("an error of the program's own reaches the caller, is never printed, and changes no comparison")
  func underlying() async throws {
    try await storage.save(samplePair(life: -1).beginning("S"))
    let session = try session(ScriptedTransport()) { _ in throw Broken() }
    let error = try #require(await #expect(throws: AuthError.self) { try await session.token() })
    #expect(error.explanation.underlying as? Broken == Broken())
    var other = error.explanation
    other.underlying = nil
    #expect(other == error.explanation)
    #expect(!"\(error) \(error.explanation) \(String(reflecting: error))".contains("number"))
    let stored = try JSONDecoder().decode(AuthError.self, from: JSONEncoder().encode(error))
    #expect(stored == error && stored.explanation.underlying == nil)
  }

  @Test("the options of the server map the errors of a login, not those of a refresh")
  func mapped() async throws {
    var options = APIOptions()
    options.errorMapping = { _ in Broken() }
    let session = try session(ScriptedTransport([.response(400), .response(400)]), options: options)
    await #expect(throws: Broken.self) { try await session.logIn(.post("login"), as: Reply.self) }
    try await storage.save(samplePair(life: -1).beginning("S"))
    let error = await #expect(throws: AuthError.self) { try await session.token() }
    #expect(error.map { if case .loginRequired = $0 { true } else { false } } == true)
  }

  @Test("names and passwords that no field can carry are refused; a field may have a name of the API's own")
  func headers() throws {
    #expect(throws: AuthError.self) { try BasicAdapter(username: "a:b", password: Secret("p")) }
    _ = try BasicAdapter(username: "alice", password: Secret("a:b"))
    #expect(throws: AuthError.self) { try TokenHeader("X Token") }
    let header = try TokenHeader("X-Auth-Token", prefix: "")
    #expect("\(header.field(Secret("T")))" == "X-Auth-Token: T")
    #expect(APIRequest.put("x").method == .put && APIRequest.patch("x").method == .patch)
  }

  @Test("a session without a server says that it has none")
  func noServer() async throws {
    let session = TokenSession("work", storage: .memory) { $0 }
    let error = await #expect(throws: AuthError.self) { try await session.logIn(.post("x"), as: Reply.self) }
    #expect(error?.explanation.why == "the session has no server")
  }
}
