import TestSupport
import Testing

@testable import AuthCore

@Suite("MemoryTokenStorage and MemorySecretStore")
struct MemoryTokenStorageTests {
  @Test("a pair is kept until it is removed, and replaced by the next one")
  func pair() async throws {
    let storage = MemoryTokenStorage()
    #expect(try await storage.load() == nil)
    try await storage.save(samplePair())
    #expect(try await storage.load() == samplePair())
    try await storage.save(samplePair(access: "A2"))
    #expect(try await storage.load()?.accessToken == Secret("A2"))
    try await storage.clear()
    try await storage.clear()
    #expect(try await storage.load() == nil)
    #expect(try await MemoryTokenStorage(samplePair()).load() == samplePair())
  }

  @Test("secrets are kept by profile and kind")
  func secrets() async throws {
    let store = MemorySecretStore([.workTokens: Secret("t")])
    try await store.save(Secret("k"), as: .workKey)
    #expect(try await store.load(.workTokens) == Secret("t"))
    try await store.clear(.workTokens)
    #expect(try await store.load(.workTokens) == nil)
    #expect(try await store.load(.workKey) == Secret("k"))
  }
}
