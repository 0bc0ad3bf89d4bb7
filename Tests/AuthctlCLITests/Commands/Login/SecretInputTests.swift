import AuthCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AuthctlCLI

@Suite("SecretInput") struct SecretInputTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func file(mode: Int) throws -> String {
    try folder.write("secret", to: "file")
    let path = folder.url.appending(path: "file").path
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  @Test(
    "the file of a secret is refused if others may read it, that of a token if others may change it",
    arguments: [
      (0o600, true, true), (0o400, true, true), (0o640, false, true), (0o644, false, true), (0o444, false, true),
      (0o620, false, false), (0o666, false, false),
    ])
  func modes(mode: Int, isSecret: Bool, isToken: Bool) throws {
    let path = try file(mode: mode)
    for (rule, isRead) in [(ProtectedFile.Rule.readableByOwner, isSecret), (.writableByOwner, isToken)] {
      let option = LoginOptions.passwordStdin
      guard isRead else {
        let error = try #require(throws: AuthError.self) {
          try SecretInput.contents(path, what: "the password", rule, instead: option)
        }
        #expect(error.explanation.what == "the password")
        #expect(error.explanation.why == "\(path): other users may access it (mode \(String(mode, radix: 8)))")
        #expect(error.explanation.hint.hasPrefix("run: chmod \(rule == .readableByOwner ? "600" : "go-w") \(path); "))
        #expect(error.explanation.hint.hasSuffix("; or use --password-stdin"))
        continue
      }
      #expect(try SecretInput.contents(path, what: "the password", rule) == "secret")
    }
  }

  @Test("a pipe, as a shell makes it of <(…), has no other users")
  func pipe() throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data("secret".utf8))
    try pipe.fileHandleForWriting.close()
    let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    #expect(try SecretInput.contents(path, what: "the password", .readableByOwner) == "secret")
  }

  @Test("a file that does not exist is named")
  func missing() throws {
    let error = try #require(throws: AuthError.self) {
      try SecretInput.contents("/nowhere/x", what: "the password", .readableByOwner)
    }
    #expect(error.explanation.why == "/nowhere/x: there is no such file")
  }
}
