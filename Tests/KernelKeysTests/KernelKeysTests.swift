import AuthCore
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import KernelKeys

// One after the other: two of them act as the same other user, and one of these may fill what that user has room for.
@Suite(
  "KernelKeys", .serialized,
  .enabled(if: KeyService.isThere, "the kernel lets this process add no key: EPERM or ENOSYS"))
final class KernelKeysTests {
  let scope = "/tests/\(UUID())"
  let keys: KernelKeys

  init() { keys = KernelKeys(scope: scope) }

  deinit {
    for profile in ["work", "home"] { try? keys.drop(for: profile) }
  }

  @Test("a rescued secret is there until it is dropped, and a later secret replaces it")
  func holding() throws {
    #expect(try keys.held(for: "work") == nil)
    try keys.hold(Secret("one"), for: "work")
    #expect(try keys.held(for: "work") == Secret("one"))
    try keys.hold(Secret("two, and longer than it"), for: "work")
    #expect(try keys.held(for: "work") == Secret("two, and longer than it"))
    try keys.drop(for: "work")
    #expect(try keys.held(for: "work") == nil)
    try keys.drop(for: "work")
  }

  @Test("each profile and each scope has its own")
  func apart() throws {
    try keys.hold(Secret("w"), for: "work")
    #expect(try keys.held(for: "home") == nil)
    #expect(try KernelKeys(scope: scope + "x").held(for: "work") == nil)
    try keys.hold(Secret("h"), for: "home")
    try keys.drop(for: "work")
    #expect(try keys.held(for: "home") == Secret("h"))
  }

  @Test("another thread and another process read what was held, and drop it")
  func elsewhere() async throws {
    try keys.hold(Secret("far"), for: "work")
    let found = await withCheckedContinuation { response in
      Thread.detachNewThread { [keys] in response.resume(returning: try? keys.held(for: "work")) }
    }
    #expect(found == Secret("far"))
    #expect(try Probe.run("held", scope, "work") == Probe.Answer(status: 0, text: "far"))
    #expect(try Probe.run("drop", scope, "work").status == 0)
    #expect(try keys.held(for: "work") == nil)
  }

  @Test("a secret outlives the process that stored it")
  func outliving() throws {
    #expect(try Probe.run("hold", scope, "work", input: "left behind").status == 0)
    #expect(try keys.held(for: "work") == Secret("left behind"))
  }

  @Test("without a persistent keyring the user's own is taken")
  func userRing() throws {
    let plain = KernelKeys(scope: scope, kinds: [.user], lifetime: .seconds(60))
    try plain.hold(Secret("u"), for: "work")
    #expect(try plain.held(for: "work") == Secret("u"))
    #expect(try keys.held(for: "work") == nil)
    try plain.drop(for: "work")
    #expect(try plain.held(for: "work") == nil)
  }

  @Test("a secret expires automatically, and a read restarts its time")
  func lifetime() async throws {
    let brief = KernelKeys(scope: scope, kinds: [.persistent, .user], lifetime: .seconds(4))
    try brief.hold(Secret("b"), for: "work")
    // On a thread of its own: a task may wait for longer than that for the tasks of other tests.
    let isThere = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        let end = ContinuousClock.now.advanced(by: .seconds(6))
        continuation.resume(
          with: Result {
            while try brief.held(for: "work") == Secret("b") {
              guard ContinuousClock.now < end else { return true }
              usleep(100_000)
            }
            return false
          })
      }
    }
    #expect(isThere)
    let ring = try KeyRing(.persistent)
    let end = ContinuousClock.now.advanced(by: .seconds(120))
    while ContinuousClock.now < end, try ring.find(.user, "authctl:\(scope):work") != nil {
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(try brief.held(for: "work") == nil)
  }

  @Test("only the possessor of the key may read it; the user sees its name, others nothing")
  func permissions() throws {
    try keys.hold(Secret("p"), for: "work")
    let ring = try KeyRing(.persistent)
    let key = try #require(try ring.find(.user, "authctl:\(scope):work"))
    #expect(try ring.describe(key) == "user;\(getuid());\(getgid());3f010000;authctl:\(scope):work")
  }

  @Test("32,767 bytes are the most that a key holds; more is refused in words, unless the kernel has keys for more")
  func largest() throws {
    let most = Secret(String(repeating: "m", count: 32767))
    try keys.hold(most, for: "work")
    #expect(try keys.held(for: "work") == most)
    let more = Secret(String(repeating: "n", count: 32768))
    switch Result(catching: { () throws(RescueFailure) in try keys.hold(more, for: "work") }) {
    case .success: #expect(try keys.held(for: "work") == more)
    case .failure(let failure):
      guard case .noRoom(let why) = failure else { throw failure }
      #expect(why.contains("32768 more bytes"))
      #expect(try keys.held(for: "work") == nil)
    }
  }

  @Test("another user neither reads nor drops it", .enabled(if: getuid() == 0, "only root can become another user"))
  func otherUser() throws {
    try keys.hold(Secret("mine"), for: "work")
    #expect(try Probe.runAsNobody("held", scope, "work") == Probe.Answer(status: 0, text: "(none)"))
    #expect(try Probe.runAsNobody("drop", scope, "work").status == 0)
    #expect(try keys.held(for: "work") == Secret("mine"))
  }

  @Test(
    "a user who is not root stores and reads in processes without a common session, and the quota is reported",
    .enabled(if: getuid() == 0, "only root can become another user"))
  func plainUser() throws {
    defer { _ = try? Probe.runAsNobody("drop", scope, "work") }
    #expect(try Probe.runAsNobody("hold", scope, "work", input: "cron's").status == 0)
    #expect(try Probe.runAsNobody("held", scope, "work") == Probe.Answer(status: 0, text: "cron's"))
    #expect(try keys.held(for: "work") == nil)
    let large = String(repeating: "q", count: 20000)
    let response = try Probe.runAsNobody("hold", scope, "work", input: large)
    if response.status != 0 {
      #expect(response.text.contains("the kernel has no space for 20000 more bytes"), "\(response.text)")
    } else {
      #expect(try Probe.runAsNobody("held", scope, "work").text == large)
    }
  }

  @Test("a refusal of the kernel's filter, as in containers, is an error of its own and nothing is stored")
  func refused() throws {
    let filter = try KernelKeyFilter()
    let held = try Probe.run("hold", scope, "work", input: "x", through: filter.path)
    #expect(held.status == 1 && held.text.contains("the kernel stores no keys for this process"), "\(held.text)")
    #expect(try Probe.run("held", scope, "work", through: filter.path) == Probe.Answer(status: 0, text: "(none)"))
    #expect(try Probe.run("drop", scope, "work", through: filter.path).status == 0)
  }
}
