import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import AuthCore

@Suite("pushed authorization requests")
struct PushedRequestTests {
  private let events = EventLog()
  private static let reference = #"{"request_uri":"urn:x:1","expires_in":60}"#

  private func login(
    _ steps: [ScriptedTransport.Step], metadata: String, secret: Secret? = nil,
    _ change: (inout Profile) throws -> Void = { _ in }
  ) throws -> (Login, ScriptedTransport) {
    let transport = ScriptedTransport(steps)
    let server = AuthorizationServer(
      profile: try sampleProfile(change), connection: connection(transport, events: events), secrets: MemorySecrets())
    let text = #"{"issuer":"https://id.example","authorization_endpoint":"https://id.example/a?t=1"\#(metadata)}"#
    let metadata = try ServerMetadata(JSONValue(parsing: Array(text.utf8)), issuer: "https://id.example")
    return (Login(server, metadata: metadata, clientSecret: secret), transport)
  }

  private static let offered = #","pushed_authorization_request_endpoint":"https://id.example/par""#
  private static let required = offered + #","require_pushed_authorization_requests":true"#

  private func pushed(_ login: Login) async throws(AuthError) -> AuthorizationRequest {
    try await login.pushed(
      login.authorizationRequest(redirectURI: "http://127.0.0.1:1/cb", random: { "r" }))
  }

  @Test("the browser carries client_id, response_type and request_uri only (RFC 9126, section 4; real-servers.md, 46)")
  func reference() async throws {
    let (login, transport) = try login(
      [.response(201, PushedRequestTests.reference)], metadata: PushedRequestTests.offered
    ) {
      $0.scope = ["a"]
      $0.resource = ["https://api.example"]
      $0.parameters.authorization = ["prompt": "login"]
    }
    let request = try await pushed(login)
    #expect(request.url.string == "https://id.example/a?t=1&client_id=cli&response_type=code&request_uri=urn%3Ax%3A1")
    #expect(request.state == "r" && request.isPushed)
    #expect(transport.requests.map(\.url) == ["https://id.example/par"])
    #expect(
      transport.requests[0].form == [
        "response_type=code", "client_id=cli", "redirect_uri=http://127.0.0.1:1/cb", "scope=a", "state=r", "nonce=r",
        "code_challenge=\(request.pkce.codeChallenge)", "code_challenge_method=S256", "resource=https://api.example",
        "prompt=login",
      ])
  }

  @Test(
    "the client authenticates as at the token endpoint, and is named once (RFC 9126, section 2)",
    arguments: [
      (ClientAuthentication.post, "shh", ["client_id", "client_secret"]), (.basic, "shh", ["client_id"]),
      (.privateKeyJWT, SampleKeys.p256JWK, ["client_id", "client_assertion_type", "client_assertion"]),
    ])
  func client(authentication: ClientAuthentication, secret: String, fields: [String]) async throws {
    let (login, transport) = try login(
      [.response(200, PushedRequestTests.reference)], metadata: PushedRequestTests.offered, secret: Secret(secret)
    ) { $0.clientAuthentication = authentication }
    _ = try await pushed(login)
    let names = FormEncoding.decode(transport.requests[0].body ?? "").map(\.name)
    #expect(names.filter { $0.hasPrefix("client_") } == fields)
    #expect((transport.requests[0].fields[.authorization] != nil) == (authentication == .basic))
  }

  @Test("a server that says nothing of them is asked in the old way")
  func absent() async throws {
    let (login, transport) = try login([], metadata: "")
    #expect(try await pushed(login).url.string.contains("code_challenge="))
    #expect(transport.requests.isEmpty)
  }

  @Test("an optional endpoint that does not exist is not used", arguments: [404, 405, 501])
  func unavailable(status: Int) async throws {
    let (login, _) = try login([.response(status)], metadata: PushedRequestTests.offered)
    #expect(try await pushed(login).url.string.contains("code_challenge="))
    #expect(
      events.events == [
        .warning("https://id.example/par returned \(status): continuing without a pushed authorization request")
      ])
  }

  @Test("a required or configured request is always used", arguments: [true, false])
  func required(byMetadata: Bool) async throws {
    let (login, _) = try login([.response(404)], metadata: byMetadata ? PushedRequestTests.required : "") {
      if !byMetadata { $0.endpoints.pushedAuthorizationRequest = try WebURL("https://id.example/par") }
    }
    await #expect(throws: AuthError.self) { try await pushed(login) }
    #expect(events.events.isEmpty)
  }

  @Test("the profile can switch it off, even if the server offers or requires it", arguments: [true, false])
  func switchedOff(isRequired: Bool) async throws {
    let metadata = isRequired ? PushedRequestTests.required : PushedRequestTests.offered
    let (login, transport) = try login([], metadata: metadata) { $0.endpoints.pushesAuthorizationRequests = false }
    #expect(try await pushed(login).url.string.contains("code_challenge="))
    #expect(transport.requests.isEmpty)
  }

  @Test(
    "401 or 403 without a readable error is the client being refused, as at the token endpoint (real-servers.md, 27)",
    arguments: [401, 403])
  func clientRefused(status: Int) async throws {
    let (login, _) = try login([.response(status)], metadata: PushedRequestTests.offered)
    let error = await #expect(throws: AuthError.self) { try await pushed(login) }
    let hint = try #require(error?.explanation.hint)
    #expect(hint.hasPrefix("check client_id"), "\(hint)")
    #expect(hint.hasSuffix("the client must be registered with the redirect URI http://127.0.0.1:1/cb"), "\(hint)")
  }

  @Test("a required request without an endpoint is reported with the remedy")
  func noEndpoint() async throws {
    let (login, _) = try login([], metadata: #","require_pushed_authorization_requests":true"#)
    await #expect(
      throws: AuthError.refused(
        .init(
          "logging in to work",
          why: "the server requires pushed authorization requests, but publishes no endpoint for them",
          remedy: .stateEndpoint(session: "work", key: "pushed_authorization_request")))
    ) { try await pushed(login) }
  }

  @Test(
    "a refusal is final, and a transient failure is to be retried later",
    arguments: [
      (.response(400, #"{"error":"invalid_request"}"#), 6, "https://id.example/par returned 400, invalid_request"),
      (.response(401, #"{"error":"invalid_client"}"#), 6, "https://id.example/par returned 401, invalid_client"),
      (.response(503), 5, "https://id.example/par returned 503, no error code"),
      (.response(429), 5, "https://id.example/par returned 429, no error code"),
      (.failure(.timedOut(detail: "slow")), 5, "slow"),
      (.response(201, "{}"), 6, "https://id.example/par returned 201, but without a request_uri"),
      (.response(201, "<html>"), 6, "https://id.example/par returned 201, but without a request_uri"),
      (.response(302), 6, "https://id.example/par returned 302, no error code"),
    ] as [(ScriptedTransport.Step, Int, String)])
  func failed(step: ScriptedTransport.Step, status: Int, why: String) async throws {
    let (login, _) = try login([step], metadata: PushedRequestTests.offered)
    do throws(AuthError) {
      _ = try await pushed(login)
      Issue.record("it was pushed")
    } catch {
      let found =
        switch error {
        case .refused: 6
        case .tryLater: 5
        default: 0
        }
      #expect(found == status)
      #expect(error.explanation.why == why)
    }
  }
}
