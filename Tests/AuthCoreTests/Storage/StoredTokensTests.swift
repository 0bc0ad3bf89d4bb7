import Foundation
import TestSupport
import Testing

@testable import AuthCore

@Suite("StoredTokens: the number of changes") struct StoredTokensTests {
  let secrets = MemorySecrets()
  var storage: StoredTokens {
    StoredTokens(secrets, profile: "work", clock: { ClockReading(time: .sample, boot: nil) }, process: 42)
  }

  /// The stored number and process.
  func change() async throws -> TokenPair.Change? { try await storage.load()?.change }

  @Test("a login, a refresh and a refusal are counted; the mark of a refresh and its removal are not")
  func counted() async throws {
    var pair = TokenPair(accessToken: Secret("a"), refreshToken: Secret("r"), issuedAt: .sample).beginning("one")
    try await storage.save(pair)
    #expect(try await change()?.number == 1)
    #expect(try await change()?.process == 42)
    var marked = pair
    marked.refreshBegan = .sample
    #expect(try await storage.replace(pair, with: marked))
    #expect(try await storage.replace(pair, with: pair))
    #expect(try await change()?.number == 1)
    pair.accessToken = Secret("b")
    #expect(try await storage.replace(pair, with: pair))
    #expect(try await change()?.number == 2)
    pair.lastError = .init(error: "invalid_grant", at: .sample, final: true)
    #expect(try await storage.replace(pair, with: pair))
    #expect(try await change()?.number == 3)
    pair.accessTokenRefusedAt = .sample
    #expect(try await storage.replace(pair, with: pair))
    #expect(try await change()?.number == 4)
  }

  @Test("a session over another one counts on; an item of a version that does not count begins at 1")
  func followers() async throws {
    let pair = TokenPair(accessToken: Secret("a"), issuedAt: .sample).beginning("one")
    secrets.put(try pair.stored(), as: SecretItem(profile: "work", kind: .tokens))
    #expect(try await change() == nil)
    let session = TokenSession("work", storage: storage) { $0 }
    try await session.logIn(with: TokenPair(accessToken: Secret("b"), issuedAt: .sample))
    #expect(try await change()?.number == 1)
    try await session.logIn(with: TokenPair(accessToken: Secret("c"), issuedAt: .sample))
    #expect(try await change()?.number == 2)
    #expect(secrets.announced == [1, 2])
  }

  @Test("a change is announced once, after a refresh too, and its failure is none of the refresh")
  func announced() async throws {
    let session = TokenSession("work", storage: storage) { pair in
      var pair = pair
      pair.accessToken = Secret(pair.accessToken.exposed + "+")
      return pair
    }
    try await session.logIn(with: TokenPair(accessToken: Secret("a"), refreshToken: Secret("r"), issuedAt: .sample))
    _ = try await session.refresh()
    await session.finishRefresh()
    #expect(secrets.announced == [1, 2])
    secrets.failAnnouncements()
    _ = try await session.refresh()
    await session.finishRefresh()
    #expect(try await change()?.number == 3)
    #expect(secrets.announced == [1, 2])
  }
}
