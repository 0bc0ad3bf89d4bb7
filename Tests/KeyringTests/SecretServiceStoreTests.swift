import AuthCore
import AuthKeyring
import Foundation
import TestSupport
import Testing

@Suite("SecretServiceStore", .serialized)
struct SecretServiceStoreTests {
  let tokens = SecretItem(profile: "work", kind: .tokens)

  func store(in session: PrivateSession) -> SecretServiceStore {
    SecretServiceStore(application: "authctl", environment: session.environment, prompting: false)
  }

  @Test("a stored pair is loaded, each kind from an item of its own")
  func roundTrip() async throws {
    let session = try PrivateSession()
    let store = store(in: session)
    for kind in SecretItem.Kind.allCases {
      try await store.save(Secret("of \(kind.rawValue)"), as: SecretItem(profile: "work", kind: kind))
    }
    for kind in SecretItem.Kind.allCases {
      let found = try await store.load(SecretItem(profile: "work", kind: kind))
      #expect(found?.exposed == "of \(kind.rawValue)")
    }
  }

  @Test(
    "any text survives the round trip",
    arguments: [
      "", "\n", "two\nlines\r\n\n", #"{"a":"\"quoted\" \\ 'single'"}"#, "tab\tand \u{1} control", "ÄÖ€ 漢字 🔐 𐍈 e\u{301}",
    ])
  func text(_ text: String) async throws {
    let session = try PrivateSession()
    try await store(in: session).save(Secret(text), as: tokens)
    let found = try await store(in: session).load(tokens)
    // By bytes: Strings are equal when they only look the same.
    #expect(found.map { Array($0.exposed.utf8) } == Array(text.utf8))
  }

  @Test("64 KiB survive the round trip", arguments: ["x", "🔐"])
  func large(_ character: String) async throws {
    let session = try PrivateSession()
    let text = String(repeating: character, count: 65536 / character.utf8.count)
    try await store(in: session).save(Secret(text), as: tokens)
    #expect(try await store(in: session).load(tokens) == Secret(text))
  }

  @Test("an item that isn't there is nil in an open keyring")
  func absent() async throws {
    let session = try PrivateSession()
    let store = store(in: session)
    #expect(try await store.load(tokens) == nil)
    try await store.save(Secret("other"), as: SecretItem(profile: "other", kind: .tokens))
    #expect(try await store.load(tokens) == nil)
  }

  @Test("secret-tool finds what was stored, under the public attributes and the label")
  func readableWithSecretTool() async throws {
    let session = try PrivateSession()
    let store = store(in: session)
    try await store.save(Secret("s3cret 🔐"), as: tokens)
    try await store.save(Secret("client"), as: SecretItem(profile: "work", kind: .clientSecret))
    let lookup = ["lookup", "application", "authctl", "profile", "work", "kind"]
    #expect(try session.run("secret-tool", lookup + ["tokens"]) == "s3cret 🔐")
    #expect(try session.run("secret-tool", lookup + ["client-secret"]) == "client")
    let listing = try session.run("secret-tool", ["search", "--all", "application", "authctl"])
    let labels = listing.split(separator: "\n").filter { $0.hasPrefix("label = ") }.sorted()
    #expect(labels == ["label = authctl: work", "label = authctl: work (client-secret)"])
  }

  @Test("a registered client is an item of its issuer, without a profile")
  func registeredClient() async throws {
    let session = try PrivateSession()
    let store = store(in: session)
    let item = SecretItem(registrationAt: "https://id.example")
    try await store.save(Secret("client"), as: item)
    try await store.save(Secret("other"), as: SecretItem(registrationAt: "https://id.example/b"))
    let lookup = ["lookup", "application", "authctl", "kind", "registration", "issuer"]
    #expect(try session.run("secret-tool", lookup + ["https://id.example"]) == "client")
    let listing = try session.run("secret-tool", ["search", "--all", "application", "authctl"])
    #expect(listing.contains("label = authctl: https://id.example (registration)\n"))
    #expect(!listing.contains("attribute.profile"))
    #expect(try await store.load(item) == Secret("client"))
    try await store.clear(item)
    #expect(try await store.load(item) == nil)
    #expect(try await store.load(SecretItem(registrationAt: "https://id.example/b")) == Secret("other"))
  }

  @Test("an item that secret-tool has stored is loaded, replaced and removed")
  func madeWithSecretTool() async throws {
    let session = try PrivateSession()
    let attributes = ["application", "authctl", "profile", "work", "kind", "tokens"]
    try session.run("secret-tool", ["store", "--label=by hand"] + attributes, input: "by hand")
    let store = store(in: session)
    #expect(try await store.load(tokens)?.exposed == "by hand")
    try await store.save(Secret("by authctl"), as: tokens)
    #expect(try session.run("secret-tool", ["lookup"] + attributes) == "by authctl")
    try await store.clear(tokens)
    #expect(try await store.load(tokens) == nil)
  }

  @Test("one item exists, however often it is stored")
  func oneItem() async throws {
    let session = try PrivateSession()
    let store = store(in: session)
    for number in 1...3 { try await store.save(Secret("pair \(number)"), as: tokens) }
    #expect(try await store.load(tokens)?.exposed == "pair 3")
    let listing = try session.run("secret-tool", ["search", "--all", "application", "authctl"])
    #expect(listing.split(separator: "\n").filter { $0.hasPrefix("label = ") }.count == 1)
  }

  @Test("a reader sees the old content or the new one, never anything between, while it is replaced")
  func inOnePiece() async throws {
    let session = try PrivateSession()
    let store = store(in: session)
    let contents = ["a", "b"].map { Secret(String(repeating: $0, count: 20_000)) }
    try await store.save(contents[0], as: tokens)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in 1...20 { try await store.save(contents[number % 2], as: tokens) }
      }
      for _ in 0..<3 {
        group.addTask {
          for _ in 0..<20 {
            let found = try #require(try await store.load(tokens))
            #expect(contents.contains(found))
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("of two items that match, the one that was changed last is taken, and the other goes with the next change")
  func duplicates() async throws {
    let session = try PrivateSession()
    let attributes = ["application", "authctl", "profile", "work", "kind", "tokens"]
    try session.run("secret-tool", ["store", "--label=old"] + attributes + ["extra", "1"], input: "old")
    try await nextSecond()
    try session.run("secret-tool", ["store", "--label=new"] + attributes + ["extra", "2"], input: "new")
    let store = store(in: session)
    #expect(try await store.load(tokens)?.exposed == "new")
    try await nextSecond()
    try session.run("secret-tool", ["store", "--label=old"] + attributes + ["extra", "1"], input: "newest")
    #expect(try await store.load(tokens)?.exposed == "newest")
    try await store.save(Secret("only"), as: tokens)
    #expect(try session.run("secret-tool", ["lookup"] + attributes) == "only")
    let listing = try session.run("secret-tool", ["search", "--all", "application", "authctl"])
    #expect(listing.split(separator: "\n").filter { $0.hasPrefix("label = ") }.count == 1)
  }

  @Test("removing removes all copies, and nothing else; without a copy it does nothing")
  func clear() async throws {
    let session = try PrivateSession()
    let attributes = ["application", "authctl", "profile", "work", "kind", "tokens"]
    for copy in ["1", "2"] {
      try session.run("secret-tool", ["store", "--label=x"] + attributes + ["extra", copy], input: copy)
    }
    let store = store(in: session)
    let other = SecretItem(profile: "work", kind: .password)
    try await store.save(Secret("stays"), as: other)
    try await store.clear(tokens)
    #expect(try await store.load(tokens) == nil)
    try await store.clear(tokens)
    #expect(try await store.load(other)?.exposed == "stays")
  }

  @Test("content that is not text is damaged, not absent")
  func damaged() async throws {
    let session = try PrivateSession()
    let attributes = ["application", "authctl", "profile", "work", "kind", "tokens"]
    let program = "printf '\\377\\376' | secret-tool store --label=x \"$@\""
    try session.run("/bin/sh", ["-c", program, "sh"] + attributes)
    #expect(try await fault { try await store(in: session).load(tokens) } == .damaged)
  }

  @Test("many conversations at once all succeed")
  func concurrent() async throws {
    let session = try PrivateSession()
    let store = store(in: session)
    try await store.save(Secret("shared"), as: tokens)
    try await withThrowingTaskGroup(of: Secret?.self) { group in
      for _ in 0..<30 { group.addTask { try await store.load(tokens) } }
      for try await found in group { #expect(found?.exposed == "shared") }
    }
  }

  /// The keyring counts whole seconds: waits until the clock shows another one.
  func nextSecond() async throws {
    let now = Date().timeIntervalSince1970
    try await Task.sleep(for: .seconds(now.rounded(.down) + 1.05 - now))
  }
}
