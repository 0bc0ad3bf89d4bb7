import Foundation
import TestSupport
import Testing

@testable import AuthCore

@Suite("SecretFile")
struct SecretFileTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func text(_ text: String, in credentials: String?) throws(AuthError) -> String {
    try SecretFile(text, what: "the secret", credentials: credentials).text(orRefuse: "no text", hint: "replace it")
  }

  private func failure(_ text: String, in credentials: String?) -> AuthError? {
    #expect(throws: AuthError.self) { try self.text(text, in: credentials) }
  }

  @Test("a credential is read with any mode: systemd protects it (systemd.exec(5))", arguments: [0o400, 0o440, 0o644])
  func credential(mode: Int) throws {
    let file = try folder.write("shh\n", to: "ci")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    #expect(try text("credential:ci", in: folder.url.path) == "shh\n")
  }

  @Test("a credential of another user is read", .enabled(if: geteuid() == 0))
  func foreign() throws {
    let file = try folder.write("shh", to: "ci")
    #expect(unsafe chown(file, 4711, 0) == 0)
    #expect(try text("credential:ci", in: folder.url.path) == "shh")
  }

  private let hint = "add LoadCredential=ci:/path/to/the/file to the service (systemd.exec(5))"

  @Test("a credential outside of a service, and one that the service does not load, are reported with the remedy")
  func missing() {
    #expect(
      failure("credential:ci", in: nil)
        == .usage(
          .init(
            "the secret credential:ci",
            why: "$CREDENTIALS_DIRECTORY is not set: only a systemd service with credentials has it", hint: hint)))
    #expect(
      failure("credential:ci", in: folder.url.path)
        == .usage(
          .init(
            "the secret credential:ci", why: "there is no such credential in \(folder.url.path)", hint: hint)))
  }

  @Test("a credential that is too large or not UTF-8 is refused")
  func noText() throws {
    for contents in [Data([0xFF, 0xFE]), Data(count: 2 << 20)] {
      try contents.write(to: folder.url.appending(path: "ci"))
      #expect(
        failure("credential:ci", in: folder.url.path)
          == .usage(.init("the secret credential:ci", why: "no text", hint: "replace it")))
    }
  }

  @Test("a path is read with the rule for key files, and not as a credential")
  func path() throws {
    let file = try folder.write("shh", to: "ci")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    #expect(
      failure(file, in: folder.url.path)
        == .usage(
          .init("the secret \(file)", why: "other users may access it (mode 644)", hint: "run: chmod 600 \(file)")))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    #expect(try text(file, in: nil) == "shh")
  }

  @Test(
    "the name of a credential is the name of a file",
    arguments: [
      ("credential:ci", true), ("credential:a.b-c_1", true), ("/a/b", true), ("a", true), ("", false),
      ("credential:", false), ("credential:a/b", false), ("credential:..", false), ("credential:.", false),
      ("credential:a b", false), ("credential:ä", false),
    ])
  func names(text: String, isUsable: Bool) {
    #expect(SecretFile.isUsable(text) == isUsable)
  }
}
