import Foundation
import HTTPTypes
import SystemPackage
import Testing

@testable import AuthCore

@Suite("ProfileSession")
struct ProfileSessionTests {
  private let folder: TemporaryDirectory
  private let events = EventLog()

  init() throws { folder = try TemporaryDirectory() }

  private func session(
    _ secrets: MemorySecrets, _ transport: ScriptedTransport, _ change: (inout Profile) throws -> Void = { _ in }
  ) throws -> ProfileSession {
    ProfileSession(
      try sampleProfile(change), connection: connection(transport, events: events), secrets: secrets,
      lock: FileLock(folder.path.appending("lock")), newSessionID: { "S" })
  }

  private static let new = samplePair(access: "A2", refresh: "R2")

  @Test("a login stores the pair and the client's secret, and revokes the refresh token of the one before")
  func begin() async throws {
    let secrets = try MemorySecrets(samplePair())
    let transport = ScriptedTransport([.answer(200), .answer(200)])
    let session = try session(secrets, transport) { $0.clientAuthentication = .post }
    try await session.begin(ProfileSessionTests.new, clientSecret: Secret("shh"))
    #expect(try secrets.pair == ProfileSessionTests.new.beginning("S"))
    #expect(secrets.items[.workClientSecret] == Secret("shh"))
    #expect(
      transport.requests.map(\.form) == [
        ["token=R1", "token_type_hint=refresh_token", "client_id=cli", "client_secret=shh"],
        ["token=A1", "token_type_hint=access_token", "client_id=cli", "client_secret=shh"],
      ])
    #expect(transport.requests.map(\.url) == ["https://id.example/revoke", "https://id.example/revoke"])
  }

  @Test("a login whose tokens the server had given before revokes nothing", arguments: [("A1", "R2"), ("A2", "R1")])
  func sameTokens(access: String, refresh: String) async throws {
    let transport = ScriptedTransport()
    let pair = samplePair(access: access, refresh: refresh)
    try await session(MemorySecrets(samplePair()), transport).begin(pair, clientSecret: nil)
    #expect(transport.requests.isEmpty)
  }

  @Test("a revocation that fails does not undo the login; it is a warning")
  func notRevoked() async throws {
    let secrets = try MemorySecrets(samplePair())
    try await session(secrets, ScriptedTransport([.answer(503)])).begin(ProfileSessionTests.new, clientSecret: nil)
    #expect(try secrets.pair == ProfileSessionTests.new.beginning("S"))
    #expect(
      events.events.last
        == .warning("the former login was not revoked: https://id.example/revoke answers 503, no error code"))
  }

  @Test("neither a secret nor a token goes to another server than its own when the profile has changed")
  func changedServer() async throws {
    let secrets = try MemorySecrets(samplePair())
    let transport = ScriptedTransport([.answer(200), .answer(200)])
    let session = try session(secrets, transport) {
      $0.issuer = "https://new.example"
      $0.clientID = "new"
      $0.clientAuthentication = .basic
      $0.endpoints.revocation = try WebURL("https://new.example/revoke")
    }
    try await session.begin(ProfileSessionTests.new, clientSecret: Secret("shh"))
    #expect(Set(transport.requests.map(\.url)) == ["https://id.example/revoke"])
    #expect(transport.requests.first?.form == ["token=R1", "token_type_hint=refresh_token", "client_id=cli"])
    #expect(transport.requests.allSatisfy { $0.fields[.authorization] == nil })
  }

  @Test("a stored pair that can't be read is replaced by a login, and removed by a logout")
  func damaged() async throws {
    let secrets = MemorySecrets([.workTokens: Secret("x")])
    try await session(secrets, ScriptedTransport()).begin(ProfileSessionTests.new, clientSecret: nil)
    #expect(try secrets.pair == ProfileSessionTests.new.beginning("S"))
    secrets.put(Secret("x"), as: .workTokens)
    guard
      case .notRevoked(.storage(.damaged, _)) = try await session(secrets, ScriptedTransport()).end(localOnly: false)
    else { throw Unexpected("another end") }
    #expect(secrets.items.isEmpty)
  }

  @Test("a login that can't be stored is reported, and the one before is not revoked")
  func notStored() async throws {
    let secrets = try MemorySecrets(samplePair())
    secrets.failNextSaves(1)
    let transport = ScriptedTransport()
    let session = try session(secrets, transport)
    await #expect(throws: MemorySecrets.fault) { try await session.begin(ProfileSessionTests.new, clientSecret: nil) }
    #expect(transport.requests.isEmpty)
    #expect(try secrets.pair == samplePair())
  }

  @Test("a logout revokes, the refresh token first (RFC 7009, section 2.1), then removes all that is stored")
  func end() async throws {
    let secrets = try MemorySecrets(samplePair())
    secrets.put(Secret("p"), as: SecretItem(profile: "work", kind: .password))
    let other = SecretItem(profile: "other", kind: .tokens)
    secrets.put(Secret("o"), as: other)
    let transport = ScriptedTransport([.answer(200), .answer(200)])
    #expect(try await session(secrets, transport).end(localOnly: false) == .done(revoked: true))
    #expect(secrets.items == [other: Secret("o")])
    #expect(transport.requests.map { $0.form[0] } == ["token=R1", "token=A1"])
    #expect(events.events == [.revoked, .cleared])
  }

  @Test(
    "the tokens are removed whatever the server says (real-servers.md, 18)",
    arguments: [
      (
        .answer(401), false,
        "https://id.example/revoke answers 401, no error code: it lets no public client revoke, and has not revoked"
      ),
      (.answer(400, #"{"error":"invalid_client"}"#), false, "https://id.example/revoke answers 400, invalid_client"),
      (.answer(503), true, "https://id.example/revoke answers 503, no error code"),
      (.failure(.timedOut(detail: "slow")), true, "slow"),
    ] as [(ScriptedTransport.Step, Bool, String)])
  func refused(step: ScriptedTransport.Step, later: Bool, why: String) async throws {
    let secrets = try MemorySecrets(samplePair())
    let explanation = AuthError.Explanation(
      "revoking the tokens", why: why,
      hint: "they may stay valid at the server until they expire: end the session there if that matters")
    #expect(
      try await session(secrets, ScriptedTransport([step])).end(localOnly: false)
        == .notRevoked(later ? .tryLater(explanation) : .refused(explanation)))
    #expect(secrets.items.isEmpty)
  }

  @Test("a local logout, and one of nobody, ask no server")
  func local() async throws {
    let transport = ScriptedTransport()
    let secrets = try MemorySecrets(samplePair())
    #expect(try await session(secrets, transport).end(localOnly: true) == .done(revoked: false))
    #expect(secrets.items.isEmpty)
    #expect(try await session(secrets, transport).end(localOnly: false) == .nothingStored)
    #expect(transport.requests.isEmpty)
  }

  @Test("a server without a revocation endpoint is not asked")
  func noEndpoint() async throws {
    var pair = samplePair()
    pair.server?.revocationEndpoint = nil
    let transport = ScriptedTransport()
    #expect(try await session(MemorySecrets(pair), transport).end(localOnly: false) == .done(revoked: false))
    #expect(transport.requests.isEmpty)
  }
}
