import AuthCore
import Foundation
import Glibc
import TestSupport
import Testing

@testable import AuthKeyring

@Suite("SecretServiceKeyring", .serialized)
struct SecretServiceKeyringTests {
  private let tokens = SecretItem(profile: "work", kind: .tokens)

  /// Limits for a machine that is busy with other tests.
  private static let patient = SecretServiceKeyring.Limits(look: .seconds(600), unlock: .seconds(600))

  private func keyring(
    _ session: PrivateSession, _ limits: SecretServiceKeyring.Limits = patient, _ more: [String: String] = [:]
  ) -> SecretServiceKeyring {
    SecretServiceKeyring(environment: session.environment.merging(more) { $1 }, limits: limits)
  }

  private func session(_ service: FakeSecretService) throws -> PrivateSession {
    try PrivateSession(.none, services: ["org.freedesktop.secrets": service.command])
  }

  /// Starts a service that the bus can start.
  private func start(in session: PrivateSession) throws {
    try session.secrets("Service.ReadAlias", ["string:default"])
  }

  /// The error of an operation.
  private func failure(_ operation: () async throws -> Void) async throws -> AuthError {
    try await #require(throws: AuthError.self) { try await operation() }
  }

  // MARK: - gnome-keyring

  @Test("a collection is created once, is the default one, and keeps what is stored when it is locked and unlocked")
  func gnomeKeyring() async throws {
    let session = try PrivateSession(.empty)
    let keyring = keyring(session)
    #expect(try await !keyring.isUnlocked())
    #expect(try await keyring.unlock(with: Secret("pw")))
    #expect(try await keyring.isUnlocked())
    #expect(try session.secrets("Service.ReadAlias", ["string:default"]).contains(PrivateSession.collection))
    let store = SecretServiceStore(application: "authctl", environment: session.environment)
    try await store.save(Secret("kept"), as: tokens)
    try session.lockCollection()
    #expect(try await !keyring.isUnlocked())
    #expect(try await !keyring.unlock(with: Secret("pw")))
    #expect(try await store.load(tokens)?.exposed == "kept")
    // Unlocking an unlocked keyring is no failure, whatever the password.
    #expect(try await !keyring.unlock(with: Secret("other")))
  }

  @Test("a wrong password leaves the file of the collection as it is, byte for byte")
  func wrongPassword() async throws {
    let session = try PrivateSession()
    try session.lockCollection()
    let file = session.directory.appending(path: "d/keyrings/login.keyring")
    let before = try Data(contentsOf: file)
    let files = try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
    let error = try await failure { _ = try await keyring(session).unlock(with: Secret("wrong")) }
    #expect(
      error
        == .storage(
          .locked,
          .init(
            "the keyring can't be unlocked", why: "the password is wrong",
            hint: "check the password; the keyring is unchanged and still locked")))
    #expect(try Data(contentsOf: file) == before)
    #expect(try session.isLocked())
    #expect(try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path) == files)
  }

  @Test("the default collection is unlocked, also if it is not named login")
  func otherDefault() async throws {
    let session = try PrivateSession(.empty)
    let keyring = keyring(session)
    _ = try await keyring.unlock(with: Secret("pw"))
    session.killKeyring()
    let folder = session.directory.appending(path: "d/keyrings")
    try FileManager.default.moveItem(
      at: folder.appending(path: "login.keyring"), to: folder.appending(path: "mine.keyring"))
    try Data("mine".utf8).write(to: folder.appending(path: "default"))
    try session.startKeyring(unlocked: false)
    #expect(try await !keyring.unlock(with: Secret("pw")))
    #expect(try await keyring.isUnlocked())
    #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "login.keyring").path))
  }

  @Test("the login keyring becomes the default one if the default one does not exist")
  func missingDefault() async throws {
    let session = try PrivateSession()
    session.killKeyring()
    let folder = session.directory.appending(path: "d/keyrings")
    try Data("gone".utf8).write(to: folder.appending(path: "default"))
    try session.startKeyring(unlocked: false)
    #expect(try await !keyring(session).unlock(with: Secret("pw")))
    #expect(try await keyring(session).isUnlocked())
    #expect(try String(contentsOf: folder.appending(path: "default"), encoding: .utf8).hasPrefix("login"))
  }

  @Test("a file that the service can't read is never replaced, and nothing is created beside it")
  func damaged() async throws {
    let session = try PrivateSession(.empty)
    let file = session.directory.appending(path: "d/keyrings/login.keyring")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("damaged".utf8).write(to: file)
    let error = try await failure { _ = try await keyring(session).unlock(with: Secret("pw")) }
    #expect(
      error.explanation.why == "its file \(file.path) exists, but the keyring service can't read it", "\(error)")
    #expect(try Data(contentsOf: file) == Data("damaged".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path).count == 1)
  }

  @Test("a collection that another program has created in a way that the service does not show is reported")
  func invisible() async throws {
    let session = try PrivateSession(.empty)
    try KeyringControl(socket: session.directory.appending(path: "r/keyring/control").path).unlock("pw")
    let error = try await failure { _ = try await keyring(session).isUnlocked() }
    #expect(
      error
        == .storage(
          .noCollection,
          .init(
            "the keyring can't be read", why: "it was created, but the running keyring service does not show it",
            hint: "end the keyring service, then run this again")))
    session.killKeyring()
    try session.startKeyring(unlocked: false)
    #expect(try await !keyring(session).unlock(with: Secret("pw")))
  }

  @Test("two processes at once create one collection")
  func parallel() async throws {
    let session = try PrivateSession(.empty)
    let keyring = keyring(session)
    let created = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 { group.addTask { try await keyring.unlock(with: Secret("pw")) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(created.contains(true))
    let folder = session.directory.appending(path: "d/keyrings")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(files.filter { $0.hasSuffix(".keyring") } == ["login.keyring"], "\(files)")
    #expect(try await keyring.isUnlocked())
  }

  @Test("a service that does not respond times out", arguments: [true, false])
  func stopped(unlocking: Bool) async throws {
    let session = try PrivateSession()
    try session.lockCollection()
    kill(try #require(session.keyringProcess), SIGSTOP)
    let brief = SecretServiceKeyring.Limits(
      look: .milliseconds(300), activation: .milliseconds(100), unlock: .milliseconds(200))
    let keyring = keyring(session, brief)
    let found = try await fault {
      if unlocking { _ = try await keyring.unlock(with: Secret("pw")) } else { _ = try await keyring.isUnlocked() }
    }
    #expect(found == .timedOut)
  }

  @Test("all limits together are less than 35 seconds")
  func limits() {
    let limits = SecretServiceKeyring.Limits()
    // A connection may take a quarter of a second to close, and one more to cancel its calls.
    #expect(limits.look + limits.activation + limits.unlock + .seconds(1) < .seconds(35))
  }

  @Test("no bus is reported as such")
  func noBus() async throws {
    let session = try PrivateSession(.none)
    session.killBus()
    #expect(try await fault { _ = try await keyring(session).isUnlocked() } == .noBus)
    #expect(try await fault { _ = try await keyring(session).unlock(with: Secret("pw")) } == .noBus)
  }

  // MARK: - Starting a service

  @Test("looking starts no service, although the bus could start one")
  func looking() async throws {
    let service = try FakeSecretService([.interface])
    let session = try session(service)
    #expect(try await !keyring(session).isUnlocked())
    #expect(session.startedKeyring == nil && service.calls.isEmpty)
  }

  @Test("a search that the service refuses is repeated once")
  func refusedSearch() async throws {
    let service = try FakeSecretService([.fickle, .empty])
    let session = try session(service)
    let store = SecretServiceStore(application: "authctl", environment: session.environment)
    #expect(try await fault { try await store.clear(SecretItem(profile: "work", kind: .password)) } == .noCollection)
    #expect(service.calls == ["SearchItems", "SearchItems"])
    #expect(session.startedKeyring != nil)
  }

  @Test("if the bus can't start a service, gnome-keyring-daemon is started, and inherits only what it must")
  func launched() async throws {
    let session = try PrivateSession(.none)
    // As from cron, which does not state the address of the bus.
    let variables = session.cronEnvironment.merging(["AUTHCTL_ACCESS_TOKEN": "secret"]) { $1 }
    #expect(
      try await SecretServiceKeyring(environment: variables, limits: Self.patient).unlock(with: Secret("pw")))
    let process = try #require(session.startedKeyring)
    let environment = try KernelFile.bytes("/proc/\(process)/environ").split(separator: 0)
      .map { String(decoding: $0, as: UTF8.self) }
    #expect(environment.contains("DBUS_SESSION_BUS_ADDRESS=unix:path=\(session.busSocket)"))
    #expect(!environment.contains { $0.contains("AUTHCTL_") })
    for descriptor in 0...2 {
      #expect(
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\(descriptor)") == "/dev/null")
    }
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    #expect(status.contains("SigBlk:\t0000000000000000"), "\(status)")
    #expect(getsid(process) == process && getsid(0) != process)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd") == "/")
  }

  @Test("a daemon of another bus keeps its control socket, and does not get the password")
  func otherBus() async throws {
    let other = try PrivateSession(.empty)
    // As --start does: it finds the daemon of the other bus, and waits for it to appear on this one.
    let command = "/usr/bin/gnome-keyring-daemon --start --foreground --components=secrets"
    let session = try PrivateSession(.none, services: ["org.freedesktop.secrets": command])
    let shared = ["XDG_RUNTIME_DIR": other.environment["XDG_RUNTIME_DIR"] ?? ""]
    try session.run(
      "dbus-send",
      [
        "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
        "org.freedesktop.DBus.UpdateActivationEnvironment",
        "dict:string:string:XDG_RUNTIME_DIR,\(shared["XDG_RUNTIME_DIR"] ?? "")",
      ])
    let limits = SecretServiceKeyring.Limits(activation: .seconds(2), unlock: .seconds(600))
    #expect(try await keyring(session, limits, shared).unlock(with: Secret("pw")))
    #expect(session.startedKeyring != other.keyringProcess)
    #expect(try await !keyring(other).isUnlocked())
    try KeyringControl(socket: other.directory.appending(path: "r/keyring/control").path).unlock("theirs")
  }

  @Test("without gnome-keyring-daemon the message says what to install")
  func notInstalled() async throws {
    let session = try PrivateSession(.none)
    let error = try await failure {
      _ = try await keyring(session, Self.patient, ["PATH": "/nonexistent"]).unlock(with: Secret("pw"))
    }
    #expect(
      error
        == .storage(
          .noService,
          .init(
            "the keyring can't be unlocked",
            why: "no keyring is running, and gnome-keyring-daemon can't be started: it is not installed",
            hint: "install gnome-keyring, with its package of the same name")))
  }

  @Test("a daemon that does not appear on the bus is reported")
  func neverAppears() async throws {
    let session = try PrivateSession(.none)
    let folder = try TemporaryDirectory()
    try FileManager.default.createSymbolicLink(
      atPath: folder.url.appending(path: "gnome-keyring-daemon").path, withDestinationPath: "/bin/true")
    let limits = SecretServiceKeyring.Limits(activation: .seconds(2), unlock: .seconds(1))
    let error = try await failure {
      _ = try await keyring(session, limits, ["PATH": folder.url.path]).unlock(with: Secret("pw"))
    }
    #expect(
      error.explanation.why.hasPrefix("gnome-keyring-daemon was started, but did not appear on the session bus"),
      "\(error)")
  }

  // MARK: - Each way alone

  @Test(
    "each way unlocks a collection, and refuses a wrong password",
    arguments: [
      ([FakeSecretService.Trait.interface], "UnlockWithMasterPassword"), ([.control], "control"),
      ([.interface, .control], "UnlockWithMasterPassword"),
    ])
  func unlocking(traits: [FakeSecretService.Trait], call: String) async throws {
    let service = try FakeSecretService(traits)
    let session = try session(service)
    let keyring = keyring(session)
    let error = try await failure { _ = try await keyring.unlock(with: Secret("no")) }
    #expect(error.explanation.why == "the password is wrong")
    #expect(try await !keyring.isUnlocked())
    #expect(try await !keyring.unlock(with: Secret("pw")))
    #expect(try await keyring.isUnlocked())
    #expect(service.calls == [call, call])
  }

  @Test(
    "each way creates a collection",
    arguments: [
      ([FakeSecretService.Trait.interface, .empty], ["CreateWithMasterPassword"]), ([.control, .empty], ["control"]),
      ([.interface, .control, .empty], ["CreateWithMasterPassword"]),
      ([.interface, .empty, .unnamed], ["CreateWithMasterPassword", "SetAlias"]),
    ])
  func creating(traits: [FakeSecretService.Trait], calls: [String]) async throws {
    let service = try FakeSecretService(traits)
    let session = try session(service)
    #expect(try await keyring(session).unlock(with: Secret("pw")))
    #expect(try await keyring(session).isUnlocked())
    #expect(service.calls == calls)
  }

  @Test("a second collection is removed again, and the first one unlocked")
  func raced() async throws {
    let service = try FakeSecretService([.interface, .empty, .raced])
    let session = try session(service)
    _ = try await keyring(session).unlock(with: Secret("pw"))
    #expect(service.calls == ["CreateWithMasterPassword", "Delete", "UnlockWithMasterPassword"])
    #expect(try await keyring(session).isUnlocked())
  }

  @Test("a collection that is created, but not on the bus, is reported")
  func hidden() async throws {
    let service = try FakeSecretService([.control, .empty, .hidden])
    let session = try session(service)
    let error = try await failure { _ = try await keyring(session).unlock(with: Secret("pw")) }
    #expect(error.explanation.why == "it was created, but the running keyring service does not show it")
    #expect(service.calls == ["control"])
  }

  @Test("a control socket that does not respond times out")
  func silent() async throws {
    let service = try FakeSecretService([.control, .silent])
    let session = try session(service)
    try start(in: session)
    let limits = SecretServiceKeyring.Limits(look: .seconds(600), activation: .seconds(1), unlock: .seconds(5))
    #expect(try await fault { _ = try await keyring(session, limits).unlock(with: Secret("pw")) } == .timedOut)
    #expect(service.calls == ["control"])
  }

  @Test("a collection that stays locked is a failure")
  func stubborn() async throws {
    let service = try FakeSecretService([.interface, .stubborn])
    let session = try session(service)
    let error = try await failure { _ = try await keyring(session).unlock(with: Secret("pw")) }
    #expect(error.explanation.why.hasSuffix("it accepted the password, but is still locked"), "\(error)")
    #expect(service.calls == ["UnlockWithMasterPassword"])
  }

  @Test(
    "a service that takes no password is named with its remedy, before a password is needed",
    arguments: [
      ("keepassxc", "KeePassXC", "open its database in the window of KeePassXC"),
      ("oo7-daemon", "oo7-daemon", "start oo7-daemon with --login"), ("kwalletd6", "kwalletd6", "open the wallet"),
      ("something", "something", "unlock it with its own program"),
    ])
  func foreign(process: String, name: String, remedy: String) async throws {
    for traits in [[], [FakeSecretService.Trait.empty]] {
      let service = try FakeSecretService(traits, name: process)
      let session = try session(service)
      try start(in: session)
      for isLooking in [true, false] {
        let error = try await failure {
          if isLooking {
            _ = try await keyring(session).isUnlocked()
          } else {
            _ = try await keyring(session).unlock(with: Secret("pw"))
          }
        }
        #expect(error.explanation.why == "the keyring service is \(name), which accepts no password")
        #expect(error.explanation.hint.hasPrefix(remedy), "\(error.explanation.hint)")
        #expect(error.explanation.hint.hasSuffix("; or end it, and run this again to use gnome-keyring"))
        guard case .storage(.locked, _) = error else { throw error }
      }
      #expect(service.calls.isEmpty)
    }
  }
}
