import AuthCore
import AuthKeyring
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("SecretServiceStore, in every state of the keyring", .serialized)
struct KeyringStatesTests {
  let tokens = SecretItem(profile: "work", kind: .tokens)

  func store(
    _ environment: [String: String], deadline: Duration = .seconds(10), promptDeadline: Duration = .seconds(10),
    prompting: Bool = false
  ) -> SecretServiceStore {
    SecretServiceStore(
      application: "authctl", environment: environment, deadline: deadline, promptDeadline: promptDeadline,
      prompting: prompting)
  }

  /// The faults of loading, saving and removing, in this order.
  func faults(_ store: SecretServiceStore) async throws -> [StorageFault?] {
    [
      try await fault { try await store.load(tokens) },
      try await fault { try await store.save(Secret("new"), as: tokens) },
      try await fault { try await store.clear(tokens) },
    ]
  }

  @Test("no address, one that only starts a bus, or a dead socket: no bus")
  func noBus() async throws {
    let session = try PrivateSession(.none)
    session.killBus()
    let dead = session.environment
    #expect(try await faults(store(dead)) == [.noBus, .noBus, .noBus])
    #expect(try await faults(store(["DBUS_SESSION_BUS_ADDRESS": "autolaunch:"])) == [.noBus, .noBus, .noBus])
    #expect(try await faults(store(["DBUS_SESSION_BUS_ADDRESS": "nonsense"])) == [.noBus, .noBus, .noBus])
    let absent = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(session.directory.path)/nothing"]
    #expect(try await faults(store(absent)) == [.noBus, .noBus, .noBus])
  }

  @Test("a bus without a keyring has no service")
  func noService() async throws {
    let session = try PrivateSession(.none)
    #expect(try await faults(store(session.environment)) == [.noService, .noService, .noService])
  }

  @Test("a keyring that cannot be started is a missing service")
  func notStartable() async throws {
    let session = try PrivateSession(.none, services: ["org.freedesktop.secrets": "/bin/false"])
    #expect(try await faults(store(session.environment)) == [.noService, .noService, .noService])
  }

  @Test("a keyring that the bus can start is started")
  func startable() async throws {
    let command = "/usr/bin/gnome-keyring-daemon --start --foreground --components=secrets"
    let session = try PrivateSession(.none, services: ["org.freedesktop.secrets": command])
    #expect(try await fault { try await store(session.environment).load(tokens) } == .noCollection)
  }

  @Test("a keyring without a default collection is reported as such, and shows no prompt")
  func noCollection() async throws {
    let session = try PrivateSession(.empty)
    #expect(
      try await faults(store(session.environment)) == [.noCollection, .noCollection, .noCollection])
  }

  @Test("a locked keyring is locked, not empty, and opens again with its content")
  func locked() async throws {
    let session = try PrivateSession()
    let store = store(session.environment)
    try await store.save(Secret("old"), as: tokens)
    try session.lockCollection()
    #expect(try await faults(store) == [.locked, .locked, .locked])
    #expect(try session.isLocked())
    try session.unlockCollection()
    #expect(try await store.load(tokens)?.exposed == "old")
  }

  @Test("a locked keyring is locked also for an item that it does not show")
  func lockedWithoutItem() async throws {
    let session = try PrivateSession()
    try session.lockCollection()
    #expect(try await faults(store(session.environment)) == [.locked, .locked, .locked])
  }

  @Test("a prompt that cannot be shown, or is dismissed, is distinguished from a locked keyring")
  func promptDismissed() async throws {
    let session = try PrivateSession()
    let store = store(session.environment, prompting: true)
    try await store.save(Secret("old"), as: tokens)
    try session.lockCollection()
    #expect(try await faults(store) == [.promptDismissed, .promptDismissed, .promptDismissed])
    try session.unlockCollection()
    #expect(try await store.load(tokens)?.exposed == "old")
  }

  @Test("a prompt for a new collection that is dismissed leaves everything as it was")
  func collectionPromptDismissed() async throws {
    let session = try PrivateSession(.empty)
    let store = store(session.environment, prompting: true)
    #expect(try await faults(store) == [.promptDismissed, .promptDismissed, .promptDismissed])
    #expect(try await fault { try await self.store(session.environment).load(tokens) } == .noCollection)
  }

  @Test("a prompt without an answer ends at its deadline")
  func promptUnanswered() async throws {
    let session = try PrivateSession(services: ["org.gnome.keyring.SystemPrompter": "/bin/sleep 5"])
    try await store(session.environment).save(Secret("old"), as: tokens)
    try session.lockCollection()
    let store = store(session.environment, promptDeadline: .milliseconds(500), prompting: true)
    let start = ContinuousClock.now
    #expect(try await fault { try await store.load(tokens) } == .timedOut)
    let time = ContinuousClock.now - start
    #expect(time >= .milliseconds(500))
  }

  @Test("a keyring that does not respond times out", arguments: [0, 1, 2])
  func keyringStopped(operation: Int) async throws {
    let session = try PrivateSession()
    try await store(session.environment).save(Secret("old"), as: tokens)
    let store = store(session.environment, deadline: .milliseconds(500))
    kill(try #require(session.keyringProcess), SIGSTOP)
    let start = ContinuousClock.now
    let found = try await fault {
      switch operation {
      case 0: _ = try await store.load(tokens)
      case 1: try await store.save(Secret("new"), as: tokens)
      default: try await store.clear(tokens)
      }
    }
    let time = ContinuousClock.now - start
    #expect(found == .timedOut)
    #expect(time >= .milliseconds(500))
    kill(try #require(session.keyringProcess), SIGCONT)
    #expect(try await self.store(session.environment).load(tokens) != nil || operation == 2)
  }

  @Test("a bus that does not respond times out")
  func busStopped() async throws {
    let session = try PrivateSession()
    kill(try #require(session.busProcess), SIGSTOP)
    let store = store(session.environment, deadline: .milliseconds(500))
    let start = ContinuousClock.now
    #expect(try await fault { try await store.load(tokens) } == .timedOut)
    let time = ContinuousClock.now - start
    #expect(time >= .milliseconds(500))
  }

  @Test("a keyring that is being started and never comes times out")
  func neverStarts() async throws {
    let session = try PrivateSession(.none, services: ["org.freedesktop.secrets": "/bin/sleep 5"])
    let store = store(session.environment, deadline: .milliseconds(500))
    #expect(try await fault { try await store.load(tokens) } == .timedOut)
  }

  @Test("after the keyring was killed and started again, the same store works")
  func keyringRestarted() async throws {
    let session = try PrivateSession()
    let store = store(session.environment)
    try await store.save(Secret("kept"), as: tokens)
    session.killKeyring()
    #expect(try await fault { try await store.load(tokens) } == .noService)
    try session.startKeyring()
    #expect(try await store.load(tokens)?.exposed == "kept")
  }

  @Test("after the bus was killed and started again, the same store works")
  func busRestarted() async throws {
    let session = try PrivateSession()
    let store = store(session.environment)
    try await store.save(Secret("kept"), as: tokens)
    session.killBus()
    #expect(try await fault { try await store.load(tokens) } == .noBus)
    session.killKeyring()
    try session.restartBus()
    try session.startKeyring()
    #expect(try await store.load(tokens)?.exposed == "kept")
  }

  @Test("cron's environment, which names no bus, leads to the user's bus")
  func cron() async throws {
    let session = try PrivateSession()
    try await store(session.environment).save(Secret("for cron"), as: tokens)
    #expect(try await store(session.cronEnvironment).load(tokens)?.exposed == "for cron")
  }
}
