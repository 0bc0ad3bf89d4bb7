import HTTPTypes
import TestSupport
import Testing

@testable import AuthCore

@Suite("TokenSession at a server of OAuth 2.0, and the interceptor of a ProfileSession")
struct ServerSessionTests {
  private static let metadata = ScriptedTransport.Step.response(
    200,
    #"{"issuer":"https://id.example","token_endpoint":"https://id.example/token","#
      + #""revocation_endpoint":"https://id.example/revoke"}"#,
    at: "https://id.example/.well-known/oauth-authorization-server")

  private static let none = ScriptedTransport.Step.response(
    404, at: "https://id.example/.well-known/openid-configuration")

  private func server(
    _ transport: ScriptedTransport, secret: Secret? = nil, margin: Duration = .zero
  ) throws -> AuthorizationServer {
    try AuthorizationServer(
      "work", issuer: "https://id.example", clientID: "cli", clientSecret: secret, scope: ["api"],
      refreshTokenMargin: margin, transport: transport)
  }

  private func tokens(_ access: String, _ more: String = "") -> ScriptedTransport.Step {
    .response(
      200, #"{"access_token":"\#(access)","token_type":"Bearer","expires_in":3600\#(more)}"#,
      at: "https://id.example/token")
  }

  private func forms(_ transport: ScriptedTransport) -> [[String]] {
    transport.requests.filter { $0.url == "https://id.example/token" }.map(\.form)
  }

  @Test("a login by password, a refresh and a logout use the endpoints of the metadata")
  func password() async throws {
    let transport = ScriptedTransport([
      ServerSessionTests.metadata, ServerSessionTests.none, tokens("A1", #","refresh_token":"R1""#),
      tokens("A2", #","refresh_token":"R2""#),
      .response(200, at: "https://id.example/revoke"), .response(200, at: "https://id.example/revoke"),
    ])
    let server = try server(transport)
    let session = TokenSession("work", storage: .memory, server: server)
    let pair = try await server.logIn(username: "alice", password: Secret("pw"))
    #expect(pair.flow == "password" && pair.accessToken == Secret("A1"))
    try await session.logIn(with: pair)
    #expect(try await session.refresh().accessToken == Secret("A2"))
    #expect(try await session.logOut())
    #expect(
      forms(transport) == [
        ["grant_type=password", "username=alice", "password=pw", "scope=api", "client_id=cli"],
        ["grant_type=refresh_token", "refresh_token=R1", "client_id=cli"],
      ])
    #expect(transport.requests.suffix(2).map { $0.form.first } == ["token=R2", "token=A2"])
  }

  @Test("a client with a secret logs in for itself, and is refreshed by a new request (RFC 6749, section 4.4)")
  func client() async throws {
    let transport = ScriptedTransport([
      ServerSessionTests.metadata, ServerSessionTests.none, tokens("A1"), tokens("A2"),
    ])
    let server = try server(transport, secret: Secret("shh"))
    let session = TokenSession("work", storage: .memory, server: server)
    try await session.logIn(with: try await server.logInAsClient())
    #expect(try await session.token(replacing: Secret("A1")).accessToken == Secret("A2"))
    let grant = ["grant_type=client_credentials", "scope=api"]
    #expect(forms(transport) == [grant, grant])
    let asked = transport.requests.filter { $0.url == "https://id.example/token" }
    #expect(asked.map { $0.fields[.authorization] } == ["Basic Y2xpOnNoaA==", "Basic Y2xpOnNoaA=="])
  }

  @Test("a refresh token within its margin is not sent, and a login is required")
  func margin() async throws {
    let transport = ScriptedTransport([
      ServerSessionTests.metadata, ServerSessionTests.none,
      tokens("A1", #","refresh_token":"R1","refresh_expires_in":100"#), tokens("A2"),
    ])
    let server = try server(transport, margin: .seconds(200))
    let session = TokenSession("work", storage: .memory, server: server)
    try await session.logIn(with: try await server.logIn(username: "alice", password: Secret("pw")))
    let error = await #expect(throws: AuthError.self) { try await session.refresh() }
    guard case .loginRequired = error else { throw Unexpected(error) }
    #expect(forms(transport).count == 1)
  }

  @Test("server events during a refresh are among the session's events")
  func events() async throws {
    let transport = ScriptedTransport([
      ServerSessionTests.metadata, ServerSessionTests.none, tokens("A1", #","refresh_token":"R1""#),
      .response(503), tokens("A2"),
    ])
    let seen = Notices()
    var settings = SessionSettings()
    settings.onEvent = { if case .retrying = $0 { seen.add("retrying") } }
    let server = try server(transport)
    let session = TokenSession("work", storage: .memory, server: server, settings: settings)
    try await session.logIn(with: try await server.logIn(username: "alice", password: Secret("pw")))
    #expect(try await session.refresh().accessToken == Secret("A2"))
    #expect(seen.all == ["retrying"])
  }

  @Test("a name that no profile could have is an error")
  func name() throws {
    let error = #expect(throws: AuthError.self) {
      try AuthorizationServer(
        "a b", issuer: "https://id.example", clientID: "cli", transport: ScriptedTransport())
    }
    guard case .usage = error else { throw Unexpected(error) }
  }

  private func client(_ session: TokenSession, _ transport: ScriptedTransport) throws -> APIClient {
    APIClient(base: try WebURL("https://api.example"), transport: transport, interceptor: session.interceptor)
  }

  @Test("the interceptor of a profile's session places the token where the profile says, and refreshes as it says")
  func profile() async throws {
    let transport = ScriptedTransport([
      .response(403, at: "https://api.example/x"), tokens("A2"), .response(204, at: "https://api.example/x"),
    ])
    let events = EventLog()
    let session = TokenSession(
      try sampleProfile {
        $0.header = TokenHeader(prefix: "Token")
        $0.refreshOn = [403]
      }, connection: connection(transport, events: events), secrets: try MemorySecrets(samplePair()),
      lock: ProcessLock())
    _ = try await client(session, transport).send(.get("x"), as: EmptyResponse.self)
    let sent = transport.requests.filter { $0.url == "https://api.example/x" }
    #expect(sent.map { $0.fields[.authorization] } == ["Token A1", "Token A2"])
    #expect(events.events.contains(.replaying(status: 403)))
  }

  @Test("a profile's password is sent by Basic, and a refusal is the response (RFC 7617)")
  func basic() async throws {
    let transport = ScriptedTransport([.response(401)])
    let profile = try sampleProfile {
      $0.type = .basic
      $0.username = "alice"
      $0.header = TokenHeader(prefix: "Basic")
    }
    let secrets = MemorySecrets([SecretItem(profile: "work", kind: .password): Secret("pw")])
    let session = TokenSession(
      profile, connection: connection(transport), secrets: secrets, lock: ProcessLock())
    #expect(try await client(session, transport).response(to: .get("x")).status == 401)
    #expect(transport.requests.map { $0.fields[.authorization] } == ["Basic YWxpY2U6cHc="])
  }
}
