import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import AuthCore

@Suite("LockRefusal")
struct LockRefusalTests {
  private let folder: TemporaryDirectory
  private let path: FilePath

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path.appending("locks/work.lock")
    try PrivateFolder.make(folder.path.appending("locks"))
  }

  private func refusal() async throws -> AuthError? {
    do throws(AuthError) {
      _ = try await FileLock(path).withLock(.exclusive, deadline: .zero) { _ throws(AuthError) in true }
      return nil
    } catch {
      return error
    }
  }

  private func failed(_ why: String, _ hint: String) -> AuthError {
    .failed(.init("the lock of the session", why: why, hint: hint))
  }

  @Test("a folder where the file should be")
  func directory() async throws {
    try PrivateFolder.make(path)
    #expect(try await refusal() == failed("\(path) is a folder", "remove it: rmdir \(path)"))
  }

  @Test("a symbolic link is not followed, whether it leads anywhere or not", arguments: ["other", "nowhere/else"])
  func link(target: String) async throws {
    try folder.write("", to: "locks/other")
    try FileManager.default.createSymbolicLink(atPath: path.string, withDestinationPath: target)
    #expect(try await refusal() == failed("\(path) is a symbolic link", "remove it: rm \(path)"))
  }

  @Test(
    "a file of another user is named, with the command that gives it back",
    .enabled(if: getuid() == 0, "only root can give a file away"),
    arguments: [("locks/work.lock", 65534), ("locks", 7)])
  func owner(part: String, user: uid_t) throws {
    try folder.write("", to: "locks/work.lock")
    let part = folder.path.pushing(FilePath(part))
    #expect(unsafe chown(part.string, user, 0) == 0)
    if part != path { try FileManager.default.removeItem(atPath: path.string) }
    #expect(
      LockRefusal(path, .permissionDenied).failure
        == failed("\(part) belongs to user \(user)", "run: sudo chown -R 0 \(part)"))
  }

  @Test("a command in a hint can be copied, whatever the path")
  func quoted() throws {
    let path = folder.path.appending("a b").appending("work.lock")
    #expect(LockRefusal(path, .isDirectory).failure == failed("\(path) is a folder", "remove it: rmdir '\(path)'"))
    #expect(ProtectedFile.Refusal.open(mode: 0o644).hint(path, .readableByOwner) == "run: chmod 600 '\(path)'")
  }

  @Test("a file of one's own that is not readable is reported with the command that opens it")
  func closed() throws {
    try folder.write("", to: "locks/work.lock")
    #expect(
      LockRefusal(path, .permissionDenied).failure
        == failed("\(path): Permission denied", "open it: chmod u+rwX \(path)"))
  }

  @Test(
    "a file system without locks, and a full one, are reported with the remedy",
    arguments: [
      (Errno.noLocks, "the file system does not lock files (No locks available)", "set XDG_STATE_HOME to a folder on"),
      (
        .notSupported, "the file system does not lock files (Operation not supported)", "set XDG_STATE_HOME to a folder"
      ),
      (.noSpace, "No space left on device", "free some space, or set XDG_STATE_HOME"),
      (
        .readOnlyFileSystem, "Read-only file system",
        "set XDG_STATE_HOME to a folder on a local disk that can be written to"
      ),
    ])
  func fileSystem(error: Errno, why: String, hint: String) throws {
    let explanation = LockRefusal(path, error).failure.explanation
    #expect(explanation.why == "\(path): \(why)")
    #expect(explanation.hint.hasPrefix(hint))
  }
}
