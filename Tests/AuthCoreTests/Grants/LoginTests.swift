import Foundation
import TestSupport
import Testing

@testable import AuthCore

@Suite("Login")
struct LoginTests {
  private let events = EventLog()

  private func login(
    _ steps: [ScriptedTransport.Step], secret: Secret? = nil, metadata: ServerMetadata? = nil,
    _ change: (inout Profile) throws -> Void = { _ in }
  ) throws -> (Login, ScriptedTransport) {
    let transport = ScriptedTransport(steps)
    let server = AuthorizationServer(
      profile: try sampleProfile(change), connection: connection(transport, events: events), secrets: MemorySecrets())
    return (Login(server, metadata: metadata, clientSecret: secret), transport)
  }

  private func metadata() throws -> ServerMetadata {
    try ServerMetadata(
      JSONValue(
        parsing: Array(
          (#"{"issuer":"https://id.example","authorization_endpoint":"https://id.example/a","#
            + #""revocation_endpoint":"https://id.example/revoke"}"#).utf8)), issuer: "https://id.example")
  }

  private func request(_ login: Login) throws -> AuthorizationRequest {
    try login.authorizationRequest(redirectURI: "http://127.0.0.1:1/cb", random: { "r" })
  }

  @Test("a code is exchanged with its verifier and redirect URI (RFC 6749, section 4.1.3; RFC 7636, section 4.5)")
  func code() async throws {
    let (login, transport) = try login(
      [.response(200, #"{"access_token":"a","expires_in":"60"}"#)], metadata: try metadata()
    ) {
      $0.parameters.token = ["x": "1"]
      $0.scope = ["openid", "api"]
    }
    let pair = try await login.exchange(Secret("c"), of: request(login))
    #expect(
      transport.requests.map(\.form) == [
        [
          "grant_type=authorization_code", "code=c", "redirect_uri=http://127.0.0.1:1/cb", "code_verifier=r", "x=1",
          "client_id=cli",
        ]
      ])
    var expected = TokenPair(
      accessToken: Secret("a"), expiresAt: .sample.addingTimeInterval(60), scope: ["openid", "api"], issuedAt: .sample,
      server: samplePair().server)
    expected.loggedInAt = .sample
    expected.flow = "browser"
    expected.clock = IssuanceClock(ClockReading(time: .sample, boot: .sample))
    #expect(pair == expected)
    #expect(
      events.events == [
        .warning("the server sent no ID token although openid was requested: the user is unknown")
      ])
  }

  @Test(
    "a code is sent once, even if the server fails transiently (real-servers.md, 16)",
    arguments: [.response(503), .response(429), .failure(.timedOut(detail: "slow"))] as [ScriptedTransport.Step])
  func once(step: ScriptedTransport.Step) async throws {
    let (login, transport) = try login([step, .response(200, #"{"access_token":"a"}"#)], metadata: try metadata())
    let request = try request(login)
    do throws(AuthError) {
      _ = try await login.exchange(Secret("c"), of: request)
      Issue.record("it was exchanged")
    } catch {
      guard case .tryLater = error else { throw Unexpected(error) }
    }
    #expect(transport.requests.count == 1)
  }

  @Test("the password grant is that of RFC 6749, section 4.3.2")
  func password() async throws {
    let (login, transport) = try login([.response(200, #"{"access_token":"a"}"#)]) {
      $0.scope = ["api"]
      $0.audience = "aud"
    }
    _ = try await login.password(username: "alice", password: Secret("p&w"))
    #expect(
      transport.requests.map(\.form) == [
        ["grant_type=password", "username=alice", "password=p&w", "scope=api", "audience=aud", "client_id=cli"]
      ])
  }

  @Test(
    "a refusal says what to do, with the server's own code (real-servers.md, 10, 17, 31)",
    arguments: [
      (401, #"{"error":"invalid_client"}"#, "client_secret_post", "invalid_client"),
      (400, #"{"error":"invalid_grant"}"#, "check the client's registration", "invalid_grant"),
      (400, #"{"error":"scope_invalid","error_description":"a\u001bb"}"#, "check scope", "scope_invalid"),
      (
        400, #"{"error":"unsupported_grant_type"}"#, "does not support the flow client-credentials",
        "unsupported_grant_type"
      ),
      (
        400, #"{"error":"unauthorized_client"}"#, "to allow this client the flow client-credentials",
        "unauthorized_client"
      ),
      (400, #"{"error":"consent_required"}"#, "the user must consent", "consent_required"),
      (400, #"{"error":"invalid_target"}"#, "check audience and resource", "invalid_target"),
      (400, #"{"error":"code_of_its_own"}"#, "see the server's error above", "code_of_its_own"),
    ])
  func refused(status: Int, body: String, hint: String, code: String) async throws {
    let (login, _) = try login([.response(status, body)], secret: Secret("shh")) { $0.clientAuthentication = .basic }
    do throws(AuthError) {
      _ = try await login.clientCredentials()
      Issue.record("it was not refused")
    } catch {
      guard case .refused(let explanation) = error else { throw Unexpected(error) }
      #expect(explanation.hint.contains(hint))
      #expect(explanation.serverError == code)
      #expect(!explanation.why.contains("\u{1B}"))
    }
  }

  @Test("a grant that is refused: the hint names what was sent")
  func refusedGrant() async throws {
    func hint(_ error: String, _ grant: (Login) async throws(AuthError) -> TokenPair) async throws -> String? {
      let (login, _) = try login([.response(400, #"{"error":"\#(error)"}"#)])
      do throws(AuthError) {
        _ = try await grant(login)
        return nil
      } catch {
        return error.explanation.hint
      }
    }
    let exchange = TokenExchange(subject: .init(Secret("s"), type: "urn:x"))
    #expect(
      try await hint("invalid_grant") { login async throws(AuthError) in
        try await login.password(username: "a", password: Secret("p"))
      } == "check user name and password")
    #expect(
      try await hint("invalid_request") { login async throws(AuthError) in
        try await login.password(username: "a", password: Secret("p"))
      } == "check user name and password")
    #expect(
      try await hint("invalid_grant") { login async throws(AuthError) in
        try await login.jwtBearer(assertion: Secret("x"))
      }?.hasPrefix("check the assertion") == true)
    #expect(
      try await hint("invalid_grant") { login async throws(AuthError) in try await login.exchange(exchange) }?
        .hasPrefix("check the subject token") == true)
  }

  @Test("an empty refusal of a password names both pairs: the user's and the client's", arguments: [400, 401, 403])
  func emptyRefusal(status: Int) async throws {
    let (login, _) = try login([.response(status)])
    let error = await #expect(throws: AuthError.self) {
      try await login.password(username: "a", password: Secret("p"))
    }
    #expect(error?.explanation.hint.hasPrefix("check user name and password, and the client: check client_id") == true)
  }

  @Test(
    "client credentials that are refused: the hint says that a public client can't use them",
    arguments: [#"{"error":"invalid_client"}"#, #"{"error":"unauthorized_client"}"#, ""])
  func publicClientCredentials(body: String) async throws {
    let (login, _) = try login([.response(400, body)], secret: Secret("shh")) { $0.clientAuthentication = .basic }
    let error = await #expect(throws: AuthError.self) { try await login.clientCredentials() }
    let hint = try #require(error?.explanation.hint)
    #expect(hint.contains("a public client can't use this flow: register one with a secret or a key"), "\(hint)")
  }

  @Test("a server that fails is not called a network that fails, and the other way round; TLS has a remedy of its own")
  func unavailable() async throws {
    func explanation(_ step: ScriptedTransport.Step) async throws -> AuthError.Explanation? {
      let (login, _) = try login([step])
      do throws(AuthError) {
        _ = try await login.clientCredentials()
        return nil
      } catch {
        guard case .tryLater(let explanation) = error else { throw Unexpected(error) }
        return explanation
      }
    }
    #expect(try await explanation(.response(500))?.hint.hasPrefix("the server failed") == true)
    #expect(
      try await explanation(.failure(.unreachable(detail: "refused")))?.hint.hasPrefix("check the network") == true)
    let untrusted = try await explanation(.failure(.tls(detail: "self-signed certificate")))
    #expect(untrusted?.why == "self-signed certificate")
    #expect(untrusted?.remedy == .trustCertificate)
  }

  @Test(
    "a token of a type that is neither Bearer nor DPoP is refused, unless [header] is stated (RFC 6749, section 7.1)",
    arguments: [
      ("bot", false, false), ("JWT", false, false), ("mac", false, false), ("bot", true, true), ("JWT", true, true),
      ("bearer", false, true), ("BEARER", false, true), ("", false, true), ("access_token", false, true),
    ])
  func tokenType(type: String, isHeaderStated: Bool, isTaken: Bool) async throws {
    let body = #"{"access_token":"a","token_type":"\#(type)"}"#
    let (login, _) = try login([.response(200, body)]) { $0.isHeaderStated = isHeaderStated }
    do throws(AuthError) {
      _ = try await login.clientCredentials()
      #expect(isTaken)
    } catch {
      guard case .refused(let explanation) = error else { throw Unexpected(error) }
      #expect(!isTaken)
      #expect(explanation.why == "the token is of type '\(type)', neither Bearer nor DPoP")
    }
    if isTaken {
      #expect(try login.tokens(body).accessToken == Secret("a"))
    } else {
      #expect(throws: AuthError.self) { try login.tokens(body) }
    }
  }

  @Test("the tokens of a response with such a type are revoked: they are thrown away")
  func discardedType() async throws {
    let body = #"{"access_token":"A","refresh_token":"R","token_type":"JWT"}"#
    let (login, transport) = try login([.response(200, body), .response(200), .response(200)]) {
      $0.endpoints.revocation = try WebURL("https://id.example/revoke")
    }
    await #expect(throws: AuthError.self) { try await login.password(username: "alice", password: Secret("x")) }
    #expect(transport.requests.dropFirst().map { $0.form[0] } == ["token=R", "token=A"])
    #expect(events.events == [.revoked])
  }

  @Test(
    "the granted scope is compared with the requested one (RFC 6749, section 3.3; real-servers.md, 11)",
    arguments: [
      (#""scope":"a""#, ["a"], "the server did not grant: b"), (#""scope":["b","a","c"]"#, ["b", "a", "c"], nil),
      (#""x":1"#, ["a", "b"], nil), (#""scope":"""#, [], "the server did not grant: a b"),
    ] as [(String, [String], String?)])
  func scope(member: String, granted: [String], warning: String?) async throws {
    let (login, _) = try login([.response(200, #"{"access_token":"a",\#(member)}"#)]) { $0.scope = ["a", "b"] }
    #expect(try await login.clientCredentials().scope == granted)
    #expect(events.events == (warning.map { [.warning($0)] } ?? []))
  }

  @Test(
    "offline_access that is missing from the granted scope was granted if a refresh token came (real-servers.md, 29)",
    arguments: [(#","refresh_token":"r""#, "a", nil), ("", "a", "offline_access"), (#","refresh_token":"r""#, "", "a")]
      as [(String, String, String?)])
  func offlineAccess(member: String, granted: String, missing: String?) async throws {
    let body = #"{"access_token":"a","scope":"\#(granted)"\#(member)}"#
    let (login, _) = try login([.response(200, body)]) { $0.scope = ["a", "offline_access"] }
    #expect(try await login.clientCredentials().scope == (granted.isEmpty ? [] : [granted]))
    #expect(events.events == (missing.map { [.warning("the server did not grant: \($0)")] } ?? []))
  }

  @Test("without an endpoint the profile's remedy is named")
  func noEndpoint() async throws {
    let (login, transport) = try login([]) { $0.endpoints.token = nil }
    await #expect(
      throws: AuthError.refused(
        .init(
          "profile work", why: "the server has no token endpoint",
          remedy: .stateEndpoint(session: "work", key: "token")))
    ) { try await login.clientCredentials() }
    #expect(throws: AuthError.self) { try request(login) }
    #expect(transport.requests.isEmpty)
  }

  @Test("tokens from standard input are a bare token or the JSON of a token response")
  func tokens() throws {
    let (login, transport) = try login([])
    #expect(try login.tokens(" \tA1\r\n").accessToken == Secret("A1"))
    let pair = try login.tokens("\n{\"access_token\":\"A1\",\"refresh_token\":\"R1\",\"expires_in\":60}\n")
    #expect(pair.refreshToken == Secret("R1"))
    #expect(pair.expiresAt == Date.sample.addingTimeInterval(60))
    #expect(pair.server?.clientID == "cli")
    #expect(transport.requests.isEmpty)
  }

  @Test(
    "text that is neither a token nor a response is refused without being quoted",
    arguments: [
      ("", "it is empty"), (" \n", "it is empty"),
      ("A1 B2", "it contains white space or other characters that no token has"),
      ("A1\nB2", "it contains white space or other characters that no token has"),
      ("tökén", "it contains white space or other characters that no token has"),
      ("{\"access_token\":", "it looks like JSON but is not valid JSON"), ("{}", "the response has no access_token"),
    ])
  func noTokens(text: String, why: String) throws {
    let (login, _) = try login([])
    #expect(
      throws: AuthError.usage(
        .init(
          "the tokens on standard input", why: why,
          hint: "pass one access token, or JSON such as {\"access_token\": …, \"refresh_token\": …}"))
    ) { try login.tokens(text) }
  }
}
