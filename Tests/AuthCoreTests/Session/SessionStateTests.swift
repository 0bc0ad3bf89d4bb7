import Foundation
import TestSupport
import Testing

@testable import AuthCore

@Suite("SessionState")
struct SessionStateTests {
  private let storage = MemoryTokenStorage()

  private func session(margin: Duration = .zero, revocation: FakeRevocation? = nil) -> TokenSession {
    var settings = SessionSettings()
    settings.now = { .sample }
    return TokenSession(
      "work", storage: .custom(storage), refreshTokenMargin: margin, settings: settings,
      revoke: { _ = try await revocation?.revoke($0) }
    ) { pair in
      if pair.refreshToken == Secret("DEAD") { throw RefreshFailure.dead() }
      return pair.refreshed(by: TokenResponse(accessToken: Secret("A2"), expiresIn: 60), sentAt: .sample)
    }
  }

  @Test("the state says what is known without a request, and the error of a use has the same reason")
  func reasons() async throws {
    let cases: [(pair: TokenPair?, margin: Duration, state: SessionState)] = [
      (nil, .zero, .loggedOut),
      (samplePair(), .zero, .loggedIn(expiresAt: samplePair().expiresAt)),
      (TokenPair(accessToken: Secret("A"), issuedAt: .sample), .zero, .loggedIn(expiresAt: nil)),
      (samplePair(life: -1), .zero, .loggedIn(expiresAt: samplePair(life: -1).expiresAt)),
      (changed { $0.refreshToken = nil }, .zero, .loginRequired(.noRefreshToken)),
      (changed { $0.lastError = .init(error: "x", at: .sample, final: true) }, .zero, .loginRequired(.refused)),
      (changed { $0.refreshExpiresAt = .sample.addingTimeInterval(-1) }, .seconds(9), .loginRequired(.expired)),
      (changed { $0.refreshExpiresAt = .sample.addingTimeInterval(5) }, .seconds(9), .loginRequired(.margin)),
    ]
    for (pair, margin, state) in cases {
      if let pair { try await storage.save(pair.beginning("S")) } else { try await storage.clear() }
      let session = session(margin: margin)
      #expect(try await session.state == state)
      guard case .loginRequired(let reason) = state else { continue }
      let error = await #expect(throws: AuthError.self) { try await session.token() }
      #expect(error?.explanation.reason == reason, "\(state)")
    }
  }

  private func changed(_ change: (inout TokenPair) -> Void) -> TokenPair {
    var pair = samplePair(life: -1)
    change(&pair)
    return pair
  }

  @Test("the stream has the present state, then changes only, and ends with its task")
  func states() async throws {
    let session = session()
    let (seen, arrived) = AsyncStream.makeStream(of: SessionState.self)
    let watching = Task {
      for await state in session.states { arrived.yield(state) }
    }
    var states = seen.makeAsyncIterator()
    #expect(await states.next() == .loggedOut)
    try await session.logIn(with: samplePair(life: -1))
    #expect(await states.next() == .loggedIn(expiresAt: samplePair(life: -1).expiresAt))
    _ = try await session.token()
    #expect(await states.next() == .loggedIn(expiresAt: .sample.addingTimeInterval(60)))
    _ = try await session.token()
    try await session.logIn(with: samplePair(refresh: "DEAD", life: -1))
    #expect(await states.next() == .loggedIn(expiresAt: samplePair(life: -1).expiresAt))
    _ = try? await session.token()
    #expect(await states.next() == .loginRequired(.refused))
    try await session.logOut()
    #expect(await states.next() == .loggedOut)
    watching.cancel()
    await watching.value
  }

  @Test("a pair from elsewhere replaces the stored one, and nothing is revoked; after a login the former one is")
  func update() async throws {
    let revocation = FakeRevocation()
    let session = session(revocation: revocation)
    try await session.logIn(with: samplePair())
    try await session.update(with: samplePair(access: "A5", refresh: "R5"))
    #expect(try await storage.load()?.accessToken == Secret("A5"))
    #expect(revocation.revoked.isEmpty)
    try await session.logIn(with: samplePair(access: "A6", refresh: "R6"))
    #expect(revocation.revoked == [Secret("A5")])
  }

  @Test("JSON values have literals")
  func literals() {
    let value: JSONValue = ["a": [1, 2.5, "x", true, nil], "b": "\(7)"]
    #expect(
      value
        == .object([
          "a": .array([.integer(1), .number(2.5), .string("x"), .bool(true), .null]), "b": .string("7"),
        ]))
  }
}
