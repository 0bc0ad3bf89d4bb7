import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import AuthCore

@Suite("FileLock", .timeLimit(.minutes(20)))
struct FileLockTests {
  private let folder: TemporaryDirectory
  private let path: FilePath

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path.appending("locks/work.lock")
  }

  /// Holds the lock until `release` is opened; returns when it is held.
  private func hold(_ access: LockAccess, until release: Gate) async -> Task<Bool?, any Error> {
    let held = Gate()
    let task = Task { [path] in
      try await FileLock(path).withLock(access, deadline: .zero) { _ throws(AuthError) in
        held.open()
        await release.pass()
        return true
      }
    }
    await held.pass()
    return task
  }

  private func tries(_ access: LockAccess, deadline: Duration = .zero) async throws -> Bool {
    try await FileLock(path).withLock(access, deadline: deadline) { _ throws(AuthError) in true } ?? false
  }

  @Test(
    "a lock that is held alone excludes all others until it is released", arguments: [LockAccess.exclusive, .shared])
  func exclusive(access: LockAccess) async throws {
    let release = Gate()
    let holder = await hold(.exclusive, until: release)
    #expect(try await !tries(access))
    release.open()
    #expect(try await holder.value == true)
    #expect(try await tries(access))
  }

  @Test("readers hold the lock together, and exclude writers")
  func shared() async throws {
    let release = Gate()
    let holder = await hold(.shared, until: release)
    #expect(try await tries(.shared))
    #expect(try await !tries(.exclusive))
    release.open()
    _ = try await holder.value
    #expect(try await tries(.exclusive))
  }

  @Test("the wait ends at its deadline (invariant 11)")
  func deadline() async throws {
    let release = Gate()
    let holder = await hold(.exclusive, until: release)
    let clock = ContinuousClock()
    let start = clock.now
    #expect(try await !tries(.exclusive, deadline: .milliseconds(100)))
    #expect(start.duration(to: clock.now) >= .milliseconds(100))
    release.open()
    _ = try await holder.value
  }

  @Test("a waiter gets the lock when it is released")
  func waits() async throws {
    let release = Gate()
    let holder = await hold(.exclusive, until: release)
    async let got = tries(.exclusive, deadline: .seconds(600))
    release.open()
    #expect(try await got)
    _ = try await holder.value
  }

  @Test("a wait ends when its task is cancelled, before or after it has begun")
  func cancelled() async throws {
    let release = Gate()
    let holder = await hold(.exclusive, until: release)
    for pause in [Duration.zero, .milliseconds(50)] {
      let waiter = Task { try await tries(.shared, deadline: .seconds(600)) }
      try await Task.sleep(for: pause)
      waiter.cancel()
      #expect(try await !waiter.value)
    }
    release.open()
    _ = try await holder.value
  }

  @Test("a lock is released when what is done under it fails")
  func failing() async throws {
    let failure = AuthError.failed(.init("a", why: "b", hint: "c"))
    await #expect(throws: failure) {
      _ = try await FileLock(path).withLock(.exclusive, deadline: .zero) { _ throws(AuthError) -> Bool in
        throw failure
      }
    }
    #expect(try await tries(.exclusive))
  }

  @Test("another process's lock excludes, and is free when that process is killed")
  func killed() async throws {
    #expect(try await tries(.exclusive))
    let script =
      "import fcntl, sys, time; f = open(sys.argv[1]); fcntl.flock(f, fcntl.LOCK_EX); print('held', flush=True); "
      + "time.sleep(600)"
    let holder = try ChildProcess("python3", ["-c", script, path.string], environment: [:])
    #expect(try holder.output.read(upToCount: 5) == Data("held\n".utf8))
    #expect(try await !tries(.exclusive, deadline: .milliseconds(30)))
    async let got = tries(.exclusive, deadline: .seconds(600))
    holder.end()
    #expect(try await got)
  }

  @Test("the folder is made for its owner alone, and the file too")
  func modes() async throws {
    #expect(try await tries(.exclusive))
    #expect(try mode(of: folder.path.appending("locks")) == 0o700)
    #expect(try mode(of: path) == 0o600)
  }

  @Test("a lock that can't be made is an error that names the file and the remedy")
  func unwritable() async throws {
    try folder.write("", to: "file")
    let path = folder.path.appending("file/work.lock")
    await #expect(
      throws: AuthError.failed(
        .init(
          "the lock of the session", why: "\(path): Not a directory",
          hint: "set XDG_STATE_HOME to a folder on a local disk that can be written to"))
    ) { _ = try await FileLock(path).withLock(.exclusive, deadline: .zero) { _ throws(AuthError) in true } }
  }
}
