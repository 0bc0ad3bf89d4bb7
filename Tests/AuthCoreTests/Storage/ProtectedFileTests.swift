import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import AuthCore

@Suite("ProtectedFile")
struct ProtectedFileTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func file(in folder: String = "outer/inner", mode: Int = 0o600) throws -> FilePath {
    let path = try self.folder.write("secret", to: folder + "/key")
    try setMode(mode, of: FilePath(path))
    return FilePath(path)
  }

  private func setMode(_ mode: Int, of path: FilePath) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path.string)
  }

  private func refusal(_ path: FilePath) -> ProtectedFile.Refusal? {
    do throws(ProtectedFile.Refusal) { _ = try ProtectedFile(path, .readableByOwner).contents() } catch { return error }
    return nil
  }

  @Test(
    "a pipe without a writer is refused at once, whatever its mode; a socket and a device are, too",
    .timeLimit(.minutes(10)))
  func irregular() throws {
    let pipe = folder.path.appending("pipe")
    try #require(unsafe mkfifo(pipe.string, 0o600) == 0)
    #expect(refusal(pipe) == .irregular)
    #expect(refusal("/dev/null") == .irregular)
    #expect(ProtectedFile.Refusal.irregular.why == "it is not a regular file")
    #expect(throws: ProtectedFile.Refusal.irregular) { try ProtectedFile(pipe, .protectedBySystem).contents() }
    #expect(refusal(folder.path) == .unreadable(.isDirectory))
  }

  @Test("a pipe in place of the key that a profile names: the profile must be fixed", .timeLimit(.minutes(10)))
  func key() throws {
    let pipe = folder.path.appending("pipe")
    try #require(unsafe mkfifo(pipe.string, 0o600) == 0)
    let file = SecretFile(pipe.string, what: "the key", credentials: nil)
    let refused = AuthError.usage(
      .init("the key \(pipe)", why: "it is not a regular file", hint: "use a regular file"))
    #expect(throws: refused) { try file.text(orRefuse: "", hint: "") }
  }

  @Test("a pipe that is expected is read to its end, also if its writer comes later", .timeLimit(.minutes(10)))
  func pipe() async throws {
    let path = folder.path.appending("pipe")
    try #require(unsafe mkfifo(path.string, 0o666) == 0)
    let expected = [UInt8](repeating: 7, count: 200_000)
    async let bytes = Task.detached { try ProtectedFile(path, .readableByOwner, mayBePipe: true).contents() }.value
    // Opening it waits for the reader.
    let writer = try FileDescriptor.open(path, .writeOnly)
    try writer.closeAfter { _ = try writer.writeAll(expected) }
    #expect(try await bytes == expected)
  }

  @Test("each folder up to the root is checked; one that others may change is refused, unless it is sticky and root's")
  func folders() throws {
    let key = try file()
    let outer = folder.path.appending("outer")
    for mode in [0o777, 0o775, 0o757] {
      try setMode(mode, of: outer)
      #expect(refusal(key) == .folder(outer, .open(mode: UInt32(mode))))
    }
    #expect(
      refusal(key)?.why == "other users may change the folder \(outer) (mode 757)"
        && refusal(key)?.hint(key, .readableByOwner) == "run: chmod go-w \(outer)")
    try setMode(0o1777, of: outer)
    #expect((refusal(key) == nil) == (geteuid() == 0))
    try setMode(0o755, of: outer)
    #expect(refusal(key) == nil)
  }

  @Test("a folder of another user is refused, also above a link", .enabled(if: geteuid() == 0))
  func foreign() throws {
    let key = try file()
    let (outer, link) = (folder.path.appending("outer"), folder.path.appending("link"))
    try FileManager.default.createSymbolicLink(atPath: link.string, withDestinationPath: "outer/inner")
    #expect(refusal(link.appending("key")) == nil)
    try FileManager.default.setAttributes([.ownerAccountID: 12345], ofItemAtPath: outer.string)
    for path in [key, link.appending("key")] {
      #expect(refusal(path) == .folder(outer, .foreign(owner: 12345)))
    }
    #expect(refusal(key)?.why == "the folder \(outer) belongs to another user (uid 12345)")
  }

  @Test("the folder of profiles and sessions is checked with those above it")
  func checkedFolder() throws {
    let inner = try file().removingLastComponent()
    try ProtectedFile.checkFolder(inner)
    try setMode(0o775, of: folder.path.appending("outer"))
    #expect(throws: ProtectedFile.Refusal.folder(folder.path.appending("outer"), .open(mode: 0o775))) {
      try ProtectedFile.checkFolder(inner)
    }
  }
}
