import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import AuthCore

@Suite("SimulatedCredentials") struct SimulatedCredentialsTests {
  private static let token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.Sig-nature_0123"
  private let storage: SecretTokenStorage
  private let secrets: MemorySecrets
  private let events = EventLog()

  init() throws {
    var pair = samplePair(access: SimulatedCredentialsTests.token)
    pair.sessionID = "s"
    secrets = try MemorySecrets(pair)
    storage = SecretTokenStorage(secrets, profile: "work")
  }

  /// The session of the stored pair, whose refresh gives `A2`, or fails.
  private func session(_ failure: RefreshFailure? = nil) -> TokenSession {
    var settings = SessionSettings()
    settings.now = { .sample }
    settings.onEvent = events.handler
    return TokenSession("work", storage: .custom(storage), settings: settings) { pair in
      if let failure { throw failure }
      return pair.refreshed(
        by: TokenResponse(accessToken: Secret("A2"), refreshToken: Secret("R2"), expiresIn: 3600), sentAt: .sample)
    }
  }

  private func credentials(_ session: TokenSession, _ simulation: TokenSimulation) -> SimulatedCredentials {
    SimulatedCredentials(of: session, simulation, random: { "random-text" })
  }

  private func send(_ source: some CredentialSource, _ steps: [ScriptedTransport.Step]) async throws -> (
    TransferResponse, [String?]
  ) {
    let transport = ScriptedTransport(steps)
    let url = try WebURL("https://api.example/v1")
    let sender = AuthorizedSender(
      transport, .init(source, origins: [url.origin], refusals: RefusalRule()), events: events.handler)
    let response = try await sender.send(Transfer(method: .get, url: url), redirects: .response)
    return (response, transport.requests.map { $0.fields[.authorization] })
  }

  @Test("a valid token counts as expired: it is refreshed once, and the refreshed one is sent")
  func expired() async throws {
    let source = credentials(session(), .expired)
    let (response, sent) = try await send(source, [.response(200)])
    #expect(response.status == 200 && sent == ["Bearer A2"])
    #expect(events.events.contains(.refreshing(because: "the token counts as expired (simulated)")))
    #expect(try await send(source, [.response(200)]).1 == ["Bearer A2"])
    #expect(try secrets.pair?.accessToken == Secret("A2"))
    #expect(await source.isOver)
  }

  @Test("an altered token is sent until the API refuses it; the refresh and the replay are real, and nothing is noted")
  func refused() async throws {
    let source = credentials(session(), .refused)
    let (open, first) = try await send(source, [.response(200)])
    #expect(open.status == 200 && first != ["Bearer " + SimulatedCredentialsTests.token])
    #expect(await !source.isOver)
    let (response, sent) = try await send(source, [.response(401), .response(200)])
    #expect(response.status == 200 && sent == [first[0], "Bearer A2"])
    #expect(await source.isOver)
    let pair = try #require(try secrets.pair)
    #expect(pair.accessToken == Secret("A2") && pair.refusedAt == nil && pair.accessTokenRefusedAt == nil)
    #expect(try await session().token().accessToken == Secret("A2"))
  }

  @Test("a refresh is made although the API has refused the stored token right after it was issued (invariant 8)")
  func refusedBefore() async throws {
    var pair = try #require(try secrets.pair)
    pair.refusedAt = .sample
    try await storage.save(pair)
    #expect(try await send(credentials(session(), .refused), [.response(401), .response(200)]).1.last == "Bearer A2")
  }

  @Test("if the refresh token is dead, the stored access token is still used: the API has not refused it")
  func deadRefreshToken() async throws {
    await #expect(throws: AuthError.self) {
      try await send(credentials(session(.dead("gone")), .refused), [.response(401), .response(200)])
    }
    let pair = try #require(try secrets.pair)
    #expect(pair.lastError?.final == true && pair.accessTokenRefusedAt == nil && pair.refusedAt == nil)
    #expect(try await session().token().accessToken == Secret(SimulatedCredentialsTests.token))
  }

  @Test("if the API refuses the refreshed token, too, that is remembered: it has refused a real one (invariant 8)")
  func refusedAgain() async throws {
    let (response, sent) = try await send(credentials(session(), .refused), [.response(401), .response(401)])
    #expect(response.refreshPause == .seconds(300) && sent.last == "Bearer A2")
    #expect(try secrets.pair?.refusedAt == .sample)
  }

  @Test(
    "an altered token has the form of the token, without its text after the last dot",
    arguments: [
      ("head.claims.Abc012-_Z", "head.claims.Def234-_Z"), ("opaque", "defabe"), ("", "2"), ("x", "x2"), ("--", "--2"),
      ("a.b.", "d.f."),
    ])
  func altered(token: String, altered: String) {
    #expect(Secret(token).altered(by: { "nmlkji" }).exposed == altered)
  }

  @Test("a token is altered although the random text gives the same characters")
  func sameByChance() {
    #expect(Secret("aaa").altered(by: { "\u{0}" }).exposed != "aaa")
  }
}
