import AuthCore
import AuthKeyring
import Foundation
import TestSupport
import Testing

@Suite("SecretServiceStore: changes", .serialized, .timeLimit(.minutes(20)))
struct ChangeSignalTests {
  let tokens = SecretItem(profile: "work", kind: .tokens)

  func store(in session: PrivateSession) -> SecretServiceStore {
    SecretServiceStore(application: "authctl", environment: session.environment, prompting: false)
  }

  /// Waits for changes until one of another item arrives: what came before it is all there is.
  func next(_ changes: inout AsyncStream<SecretStoreChange>.Iterator) async -> SecretStoreChange? {
    await changes.next()
  }

  @Test("a created, announced and removed item is reported; the items of others are not")
  func changes() async throws {
    let session = try PrivateSession()
    let (observer, store) = (store(in: session), store(in: session))
    var changes = try await observer.changes().makeAsyncIterator()
    try session.run("secret-tool", ["store", "--label=x", "application", "shop", "profile", "work"], input: "x")
    try await store.save(Secret("one"), as: tokens)
    #expect(await changes.next() == .item(tokens))
    // gnome-keyring emits no signal for it: the next one is that of the announcement.
    try await store.save(Secret("two"), as: tokens)
    let other = SecretItem(profile: "other", kind: .tokens)
    try await store.save(Secret("x"), as: other)
    #expect(await changes.next() == .item(other))
    try await store.announce(2, of: tokens)
    #expect(await changes.next() == .item(tokens))
    try await store.clear(tokens)
    #expect(await changes.next() == .item(tokens))
    try await store.announce(3, of: tokens)
    #expect(try await store.load(tokens) == nil)
  }

  @Test("the number is a public attribute; the item stays the only one, is found without it, and keeps the others")
  func attribute() async throws {
    let session = try PrivateSession()
    let store = store(in: session)
    let attributes = ["application", "authctl", "profile", "work", "kind", "tokens"]
    try session.run("secret-tool", ["store", "--label=mine"] + attributes + ["extra", "kept"], input: "one")
    try await store.announce(7, of: tokens)
    #expect(try session.run("secret-tool", ["lookup"] + attributes) == "one")
    #expect(try session.run("secret-tool", ["lookup"] + attributes + ["extra", "kept", "change", "7"]) == "one")
    try await store.save(Secret("two"), as: tokens)
    try await store.announce(8, of: tokens)
    try session.run("secret-tool", ["store", "--label=mine"] + attributes, input: "three")
    try await store.announce(9, of: tokens)
    #expect(try await store.load(tokens) == Secret("three"))
    let listing = try session.run("secret-tool", ["search", "--all", "application", "authctl"])
    #expect(listing.split(separator: "\n").filter { $0.hasPrefix("label = ") }.count == 1)
  }

  @Test("an item that is locked is reported")
  func locking() async throws {
    let session = try PrivateSession()
    let (observer, store) = (store(in: session), store(in: session))
    try await store.save(Secret("one"), as: tokens)
    var changes = try await observer.changes().makeAsyncIterator()
    try session.lockCollection()
    #expect(await changes.next() == .item(tokens))
  }

  @Test("a keyring that ends and starts again is reported, and its items are observed as before")
  func restart() async throws {
    let session = try PrivateSession()
    let (observer, store) = (store(in: session), store(in: session))
    try await store.save(Secret("one"), as: tokens)
    var changes = try await observer.changes().makeAsyncIterator()
    session.killKeyring()
    #expect(await changes.next() == .stopped)
    try session.startKeyring()
    #expect(await changes.next() == .started)
    try await store.clear(tokens)
    #expect(await changes.next() == .item(tokens))
  }

  @Test("without a bus nothing can be observed; a bus that ends is the last report")
  func noBus() async throws {
    let session = try PrivateSession()
    let observer = store(in: session)
    var changes = try await observer.changes().makeAsyncIterator()
    session.killBus()
    var last: SecretStoreChange?
    while let change = await changes.next() { last = change }
    guard case .failed(.storage(.noBus, _))? = last else {
      Issue.record("\(String(describing: last))")
      return
    }
    await #expect(throws: AuthError.self) { _ = try await observer.changes() }
  }
}
