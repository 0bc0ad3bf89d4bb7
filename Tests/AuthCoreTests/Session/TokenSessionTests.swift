import Foundation
import TestSupport
import Testing

@testable import AuthCore

@Suite("TokenSession")
struct TokenSessionTests {
  private let storage = MemoryTokenStorage()

  private func settings(_ change: (inout SessionSettings) -> Void = { _ in }) -> SessionSettings {
    var settings = SessionSettings()
    settings.now = { .sample }
    // A busy machine must not change what a test sees.
    settings.policy.patience = .seconds(600)
    change(&settings)
    return settings
  }

  private func next(_ pair: TokenPair, _ number: Int) -> TokenPair {
    pair.refreshed(
      by: TokenResponse(accessToken: Secret("A\(number)"), refreshToken: Secret("R\(number)"), expiresIn: 3600),
      sentAt: .sample)
  }

  @Test("of five thousand concurrent requests whose token is refused, one refreshes (invariant 2)")
  func storm() async throws {
    let refreshes = Notices()
    let session = TokenSession("work", storage: .custom(storage), settings: settings()) { pair in
      #expect(pair.refreshToken == Secret("R1"))
      refreshes.add("")
      // Long enough that the others arrive while it runs, whenever it began.
      for _ in 0..<200 { await Task.yield() }
      return pair.refreshed(
        by: TokenResponse(accessToken: Secret("A2"), refreshToken: Secret("R2"), expiresIn: 3600), sentAt: .sample)
    }
    try await session.logIn(with: samplePair())
    let api = FakeAPI { request in .made(request.authorization == "Bearer A2" ? 200 : 401, "1") }
    let client = session.client(base: try WebURL("https://api.example"), transport: api)
    let answered = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<5000 { group.addTask { try await client.send(.get("x"), as: Int.self).value } }
      return try await group.reduce(0, +)
    }
    #expect(answered == 5000)
    #expect(refreshes.count == 1)
    #expect(try await storage.load()?.refreshToken == Secret("R2"))
  }

  @Test("of five thousand concurrent tasks whose token has expired, one refreshes (invariant 2)")
  func expired() async throws {
    let refreshes = Notices()
    let session = TokenSession("work", storage: .custom(storage), settings: settings()) { pair in
      refreshes.add("")
      return next(pair, 2)
    }
    try await session.logIn(with: samplePair(life: -1))
    let tokens = try await withThrowingTaskGroup(of: Secret.self) { group in
      for _ in 0..<5000 { group.addTask { try await session.token().accessToken } }
      return try await group.reduce(into: Set<Secret>()) { $0.insert($1) }
    }
    #expect(tokens == [Secret("A2")])
    #expect(refreshes.count == 1)
  }

  @Test("the margin of the access token decides when it is refreshed", arguments: [(59.0, 1), (61.0, 0)])
  func margin(left: Double, refreshes: Int) async throws {
    let count = Notices()
    let session = TokenSession(
      "work", storage: .custom(storage), settings: settings { $0.policy.refreshBefore = .seconds(60) }
    ) { pair in
      count.add("")
      return next(pair, 2)
    }
    var pair = samplePair(life: left)
    pair.issuedAt = Date.sample.addingTimeInterval(-3600)
    try await session.logIn(with: pair)
    _ = try await session.token()
    #expect(count.count == refreshes)
  }

  @Test("a login revokes the pair of the former one, a logout its own, and both leave nothing behind")
  func beginAndEnd() async throws {
    let revoked = Notices()
    let session = TokenSession(
      "work", storage: .custom(storage), settings: settings(),
      revoke: { pair in revoked.add(pair.accessToken.exposed) },
      refresh: { _ in throw Unexpected("asked") })
    try await session.logIn(with: samplePair())
    try await session.logIn(with: samplePair(access: "A2", refresh: "R2"))
    #expect(revoked.all == ["A1"])
    #expect(try await session.stored()?.refreshToken == Secret("R2"))
    #expect(try await session.logOut())
    #expect(revoked.all == ["A1", "A2"])
    #expect(try await session.stored() == nil)
    #expect(try await !session.logOut())
  }

  @Test("a logout removes the pair also where the server does not revoke it, or is not asked")
  func notRevoked() async throws {
    let error = AuthError.tryLater(.init("a", why: "b", hint: "c"))
    let session = TokenSession(
      "work", storage: .custom(storage), settings: settings(), revoke: { _ in throw error },
      refresh: { _ in throw Unexpected("asked") })
    try await session.logIn(with: samplePair())
    await #expect(throws: error) { try await session.logOut() }
    #expect(try await session.stored() == nil)
    try await session.logIn(with: samplePair())
    #expect(try await !session.logOut(localOnly: true))
    #expect(try await session.stored() == nil)
  }

  @Test("a revocation is one event, also if the server shares the session's events")
  func revokedOnce() async throws {
    let settings = settings()
    let transport = ScriptedTransport([.response(200), .response(200)])
    var connection = connection(transport)
    connection.events = settings.events.handler
    let server = AuthorizationServer(
      profile: try sampleProfile(), connection: connection, secrets: MemorySecretStore())
    var session: TokenSession? = TokenSession("work", storage: .custom(storage), server: server, settings: settings)
    let stream = try #require(session?.events)
    try await session?.logIn(with: samplePair())
    #expect(try await session?.logOut() == true)
    session = nil
    connection.events = { _ in }
    var seen: [AuthEvent] = []
    for await event in stream {
      seen.append(event)
      if event == .cleared { break }
    }
    #expect(seen.filter { $0 == .revoked }.count == 1)
  }

  @Test("a logout with nothing stored sends no event")
  func nothingToEnd() async throws {
    let events = EventLog()
    let session = TokenSession("work", storage: .custom(storage), settings: settings { $0.onEvent = events.handler }) {
      _ in
      throw Unexpected("a refresh")
    }
    #expect(try await !session.logOut())
    #expect(events.events.isEmpty)
    try await session.logIn(with: samplePair())
    _ = try await session.logOut()
    #expect(events.events.contains(.cleared))
  }

  @Test("a login replaces a stored pair that can't be read any more")
  func damaged() async throws {
    let secrets = MemorySecretStore([.workTokens: Secret("x")])
    let session = TokenSession(
      "work", storage: .custom(SecretTokenStorage(secrets, profile: "work")), settings: settings(),
      refresh: { _ in throw Unexpected("asked") })
    try await session.logIn(with: samplePair())
    #expect(try await session.token().accessToken == Secret("A1"))
  }

  @Test("a watcher gets the state of the session first, then what happens; the handler gets every event")
  func stateFirst() async throws {
    let seen = Notices()
    let session = TokenSession(
      "work", storage: .custom(storage), settings: settings { $0.onEvent = { seen.add("\($0)") } }
    ) { next($0, 2) }
    var none = session.events.makeAsyncIterator()
    #expect(await none.next() == .loaded(access: nil, expiresAt: nil))
    try await session.logIn(with: samplePair())
    #expect(await none.next() == .saved(access: samplePair().fingerprint))
    #expect(seen.all == ["\(AuthEvent.saved(access: samplePair().fingerprint))"])
    var some = session.events.makeAsyncIterator()
    #expect(await some.next() == .loaded(access: samplePair().fingerprint, expiresAt: samplePair().expiresAt))
    var dead = samplePair()
    dead.lastError = .init(error: "gone", at: .sample, final: true)
    try await storage.save(dead)
    var ended = session.events.makeAsyncIterator()
    #expect(await ended.next() == .loaded(access: dead.fingerprint, expiresAt: dead.expiresAt))
    #expect(await ended.next() == .loginRequired(reason: "the server has refused the refresh token (gone)"))
  }

  @Test("a stream without a reader keeps nothing in memory")
  func streamEnds() async throws {
    let settings = settings()
    let session = TokenSession("work", storage: .custom(storage), settings: settings) { next($0, 2) }
    do {
      var events = session.events.makeAsyncIterator()
      _ = await events.next()
      #expect(settings.events.watcherCount == 1)
    }
    while settings.events.watcherCount > 0 { await Task.yield() }
  }

  @Test("an event reaches every watcher")
  func events() async throws {
    var session: TokenSession? = TokenSession("work", storage: .custom(storage), settings: settings()) { next($0, 2) }
    let streams = [session?.events, session?.events].compactMap { $0 }
    try await session?.logIn(with: samplePair(life: -1))
    _ = try await session?.token()
    session = nil
    for stream in streams {
      var seen: [AuthEvent] = []
      for await event in stream { seen.append(event) }
      #expect(seen.contains(.refreshing(because: "the token has expired")))
      #expect(seen.contains(.saved(access: Secret("A2").fingerprint)))
    }
  }
}
