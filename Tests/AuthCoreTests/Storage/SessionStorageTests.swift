import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import AuthCore

@Suite("SessionStorage")
struct SessionStorageTests {
  private static let key = Data(repeating: 7, count: 32)
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private var sessions: URL { folder.url.appending(path: "sessions") }

  private func session(_ name: String, key: Data = SessionStorageTests.key) -> TokenSession {
    TokenSession(name, storage: .file(sessions, key: key)) { pair in
      pair.refreshed(by: TokenResponse(accessToken: Secret("A2"), refreshToken: Secret("R2"), expiresIn: 3600))
    }
  }

  @Test("two sessions in one folder keep apart, whatever their names, and another process finds them")
  func files() async throws {
    let names = ["work", "..", ".hidden", "a/b", "ü\u{301}\n", String(repeating: "x", count: 300), ""]
    for (number, name) in names.enumerated() {
      try await session(name).logIn(with: TokenPair(accessToken: Secret("T\(number)"), refreshToken: Secret("R")))
    }
    for (number, name) in names.enumerated() {
      #expect(try await session(name).stored()?.accessToken == Secret("T\(number)"), "\(name)")
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: sessions.path)
    #expect(files.count { $0.hasSuffix(".session") } == names.count)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["sessions"])
    let text = try Data(contentsOf: sessions.appending(path: "work.session"))
    #expect(!String(decoding: text, as: UTF8.self).contains("T0"))
  }

  @Test("twenty sessions on the same file refresh once")
  func shared() async throws {
    let refreshes = Notices()
    try await session("work").logIn(
      with: TokenPair(accessToken: Secret("A1"), refreshToken: Secret("R1"), expiresAt: Date(timeIntervalSinceNow: -1)))
    try await withThrowingTaskGroup(of: Secret.self) { group in
      for _ in 0..<20 {
        // Each with a lock of its own, as in a process of its own.
        let session = TokenSession("work", storage: .file(sessions, key: SessionStorageTests.key)) { pair in
          refreshes.add("")
          return pair.refreshed(
            by: TokenResponse(accessToken: Secret("A2"), refreshToken: Secret("R2"), expiresIn: 3600))
        }
        group.addTask { try await session.token().accessToken }
      }
      for try await token in group { #expect(token == Secret("A2")) }
    }
    #expect(refreshes.count == 1)
  }

  @Test("a key that is none, or another one, is an error of the first use that names the remedy")
  func keys() async throws {
    try await session("work").logIn(with: samplePair())
    let short = await #expect(throws: AuthError.self) { try await session("work", key: Data([1])).stored() }
    #expect(short?.explanation.why == "it has 1 bytes, not 32" && short?.explanation.hint.isEmpty == false)
    let other = Data(repeating: 8, count: 32)
    let wrong = await #expect(throws: AuthError.self) { try await session("work", key: other).stored() }
    #expect(wrong?.explanation.why.contains("sealed with another key") == true)
    #expect(try await session("work").stored()?.accessToken == samplePair().accessToken, "nothing is lost")
  }

  @Test("in memory each session has tokens of its own")
  func memory() async throws {
    let storage = SessionStorage.memory
    let (one, other) = (
      TokenSession("a", storage: storage) { $0 }, TokenSession("b", storage: storage) { $0 }
    )
    try await one.logIn(with: samplePair())
    #expect(try await one.stored() != nil)
    #expect(try await other.stored() == nil)
  }

  @Test("the items of a store are the application's and the session's; the settings' lock overrides the storage's")
  func items() async throws {
    let secrets = MemorySecrets()
    let lock = CountingLock(FileLock(folder.path.appending("lock")))
    var settings = SessionSettings()
    settings.lock = lock
    let session = TokenSession("work", storage: .items(of: "com.example.app", in: secrets), settings: settings) { $0 }
    try await session.logIn(with: samplePair())
    #expect(try secrets.pair?.accessToken == samplePair().accessToken)
    #expect(lock.uses > 0)
  }

  @Test("a pair that is made by hand expires when its JWT does, unless it says when")
  func expiry() {
    let token = jwt(#"{"exp":2000000000}"#)
    #expect(TokenPair(accessToken: token).expiresAt == Date(timeIntervalSince1970: 2_000_000_000))
    #expect(TokenPair(accessToken: token, expiresAt: .sample).expiresAt == .sample)
    #expect(TokenPair(accessToken: Secret("opaque")).expiresAt == nil)
  }
}
