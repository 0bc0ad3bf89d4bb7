import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import AuthCore

@Suite("OAuthRefresher")
struct OAuthRefresherTests {
  private let events = EventLog()

  private func refresher(
    _ transport: ScriptedTransport, _ profile: Profile, secrets: MemorySecrets = MemorySecrets()
  ) -> OAuthRefresher {
    OAuthRefresher(
      AuthorizationServer(
        profile: profile, connection: connection(transport, events: events), secrets: secrets),
      pause: .milliseconds(1))
  }

  /// The result of a refresh that must fail.
  private func failure(_ refresher: OAuthRefresher, _ pair: TokenPair) async -> RefreshFailure? {
    do throws(RefreshFailure) {
      _ = try await refresher.refresh(pair)
      return nil
    } catch {
      return error
    }
  }

  private static let success = ScriptedTransport.Step.response(
    200, #"{"access_token":"A2","refresh_token":"R2","expires_in":60}"#)

  @Test("the grant is that of RFC 6749, section 6, with the profile's resources and fields")
  func grant() async throws {
    let transport = ScriptedTransport([OAuthRefresherTests.success])
    let profile = try sampleProfile {
      $0.scope = ["not", "repeated"]
      $0.resource = ["https://api.example"]
      $0.parameters.refresh = ["b": "2", "a": "1"]
      $0.parameters.token = ["never": "here"]
    }
    let pair = try await refresher(transport, profile).refresh(samplePair())
    #expect(pair.accessToken == Secret("A2"))
    #expect(pair.refreshToken == Secret("R2"))
    #expect(pair.expiresAt == Date.sample.addingTimeInterval(60))
    #expect(
      transport.requests.map(\.form) == [
        [
          "grant_type=refresh_token", "refresh_token=R1", "resource=https://api.example", "a=1", "b=2",
          "client_id=cli",
        ]
      ])
  }

  @Test(
    "a server that fails transiently is asked again (real-servers.md, 2)",
    arguments: [
      .response(500), .response(503, "<html></html>"), .response(429), .failure(.broken(detail: "cut off")),
      .failure(.timedOut(detail: "slow")),
    ] as [ScriptedTransport.Step])
  func transient(step: ScriptedTransport.Step) async throws {
    let transport = ScriptedTransport([step, OAuthRefresherTests.success])
    #expect(try await refresher(transport, sampleProfile()).refresh(samplePair()).accessToken == Secret("A2"))
    #expect(transport.requests.map(\.body).first == transport.requests.map(\.body).last)
    #expect(transport.requests.count == 2)
    #expect(events.events.count == 1)
  }

  @Test("a process that can't send says so at once, and the failure is its own: no other process shares it")
  func unusable() async throws {
    let detail = "libcurl can't be loaded: no memory"
    let transport = ScriptedTransport([.failure(.unusable(detail: detail)), OAuthRefresherTests.success])
    let failure = await failure(refresher(transport, try sampleProfile()), samplePair())
    guard case .other(.failed(let explanation)) = failure else { throw Unexpected(failure) }
    #expect(explanation.why == detail && explanation.what == "calling https://id.example/token")
    #expect(transport.requests.count == 1)
  }

  @Test("at most three requests are sent, and none counts against the refresh token")
  func bounded() async throws {
    let transport = ScriptedTransport([.response(500), .response(500), .response(500), OAuthRefresherTests.success])
    // Time is no limit here, however slow the machine.
    var profile = try sampleProfile()
    profile.network.timeout = .seconds(3600)
    let failure = await failure(refresher(transport, profile), samplePair())
    guard case .other(let error) = failure else { throw Unexpected(failure) }
    #expect(
      error
        == .tryLater(
          .init(
            "refreshing the token of work", why: "https://id.example/token returned 500, no error code",
            hint: "nothing is lost, the tokens are kept", remedy: .tryAgain(after: nil))))
    #expect(transport.requests.count == 3)
  }

  @Test(
    "a lost response, or a gateway's, may hide a refresh: the request is repeated once", arguments: [502, 504, nil])
  func lost(status: Int?) async throws {
    let step: ScriptedTransport.Step = status.map { .response($0) } ?? .failure(.timedOut(detail: "slow"))
    let transport = ScriptedTransport([step, step, OAuthRefresherTests.success])
    var profile = try sampleProfile()
    profile.network.timeout = .seconds(3600)
    let failure = await failure(refresher(transport, profile), samplePair())
    guard case .uncertain(.tryLater(let explanation)) = failure else { throw Unexpected(failure) }
    #expect(explanation.hint == "the tokens are kept; log in if the server refuses them at the next attempt")
    #expect(explanation.remedy == .tryAgain(after: nil))
    #expect(transport.requests.count == 2)
  }

  @Test(
    "a retry respects Retry-After and the timeout of the request",
    arguments: [("7200", 7200), ("99999999999", 365 * 86400)] as [(String, Double)])
  func retryAfter(field: String, seconds: Double) async throws {
    let transport = ScriptedTransport([.response(503, fields: [.retryAfter: field]), OAuthRefresherTests.success])
    let failure = await failure(refresher(transport, try sampleProfile()), samplePair())
    guard case .unavailable(.tryLater(let explanation), let wait) = failure else { throw Unexpected(failure) }
    #expect(wait == seconds)
    #expect(explanation.hint == "nothing is lost, the tokens are kept")
    #expect(explanation.remedy == .tryAgain(after: seconds))
    #expect(transport.requests.count == 1)
  }

  @Test(
    "a refused refresh token is dead, and is not sent again (real-servers.md, 3)",
    arguments: [
      (400, "", "400"), (401, "", "401"), (400, #"{"error":"invalid_token"}"#, "invalid_token"),
    ])
  func dead(status: Int, body: String, code: String) async throws {
    let transport = ScriptedTransport([.response(status, body), OAuthRefresherTests.success])
    let failure = await failure(refresher(transport, try sampleProfile()), samplePair())
    guard case .refreshTokenDead(let word, let explanation) = failure else { throw Unexpected(failure) }
    #expect(word == code)
    #expect(explanation.remedy == .logIn(session: "work"))
    #expect(transport.requests.count == 1)
  }

  @Test(
    "a refused client, or an unusable response, does not count against the refresh token",
    arguments: [
      (.response(403), false, "https://id.example/token returned 403, no error code"),
      (.response(401, #"{"error":"invalid_client"}"#), false, "https://id.example/token returned 401, invalid_client"),
      (.response(302), true, "https://id.example/token redirects, which a token endpoint must not"),
      (
        .response(200, "<html></html>"), true,
        "https://id.example/token: the response is not JSON: 200, no content type: <html></html>"
      ),
    ] as [(ScriptedTransport.Step, Bool, String)])
  func refused(step: ScriptedTransport.Step, mayHaveRefreshed: Bool, reason: String) async throws {
    let failure = await failure(refresher(ScriptedTransport([step]), try sampleProfile()), samplePair())
    switch failure {
    case .other(.refused(let explanation)): #expect(explanation.why == reason && !mayHaveRefreshed)
    case .uncertain(.refused(let explanation)): #expect(explanation.why == reason && mayHaveRefreshed)
    default: throw Unexpected(failure)
    }
  }

  private static let changes: [(change: @Sendable (inout Profile) throws -> Void, words: String)] = [
    ({ $0.issuer = "https://other.example" }, "the issuer in the profile has changed"),
    ({ $0.clientID = "other" }, "client_id in the profile has changed"),
    ({ $0.issuer = nil }, "the issuer in the profile has changed"),
    (
      { $0.endpoints.token = try WebURL("https://evil.example/token") }, "the origin of the token endpoint has changed"
    ),
  ]

  @Test("a refresh token is never sent to another server or for another client", arguments: changes.indices)
  func otherServer(index: Int) async throws {
    let (change, words) = OAuthRefresherTests.changes[index]
    let transport = ScriptedTransport([OAuthRefresherTests.success])
    let refresher = refresher(transport, try sampleProfile(change))
    #expect(!refresher.canRefresh(samplePair()))
    let failure = await failure(refresher, samplePair())
    guard case .other(let error) = failure else { throw Unexpected(failure) }
    #expect(
      error
        == .loginRequired(
          .init(
            "profile work", why: "\(words) since the login; the tokens belong to the old server",
            remedy: .logIn(session: "work"))))
    #expect(transport.requests.isEmpty)
  }

  @Test(
    "without an issuer, the origin of the token endpoint identifies the server",
    arguments: [("https://id.example/v2/token", true), ("https://evil.example/token", false)])
  func movedEndpoint(endpoint: String, expected: Bool) throws {
    let profile = try sampleProfile {
      $0.issuer = nil
      $0.endpoints.token = try WebURL(endpoint)
    }
    var pair = samplePair()
    pair.server?.issuer = nil
    #expect(refresher(ScriptedTransport(), profile).canRefresh(pair) == expected)
  }

  @Test("the token endpoint that issued the pair is asked without a new discovery")
  func knownEndpoint() async throws {
    let transport = ScriptedTransport([OAuthRefresherTests.success])
    _ = try await refresher(transport, try sampleProfile { $0.endpoints.token = nil }).refresh(samplePair())
    #expect(transport.requests.map(\.url) == ["https://id.example/token"])
  }

  @Test("a pair that was got elsewhere finds its token endpoint by discovery")
  func discovered() async throws {
    let document = #"{"issuer":"https://id.example","token_endpoint":"https://id.example/found"}"#
    let transport = ScriptedTransport([
      .response(200, document, at: "https://id.example/.well-known/oauth-authorization-server"),
      .response(404, at: "https://id.example/.well-known/openid-configuration"), OAuthRefresherTests.success,
    ])
    var pair = samplePair()
    pair.server?.tokenEndpoint = nil
    let profile = try sampleProfile { $0.endpoints.token = nil }
    let refreshed = try await refresher(transport, profile).refresh(pair)
    #expect(transport.requests.last?.url == "https://id.example/found")
    // From then on it is bound to it.
    #expect(refreshed.server?.tokenEndpoint == "https://id.example/found")
    #expect(refreshed.server?.change(in: profile, discovered: try WebURL("https://evil.example/t")) == .tokenEndpoint)
  }

  @Test(
    "a client secret that was given for another server or client is not sent", arguments: [nil, "https://id.example/t"])
  func foreignSecret(endpoint: String?) async throws {
    let (profile, pair, secrets) = try clientCredentials()
    let other = TokenPair.Server(
      issuer: endpoint == nil ? "https://old.example" : profile.issuer, clientID: endpoint == nil ? "cli" : "old",
      tokenEndpoint: endpoint ?? "https://old.example/token", revocationEndpoint: nil)
    secrets.put(try BoundSecret(Secret("shh"), to: other).stored(), as: .workClientSecret)
    let transport = ScriptedTransport([OAuthRefresherTests.success])
    let failure = await failure(refresher(transport, profile, secrets: secrets), pair)
    guard case .other(.loginRequired(let explanation)) = failure else { throw Unexpected(failure) }
    #expect(explanation.why.hasPrefix("the stored client secret was given for "))
    #expect(transport.requests.isEmpty)
  }

  @Test("a refused ID token of a refresh: the tokens that came with it are revoked, the old ones are not")
  func discarded() async throws {
    let idToken = try TestSigner().token(#"{"iss":"https://evil.example"}"#).exposed
    let transport = ScriptedTransport([
      .response(200, #"{"access_token":"A2","refresh_token":"R2","id_token":"\#(idToken)"}"#), .response(200),
      .response(200),
    ])
    let failure = await failure(refresher(transport, try sampleProfile()), samplePair())
    guard case .uncertain(.refused) = failure else { throw Unexpected(failure) }
    #expect(transport.requests.dropFirst().map { $0.form[0] } == ["token=R2", "token=A2"])
    #expect(transport.requests.last?.url == "https://id.example/revoke")
  }

  @Test(
    "a token of a type that the profile does not know how to send: refused, and the refresh token of the response kept",
    arguments: [(#","refresh_token":"R2","refresh_expires_in":60"#, "R2"), ("", "R1")])
  func unusableType(more: String, kept: String) async throws {
    let transport = ScriptedTransport([.response(200, #"{"access_token":"A2","token_type":"JWT"\#(more)}"#)])
    let failure = await failure(refresher(transport, try sampleProfile()), samplePair())
    guard case .unusable(.refused(let explanation), let pair) = failure else { throw Unexpected(failure) }
    #expect(explanation.why == "the token is of type 'JWT', neither Bearer nor DPoP")
    #expect(explanation.hint.contains("the session is kept") && explanation.hint.contains("[header]"))
    var expected = samplePair(refresh: kept)
    if kept == "R2" { expected.refreshExpiresAt = .sample.addingTimeInterval(60) }
    #expect(pair == expected)
    // Nothing is revoked: the server could end the session with it.
    #expect(transport.requests.count == 1)
  }

  @Test("with [header] stated a token of another type is what the profile sends")
  func statedHeader() async throws {
    let transport = ScriptedTransport([.response(200, #"{"access_token":"A2","token_type":"JWT"}"#)])
    let refreshed = try await refresher(transport, try sampleProfile { $0.isHeaderStated = true }).refresh(samplePair())
    #expect(refreshed.accessToken == Secret("A2") && refreshed.tokenType == "JWT")
  }

  @Test("the server's description of a refusal goes with its code")
  func description() async throws {
    let body = #"{"error":"invalid_grant","error_description":"Token is not active"}"#
    let failure = await failure(refresher(ScriptedTransport([.response(400, body)]), try sampleProfile()), samplePair())
    guard case .refreshTokenDead("invalid_grant", let explanation) = failure else { throw Unexpected(failure) }
    #expect(explanation.serverErrorDescription == "Token is not active")
  }

  @Test(
    "without a refresh token, or with one that the server has refused, nothing is sent",
    arguments: [
      (nil, "there is no refresh token"),
      ("R1", "the server has refused the refresh token (expired_token)"),
    ] as [(String?, String)])
  func unable(refresh: String?, reason: String) async throws {
    let transport = ScriptedTransport([OAuthRefresherTests.success])
    let refresher = refresher(transport, try sampleProfile())
    var pair = samplePair(refresh: refresh)
    pair.lastError = .init(error: "expired_token", at: .sample, final: refresh != nil)
    #expect(!refresher.canRefresh(pair))
    let failure = await failure(refresher, pair)
    guard case .other(.loginRequired(let explanation)) = failure else { throw Unexpected(failure) }
    #expect(explanation.why == reason)
    #expect(transport.requests.isEmpty)
  }

  /// A pair whose refresh token has expired, by the margin of the profile or wholly.
  private func asExpired(_ left: Double) -> TokenPair {
    var pair = samplePair()
    pair.refreshExpiresAt = .sample.addingTimeInterval(left)
    return pair
  }

  @Test("without a margin the server decides about a refresh token that has expired by the local clock")
  func asExpired() async throws {
    let transport = ScriptedTransport([OAuthRefresherTests.success])
    let refresher = refresher(transport, try sampleProfile { $0.refreshTokenLifetime = .seconds(100) })
    #expect(!refresher.canRefresh(asExpired(-1)))
    let pair = try await refresher.refresh(asExpired(-1))
    #expect(pair.refreshToken == Secret("R2") && pair.refreshExpiresAt == .sample.addingTimeInterval(100))
    #expect(transport.requests.count == 1)
  }

  @Test("within the profile's margin a refresh token is not sent", arguments: [-1, 59])
  func margin(left: Double) async throws {
    let transport = ScriptedTransport([OAuthRefresherTests.success])
    let refresher = refresher(transport, try sampleProfile { $0.refreshTokenMargin = .seconds(60) })
    #expect(!refresher.canRefresh(asExpired(left)))
    let failure = await failure(refresher, asExpired(left))
    guard case .other(.loginRequired) = failure else { throw Unexpected(failure) }
    #expect(transport.requests.isEmpty)
  }

  @Test(
    "an expired refresh token is dead after any refusal of the grant",
    arguments: [
      (400, #"{"error":"invalid_grant"}"#, "invalid_grant"), (401, "", "401"),
      (400, #"{"error":"invalid_request"}"#, "invalid_request"), (404, #"{"error":"not_found"}"#, "not_found"),
    ])
  func deadWhenExpired(status: Int, body: String, code: String) async throws {
    let refresher = refresher(ScriptedTransport([.response(status, body)]), try sampleProfile())
    let failure = await failure(refresher, asExpired(-1))
    guard case .refreshTokenDead(let word, let explanation) = failure else { throw Unexpected(failure) }
    #expect(word == code && explanation.serverError == code)
    #expect(explanation.why.contains("\(status), \(body.isEmpty ? "no error code" : code)"))
  }

  @Test(
    "an expired refresh token survives a refusal for another reason",
    arguments: [
      .response(401, #"{"error":"invalid_client"}"#), .response(403), .response(302), .response(200, "<html></html>"),
      .response(400, #"{"error":"temporarily_unavailable"}"#),
    ] as [ScriptedTransport.Step])
  func refusedWhenExpired(step: ScriptedTransport.Step) async throws {
    let failure = await failure(refresher(ScriptedTransport([step]), try sampleProfile()), asExpired(-1))
    if case .refreshTokenDead = failure { Issue.record("it is dead") }
    guard case .refused = failure?.reason else { throw Unexpected(failure) }
  }

  @Test("an unreachable server is asked again about an expired refresh token")
  func unavailableWhenExpired() async throws {
    let steps = Array(repeating: ScriptedTransport.Step.response(503), count: 3)
    var profile = try sampleProfile()
    profile.network.timeout = .seconds(3600)
    let failure = await failure(refresher(ScriptedTransport(steps), profile), asExpired(-1))
    guard case .other(.tryLater) = failure else { throw Unexpected(failure) }
  }

  private func clientCredentials() throws -> (profile: Profile, pair: TokenPair, secrets: MemorySecrets) {
    let profile = try sampleProfile {
      $0.flow = .clientCredentials
      $0.clientAuthentication = .post
      $0.scope = ["a", "b"]
    }
    var pair = samplePair(refresh: nil)
    pair.flow = "client-credentials"
    return (profile, pair, MemorySecrets([.workClientSecret: Secret("shh")]))
  }

  @Test("client credentials are refreshed by a new request (RFC 6749, section 4.4.3)")
  func asksAgain() async throws {
    let (profile, pair, secrets) = try clientCredentials()
    let transport = ScriptedTransport([.response(200, #"{"access_token":"A2"}"#)])
    let refreshed = try await refresher(transport, profile, secrets: secrets).refresh(pair)
    #expect(refreshed.accessToken == Secret("A2"))
    #expect(refreshed.flow == "client-credentials")
    #expect(
      transport.requests.map(\.form) == [
        ["grant_type=client_credentials", "scope=a b", "client_id=cli", "client_secret=shh"]
      ])
  }

  @Test(
    "refused client credentials are not a dead refresh token", arguments: ["", #"{"error":"invalid_grant"}"#])
  func refusedCredentials(body: String) async throws {
    let (profile, pair, secrets) = try clientCredentials()
    let refresher = refresher(ScriptedTransport([.response(401, body)]), profile, secrets: secrets)
    let failure = await failure(refresher, pair)
    guard case .other(.refused) = failure else { throw Unexpected(failure) }
  }

  @Test("a client secret that is missing in the keyring is reported, and nothing is sent")
  func noSecret() async throws {
    let (profile, pair, _) = try clientCredentials()
    let transport = ScriptedTransport([OAuthRefresherTests.success])
    let failure = await failure(refresher(transport, profile), pair)
    guard case .other(let error) = failure else { throw Unexpected(failure) }
    #expect(
      error
        == .loginRequired(
          .init(
            "profile work", why: "the client's secret is not stored",
            remedy: .giveClientSecret(session: "work"))))
    #expect(transport.requests.isEmpty)
  }
}
