import AuthCore
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import KernelKeys

@Suite("KernelCache", .serialized, .enabled(if: KeyService.isThere, "the kernel lets this process add no key"))
final class KernelCacheTests {
  let name = "tests-\(UUID())"
  private var description: String { "authctl-cache:\(name)" }
  let cache = KernelCache()

  deinit { try? cache.discard(name) }

  /// The number of the key in the shared keyring; nil if there is none.
  private func key() throws -> Int32? { try KeyRing(first: [.persistent, .user]).find(.user, description) }

  /// The line of `/proc/keys` about the key.
  private func line() throws -> [Substring] {
    var line: Substring?
    // While other processes add and remove keys, the file may leave some out.
    for _ in 0..<100 where line == nil {
      let lines = try KernelFile.text("/proc/keys").split(separator: "\n")
      line = lines.first { $0.contains(name) }
    }
    return try #require(line).split(separator: " ")
  }

  @Test("a secret is there until it is discarded, and a later one replaces it")
  func keeping() throws {
    #expect(try cache.kept(as: name) == nil)
    try cache.keep(Secret("one"), as: name, for: 60)
    let first = try key()
    #expect(try cache.kept(as: name) == Secret("one"))
    try cache.keep(Secret("two"), as: name, for: 60)
    #expect(try cache.kept(as: name) == Secret("two"))
    // Another key, not the old one with another content, which would have no limit for a moment.
    #expect(try key() != first)
    try cache.discard(name)
    #expect(try cache.kept(as: name) == nil)
    try cache.discard(name)
  }

  @Test("another process reads and discards it; it outlives the process that kept it")
  func elsewhere() throws {
    #expect(try Probe.run("keep", name, "60", input: "far").status == 0)
    #expect(try cache.kept(as: name) == Secret("far"))
    #expect(try Probe.run("kept", name, "-") == Probe.Answer(status: 0, text: "far"))
    #expect(try Probe.run("discard", name, "-").status == 0)
    #expect(try cache.kept(as: name) == nil)
  }

  @Test("its time is the kernel's, and no read prolongs it")
  func expiry() async throws {
    try cache.keep(Secret("brief"), as: name, for: 2)
    let start = ContinuousClock.now
    while start.duration(to: .now) < .seconds(120), try cache.kept(as: name) != nil {
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(try cache.kept(as: name) == nil)
    #expect(try key() == nil)
  }

  @Test("a limit of zero seconds keeps nothing: the kernel would take it for none")
  func zero() throws {
    try cache.keep(Secret("one"), as: name, for: 60)
    try cache.keep(Secret("two"), as: name, for: 0)
    #expect(try cache.kept(as: name) == nil)
  }

  @Test("only the possessor may read it, it has a limit, and the process's own keyring does not keep it")
  func permissions() throws {
    try cache.keep(Secret("p"), as: name, for: 60)
    let key = try #require(try key())
    #expect(try KeyRing(.persistent).describe(key) == "user;\(getuid());\(getgid());3f010000;\(description)")
    let words = try line()
    // keys(5), /proc/keys: ID, flags, usage, timeout, permissions.
    #expect(words[3].hasSuffix("s") || words[3] == "1m", "\(words)")
    #expect(words[4] == "3f010000")
    #expect(
      try KeyRing(.process).find(.user, description) == nil || KeyRing(.persistent).find(.user, description) == key)
  }

  @Test("another user neither reads nor discards it", .enabled(if: getuid() == 0, "only root can become another user"))
  func otherUser() throws {
    try cache.keep(Secret("mine"), as: name, for: 60)
    #expect(try Probe.runAsNobody("kept", name, "-") == Probe.Answer(status: 0, text: "(none)"))
    #expect(try Probe.runAsNobody("discard", name, "-").status == 0)
    #expect(try cache.kept(as: name) == Secret("mine"))
  }

  @Test(
    "a user who is not root replaces a secret for which there is no second room; more than the quota is refused",
    .enabled(if: getuid() == 0, "only root can become another user"))
  func quota() throws {
    defer { _ = try? Probe.runAsNobody("discard", name, "-") }
    for letter in ["q", "r"] {
      let large = String(repeating: letter, count: 12000)
      #expect(try Probe.runAsNobody("keep", name, "60", input: large).status == 0)
      #expect(try Probe.runAsNobody("kept", name, "-").text == large)
    }
    let refused = try Probe.runAsNobody("keep", name, "60", input: String(repeating: "s", count: 30000))
    #expect(refused.status == 1 && refused.text.contains("the kernel has no space for 30000 more bytes"), "\(refused)")
  }

  @Test("a refusal of the kernel's filter, as in containers, is an error of its own, also of a read")
  func refused() throws {
    let filter = try KernelKeyFilter()
    for (words, input) in [(["keep", name, "60"], "x"), (["kept", name, "-"], nil)] {
      let answer = try Probe.run(words[0], words[1], words[2], input: input, through: filter.path)
      #expect(answer.status == 1 && answer.text.contains("the kernel stores no keys for this process"), "\(answer)")
    }
  }
}
