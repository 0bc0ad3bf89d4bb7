import Foundation
import HTTPTypes
import SystemPackage
import TestSupport
import Testing

@testable import AuthCore

@Suite("ProfileSession")
struct ProfileSessionTests {
  private let folder: TemporaryDirectory
  private let events = EventLog()

  init() throws { folder = try TemporaryDirectory() }

  private func session(
    _ secrets: MemorySecrets, _ transport: ScriptedTransport, _ change: (inout Profile) throws -> Void = { _ in }
  ) throws -> TokenSession {
    var connection = connection(transport, events: events)
    // Time is no limit here, however slow the machine.
    connection.network.timeout = .seconds(3600)
    return TokenSession(
      try sampleProfile(change), connection: connection, secrets: secrets,
      lock: FileLock(folder.path.appending("lock")), newSessionID: { "S" })
  }

  private static let new = samplePair(access: "A2", refresh: "R2")

  @Test("a login stores the pair and the client's secret, and revokes the refresh token of the one before")
  func begin() async throws {
    let secrets = try MemorySecrets(samplePair())
    let transport = ScriptedTransport([.response(200), .response(200)])
    let session = try session(secrets, transport) { $0.clientAuthentication = .post }
    try await session.logIn(with: ProfileSessionTests.new, secrets: LoginSecrets(clientSecret: Secret("shh")))
    #expect(try secrets.pair == ProfileSessionTests.new.beginning("S"))
    #expect(secrets.clientSecret == BoundSecret(Secret("shh"), to: samplePair().server))
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
    try await session(MemorySecrets(samplePair()), transport).logIn(with: pair)
    #expect(transport.requests.isEmpty)
  }

  @Test("a revocation that fails does not undo the login; it is a warning")
  func notRevoked() async throws {
    let secrets = try MemorySecrets(samplePair())
    let transport = ScriptedTransport([.response(503), .response(503), .response(503)])
    try await session(secrets, transport).logIn(with: ProfileSessionTests.new)
    #expect(try secrets.pair == ProfileSessionTests.new.beginning("S"))
    #expect(
      events.events.last
        == .warning("the previous login was not revoked: https://id.example/revoke returned 503, no error code"))
  }

  /// A pair of the server that the profile describes after a change.
  private func pair(of profile: Profile) -> TokenPair {
    var pair = samplePair(access: "A2", refresh: "R2")
    pair.server = .init(
      issuer: profile.issuer, clientID: profile.clientID, tokenEndpoint: profile.endpoints.token?.string,
      revocationEndpoint: profile.endpoints.revocation?.string)
    return pair
  }

  /// The changes of a profile after which it describes another server or client.
  static let changes: [@Sendable (inout Profile) throws -> Void] = [
    { $0.issuer = "https://new.example" },
    { $0.clientID = "new" },
    { $0.endpoints.token = try WebURL("https://new.example/token") },
    {
      $0.issuer = nil
      $0.endpoints.token = try WebURL("https://new.example/token")
    },
  ]

  @Test(
    "a login at another server revokes the old tokens at the old one, with the old client and its secret",
    arguments: changes, [Secret("old"), nil])
  func changedServer(change: @Sendable (inout Profile) throws -> Void, old: Secret?) async throws {
    let secrets = try MemorySecrets(samplePair())
    let former = try #require(samplePair().server)
    if let old { secrets.put(try BoundSecret(old, to: former).stored(), as: .workClientSecret) }
    let transport = ScriptedTransport([.response(200), .response(200)])
    let session = try session(secrets, transport) {
      try change(&$0)
      $0.clientAuthentication = .post
      $0.endpoints.revocation = try WebURL("https://new.example/revoke")
    }
    try await session.logIn(with: pair(of: session.profile), secrets: LoginSecrets(clientSecret: Secret("new-secret")))
    #expect(Set(transport.requests.map(\.url)) == ["https://id.example/revoke"])
    #expect(
      transport.requests.first?.form == ["token=R1", "token_type_hint=refresh_token", "client_id=cli"]
        + (old == nil ? [] : ["client_secret=old"]))
    #expect(transport.requests.allSatisfy { $0.body?.contains("new-secret") == false })
    #expect(secrets.clientSecret == BoundSecret(Secret("new-secret"), to: pair(of: session.profile).server))
  }

  @Test(
    "a logout after a change of the profile asks the old server only, with the secret that was given for it",
    arguments: changes, [true, false])
  func changedLogout(change: @Sendable (inout Profile) throws -> Void, isBare: Bool) async throws {
    let secrets = try MemorySecrets(samplePair())
    let bound = BoundSecret(Secret("old"), to: samplePair().server)
    secrets.put(isBare ? bound.secret : try bound.stored(), as: .workClientSecret)
    let transport = ScriptedTransport([.response(200), .response(200)])
    let session = try session(secrets, transport) {
      try change(&$0)
      $0.clientAuthentication = .post
      $0.endpoints.revocation = try WebURL("https://new.example/revoke")
    }
    #expect(try await session.logOutWithOutcome(localOnly: false) == .done(revoked: true))
    #expect(transport.requests.map(\.url) == ["https://id.example/revoke", "https://id.example/revoke"])
    #expect(transport.requests.allSatisfy { $0.form.suffix(2) == ["client_id=cli", "client_secret=old"] })
  }

  @Test("tokens do not go to a revocation endpoint of another origin, edited into the profile of the same server")
  func changedRevocation() async throws {
    var pair = samplePair()
    for known in ["https://id.example/revoke", nil] {
      pair.server?.revocationEndpoint = known
      let transport = ScriptedTransport([.response(200), .response(200)])
      let session = try session(MemorySecrets(pair), transport) {
        $0.endpoints.revocation = try WebURL("https://evil.example/revoke")
      }
      let outcome = try await session.logOutWithOutcome(localOnly: false)
      if known == nil {
        #expect(
          outcome
            == .notRevoked(
              .refused(
                Revocation.failure(
                  "https://evil.example/revoke is not at the server that issued the tokens; nothing was sent"))))
      } else {
        #expect(outcome == .done(revoked: true))
      }
      #expect(transport.requests.allSatisfy { $0.url == "https://id.example/revoke" })
    }
  }

  @Test("the secret of a former server does not stay for the next one, not even in the form of earlier versions")
  func leftBehind() async throws {
    for bound in [BoundSecret(Secret("old"), to: samplePair().server), BoundSecret(Secret("old"), to: nil)] {
      let secrets = try MemorySecrets(samplePair())
      secrets.put(try bound.stored(), as: .workClientSecret)
      let session = try session(secrets, ScriptedTransport([.response(200), .response(200)])) {
        $0.issuer = "https://new.example"
      }
      try await session.logIn(with: pair(of: session.profile))
      #expect(secrets.clientSecret == nil)
    }
  }

  @Test("a login at the same server keeps its stored secret")
  func keptSecret() async throws {
    let secrets = try MemorySecrets(samplePair())
    secrets.put(Secret("old"), as: .workClientSecret)
    try await session(secrets, ScriptedTransport([.response(200), .response(200)]))
      .logIn(with: ProfileSessionTests.new)
    #expect(secrets.items[.workClientSecret] == Secret("old"))
  }

  @Test("neither a stored access token nor a refresh token is used for another server", arguments: changes)
  func changedToken(change: @Sendable (inout Profile) throws -> Void) async throws {
    let transport = ScriptedTransport()
    let session = try session(MemorySecrets(samplePair()), transport, change)
    for ask in [
      { try await session.credential(replacing: nil) }, { try await session.credential(replacing: Secret("A1")) },
    ]
      as [@Sendable () async throws -> APICredential]
    {
      let error = await #expect(throws: AuthError.self) { try await ask() }
      guard case .loginRequired = error else { throw Unexpected(error) }
    }
    await #expect(throws: AuthError.self) { try await session.manager.refresh() }
    #expect(transport.requests.isEmpty)
  }

  @Test("a stored pair that can't be read is replaced by a login, and removed by a logout")
  func damaged() async throws {
    let secrets = MemorySecrets([.workTokens: Secret("x")])
    try await session(secrets, ScriptedTransport()).logIn(with: ProfileSessionTests.new)
    #expect(try secrets.pair == ProfileSessionTests.new.beginning("S"))
    secrets.put(Secret("x"), as: .workTokens)
    guard
      case .notRevoked(.storage(.damaged, _)) = try await session(secrets, ScriptedTransport()).logOutWithOutcome(
        localOnly: false)
    else { throw Unexpected("another end") }
    #expect(secrets.items.isEmpty)
  }

  @Test("a login that can't be stored is reported, and the one before is not revoked")
  func notStored() async throws {
    let secrets = try MemorySecrets(samplePair())
    secrets.failNextSaves(1)
    let transport = ScriptedTransport()
    let session = try session(secrets, transport)
    await #expect(throws: MemorySecrets.fault) {
      try await session.logIn(with: ProfileSessionTests.new)
    }
    #expect(transport.requests.isEmpty)
    #expect(try secrets.pair == samplePair())
  }

  @Test("a logout revokes, the refresh token first (RFC 7009, section 2.1), then removes all that is stored")
  func end() async throws {
    let secrets = try MemorySecrets(samplePair())
    secrets.put(Secret("p"), as: SecretItem(profile: "work", kind: .password))
    let other = SecretItem(profile: "other", kind: .tokens)
    secrets.put(Secret("o"), as: other)
    let transport = ScriptedTransport([.response(200), .response(200)])
    #expect(try await session(secrets, transport).logOutWithOutcome(localOnly: false) == .done(revoked: true))
    #expect(secrets.items == [other: Secret("o")])
    #expect(transport.requests.map { $0.form[0] } == ["token=R1", "token=A1"])
    #expect(events.events == [.revoked, .cleared])
  }

  @Test(
    "the tokens are removed whatever the server says (real-servers.md, 18)",
    arguments: [
      (
        .response(401), false,
        "https://id.example/revoke returned 401, no error code: it does not let public clients revoke"
      ),
      (.response(400, #"{"error":"invalid_client"}"#), false, "https://id.example/revoke returned 400, invalid_client"),
      (
        .response(403), false,
        "https://id.example/revoke returned 403, no error code: it does not let public clients revoke"
      ),
      (.response(503), true, "https://id.example/revoke returned 503, no error code"),
      (.failure(.timedOut(detail: "slow")), true, "slow"),
    ] as [(ScriptedTransport.Step, Bool, String)])
  func refused(step: ScriptedTransport.Step, later: Bool, why: String) async throws {
    let secrets = try MemorySecrets(samplePair())
    let explanation = AuthError.Explanation(
      "revoking the tokens", why: why,
      hint: "they may stay valid at the server until they expire: end the session there if necessary")
    #expect(
      try await session(secrets, ScriptedTransport([step, step, step])).logOutWithOutcome(localOnly: false)
        == .notRevoked(later ? .tryLater(explanation) : .refused(explanation)))
    #expect(secrets.items.isEmpty)
  }

  @Test("a server that wants a client_secret of a public client gets an empty one, once (RFC 6749, section 2.3.1)")
  func emptySecret() async throws {
    let complaint = #"{"error":"invalid_request","error_description":"client_secret: Field required"}"#
    let steps = [ScriptedTransport.Step.response(400, complaint), .response(200)]
    let transport = ScriptedTransport(steps + steps)
    #expect(
      try await session(MemorySecrets(samplePair()), transport).logOutWithOutcome(localOnly: false)
        == .done(revoked: true))
    #expect(transport.requests.map { $0.form.contains("client_secret=") } == [false, true, false, true])
    let stubborn = ScriptedTransport([.response(400, complaint), .response(400, complaint)])
    guard
      case .notRevoked(.refused) = try await session(MemorySecrets(samplePair()), stubborn)
        .logOutWithOutcome(localOnly: false)
    else { throw Unexpected("another end") }
    #expect(stubborn.requests.count == 2)
  }

  @Test("a local logout, and one without a login, send no request")
  func local() async throws {
    let transport = ScriptedTransport()
    let secrets = try MemorySecrets(samplePair())
    #expect(try await session(secrets, transport).logOutWithOutcome(localOnly: true) == .done(revoked: false))
    #expect(secrets.items.isEmpty)
    #expect(try await session(secrets, transport).logOutWithOutcome(localOnly: false) == .nothingStored)
    #expect(transport.requests.isEmpty)
  }

  @Test("a server without a revocation endpoint is not asked")
  func noEndpoint() async throws {
    var pair = samplePair()
    pair.server?.revocationEndpoint = nil
    let transport = ScriptedTransport()
    #expect(
      try await session(MemorySecrets(pair), transport).logOutWithOutcome(localOnly: false) == .done(revoked: false))
    #expect(transport.requests.isEmpty)
  }

  @Test(
    "a server that can't revoke one type of token is asked for the other (RFC 7009, 2.2.1; real-servers.md, 28)",
    arguments: [0, 1])
  func unsupportedType(index: Int) async throws {
    var steps = [ScriptedTransport.Step.response(200), .response(200)]
    steps[index] = .response(400, #"{"error":"unsupported_token_type"}"#)
    let transport = ScriptedTransport(steps)
    #expect(
      try await session(MemorySecrets(samplePair()), transport).logOutWithOutcome(localOnly: false)
        == .done(revoked: true))
    #expect(transport.requests.map { $0.form[0] } == ["token=R1", "token=A1"])
    let name = ["refresh", "access"][index]
    #expect(
      events.events.first
        == .warning(
          "the \(name) token stays valid until it expires: "
            + "https://id.example/revoke returned 400, unsupported_token_type"))
  }

  @Test("a server that can revoke neither type has not revoked")
  func unsupportedTypes() async throws {
    let step = ScriptedTransport.Step.response(400, #"{"error":"unsupported_token_type"}"#)
    let session = try session(MemorySecrets(samplePair()), ScriptedTransport([step, step]))
    guard case .notRevoked(.refused) = try await session.logOutWithOutcome(localOnly: false) else {
      throw Unexpected("another end")
    }
  }

  @Test(
    "a server that fails transiently is asked again before the logout fails",
    arguments: [.response(503), .failure(.broken(detail: "reset"))] as [ScriptedTransport.Step])
  func transientRevocation(step: ScriptedTransport.Step) async throws {
    let transport = ScriptedTransport([step, step, .response(200), .response(200)])
    #expect(
      try await session(MemorySecrets(samplePair()), transport).logOutWithOutcome(localOnly: false)
        == .done(revoked: true))
    #expect(transport.requests.map { $0.form[0] } == ["token=R1", "token=R1", "token=R1", "token=A1"])
  }
}
