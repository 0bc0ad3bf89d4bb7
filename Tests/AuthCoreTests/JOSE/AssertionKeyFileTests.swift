import Foundation
import Testing

@testable import AuthCore

@Suite("AssertionKeyFile")
struct AssertionKeyFileTests {
  private func file(_ contents: Data, mode: Int, _ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "key-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "key.pem")
    try contents.write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    try body(file.path)
  }

  private func reason(_ path: String) -> (why: String, hint: String)? {
    do throws(AuthError) {
      _ = try AssertionKeyFile(path).read()
      return nil
    } catch {
      guard case .usage(let explanation) = error, explanation.what == "the key \(path)" else { return ("\(error)", "") }
      return (explanation.why, explanation.hint)
    }
  }

  @Test("a file that its owner alone may read is read", arguments: [0o600, 0o400, 0o700])
  func read(mode: Int) throws {
    try file(Data("key".utf8), mode: mode) { path in
      let key = try AssertionKeyFile(path).read()
      #expect(key == Secret("key"))
    }
  }

  @Test(
    "a file that others may read or change is refused with the remedy, through a link too",
    arguments: [0o644, 0o640, 0o604, 0o620])
  func open(mode: Int) throws {
    try file(Data("key".utf8), mode: mode) { path in
      let link = path + ".link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
      for path in [path, link] {
        let found = try #require(reason(path))
        #expect(found.why == "other users may access it (mode \(String(mode, radix: 8)))")
        #expect(found.hint == "run: chmod 600 \(path)")
      }
    }
  }

  @Test("a file of another user is refused", .enabled(if: geteuid() == 0))
  func foreign() throws {
    try file(Data("key".utf8), mode: 0o600) { path in
      #expect(unsafe chown(path, 4711, 0) == 0)
      #expect(reason(path)?.why == "it belongs to another user (uid 4711)")
    }
  }

  @Test("a pipe has no other users")
  func pipe() throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data("key".utf8))
    try pipe.fileHandleForWriting.close()
    let key = try AssertionKeyFile("/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)").read()
    #expect(key == Secret("key"))
  }

  @Test("a path that does not exist, is not a file, or holds no text is reported")
  func unreadable() throws {
    #expect(reason("/nonexistent/key.pem")?.why == "there is no such file")
    #expect(reason("/")?.why.hasPrefix("it can't be read") == true)
    try file(Data([0xFF, 0xFE]), mode: 0o600) { #expect(reason($0)?.why == "not the text of a key") }
    try file(Data(count: 2 << 20), mode: 0o600) { #expect(reason($0)?.why == "not the text of a key") }
  }
}
