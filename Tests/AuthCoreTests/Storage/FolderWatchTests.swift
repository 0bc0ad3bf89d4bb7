import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import AuthCore

@Suite("FolderWatch") struct FolderWatchTests {
  @Test("a file that is written to is named, one that is only opened or locked is not")
  func writing() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.path.appending("locks")
    let watch = try FolderWatch(path)
    defer { try? watch.descriptor.close() }
    let lock = FileLock(path.appending("work.lock"))
    _ = try await lock.withLock(.exclusive, deadline: .zero) { _ in true }
    #expect(try watch.changedNames() == [])
    _ = try await lock.withLock(.exclusive, deadline: .zero) { held in
      // The test fails if nothing is left.
      try? RecentFailure(.tryLater(.init("a", why: "b")), rest: 1, lostResponse: nil, process: 7)?.leave(in: held)
    }
    #expect(try watch.changedNames() == ["work.lock"])
    #expect(try watch.changedNames() == [])
    let failure = try #require(RecentFailure(in: path.appending("work.lock")))
    #expect(failure.process == 7 && failure.error == .tryLater(.init("a", why: "b")))
    #expect(RecentFailure(in: path.appending("none.lock")) == nil)
  }

  @Test("dropped events, and a folder that can't be watched, are reported")
  func faults() throws {
    // struct inotify_event with IN_Q_OVERFLOW.
    #expect(FolderWatch.names(in: [255, 255, 255, 255, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]) == nil)
    #expect(throws: Errno.notDirectory) { try FolderWatch("/dev/null/folder") }
  }

  @Test("added, edited, moved and removed files are named; a file that is still open is not, the folder itself is any")
  func edits() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path.appending("profiles")
    let watch = try FolderWatch(path, for: .edits)
    defer { try? watch.descriptor.close() }
    let file = URL(filePath: path.appending("work.toml").string)
    let open = try FileDescriptor.open(
      path.appending("work.toml"), .writeOnly, options: [.create], permissions: [.ownerRead, .ownerWrite])
    try open.writeAll("a".utf8)
    #expect(try watch.changedNames() == [])
    try open.close()
    #expect(try watch.changedNames() == ["work.toml"])
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    #expect(try watch.changedNames() == ["work.toml"])
    let other = file.deletingLastPathComponent().appending(path: "other.toml")
    try FileManager.default.moveItem(at: file, to: other)
    #expect(try watch.changedNames() == ["work.toml", "other.toml"])
    try FileManager.default.removeItem(at: other)
    #expect(try watch.changedNames() == ["other.toml"])
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path.string)
    #expect(try watch.changedNames() == nil)
  }
}
