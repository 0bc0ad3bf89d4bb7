import Foundation
import TestSupport
import Testing

@testable import AuthCore

@Suite("TokenSession, when a login is required")
struct TokenSessionLoginTests {
  private let storage = MemoryTokenStorage()
  private let notices = Notices()

  private func settings(_ change: (inout SessionSettings) -> Void = { _ in }) -> SessionSettings {
    var settings = SessionSettings()
    settings.now = { .sample }
    change(&settings)
    return settings
  }

  private var told: @Sendable (AuthError.Explanation) -> Void {
    { [notices] in notices.add($0.why) }
  }

  @Test("a refresh token within its margin is not sent, and a login is required")
  func refreshMargin() async throws {
    let session = TokenSession(
      "work", storage: .custom(storage), refreshTokenMargin: .seconds(60),
      settings: settings { $0.onLoginRequired = told }
    ) { _ in throw Unexpected("asked") }
    var pair = samplePair(life: -1)
    pair.refreshExpiresAt = Date.sample.addingTimeInterval(59)
    try await session.logIn(with: pair)
    _ = try? await session.token()
    #expect(notices.all == ["the refresh token has expired or expires within the refresh token margin"])
  }

  @Test("a dead session calls onLoginRequired once, however many requests meet it; so does the next one that dies")
  func loginRequired() async throws {
    let session = TokenSession(
      "work", storage: .custom(storage), settings: settings { $0.onLoginRequired = told }
    ) { _ in throw RefreshFailure.dead(why: "it is dead") }
    for number in 1...2 {
      try await session.logIn(with: samplePair(access: "A\(number)", refresh: "R\(number)", life: -1))
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<500 {
          group.addTask {
            await #expect(throws: AuthError.self) { try await session.token() }
          }
        }
      }
      #expect(notices.count == number)
    }
  }

  @Test("a token that is still valid does not make the death of its session news again")
  func stillValid() async throws {
    let session = TokenSession(
      "work", storage: .custom(storage), settings: settings { $0.onLoginRequired = told }
    ) { _ in throw RefreshFailure.dead() }
    try await session.logIn(with: samplePair())
    for _ in 0..<3 {
      await #expect(throws: AuthError.self) { try await session.refresh() }
      #expect(try await session.token().accessToken == Secret("A1"))
    }
    #expect(notices.count == 1)
  }

  @Test("a logged-out session is reported once, and not again after a reported end")
  func nobody() async throws {
    let session = TokenSession(
      "work", storage: .custom(storage), settings: settings { $0.onLoginRequired = told }
    ) { _ in throw RefreshFailure.dead() }
    for _ in 0..<3 { await #expect(throws: AuthError.self) { try await session.token() } }
    #expect(notices.count == 1)
    try await session.logIn(with: samplePair(life: -1))
    await #expect(throws: AuthError.self) { try await session.token() }
    try await session.logOut()
    await #expect(throws: AuthError.self) { try await session.token() }
    #expect(notices.count == 2)
  }

  @Test("a second login and logout are reported again")
  func again() async throws {
    let session = TokenSession(
      "work", storage: .custom(storage), settings: settings { $0.onLoginRequired = told }
    ) { _ in throw Unexpected("asked") }
    await #expect(throws: AuthError.self) { try await session.token() }
    try await session.logIn(with: samplePair())
    try await session.logOut()
    await #expect(throws: AuthError.self) { try await session.token() }
    #expect(notices.count == 2)
  }

  @Test("a session that another program has started meanwhile can end again")
  func begunElsewhere() async throws {
    let session = TokenSession(
      "work", storage: .custom(storage), settings: settings { $0.onLoginRequired = told }
    ) { _ in throw RefreshFailure.dead() }
    try await session.logIn(with: samplePair(life: -1))
    await #expect(throws: AuthError.self) { try await session.token() }
    try await storage.save(samplePair(access: "A9", refresh: "R9"))
    _ = try await session.token()
    try await storage.clear()
    await #expect(throws: AuthError.self) { try await session.token() }
    #expect(notices.count == 2)
  }

  @Test("a transient failure does not require a login")
  func tryLater() async throws {
    let session = TokenSession(
      "work", storage: .custom(storage), settings: settings { $0.onLoginRequired = told }
    ) { _ in throw APIError.server(ServerFailure(.made(503))) }
    try await session.logIn(with: samplePair(life: -1))
    let error = await #expect(throws: AuthError.self) { try await session.token() }
    guard case .tryLater = error else { throw Unexpected(error) }
    #expect(notices.all.isEmpty)
    #expect(try await storage.load()?.refreshToken == Secret("R1"))
    #expect(try await storage.load()?.lastError == nil)
  }
}
