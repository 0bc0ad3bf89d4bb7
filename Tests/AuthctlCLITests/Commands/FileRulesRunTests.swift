import Foundation
import TestSupport
import Testing

@testable import AuthctlCLI

/// Files of the user that are not what they should be.
@Suite("FileRulesRun", .timeLimit(.minutes(10))) struct FileRulesRunTests {
  private func makePipe(_ path: String) throws {
    try? FileManager.default.removeItem(atPath: path)
    try #require(unsafe mkfifo(path, 0o600) == 0)
  }

  private func setMode(_ mode: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  @Test("a pipe in place of a profile's file is refused at once, by commands for all profiles, too")
  func profile() async throws {
    let place = try await Workplace.loggedIn()
    try makePipe(place.folder.appending(path: "c/authctl/profiles/pipe.toml").path)
    for words in [["refresh", "--all"], ["status"], ["doctor", "--offline"], ["call", "-p", "pipe", "/"]] {
      let outcome = try await place.run(words)
      #expect(outcome.status == 2, "\(words): \(outcome.error)")
      #expect(
        (outcome.text + outcome.error).contains("pipe.toml: it is not a regular file"), "\(words): \(outcome.error)")
    }
  }

  /// A place with a session in a sealed file.
  private func sealed() async throws -> (place: Workplace, key: String, session: String) {
    let place = try Workplace(.none)
    let key = place.folder.appending(path: "keys/store.key").path
    #expect(try await place.run("profile", "new-key", key).status == 0)
    try place.makeProfile("work", "store = \"file\"\nstore_key = \"\(key)\"\n")
    try await place.logIn()
    return (place, key, place.folder.appending(path: "s/authctl/sessions/work.session").path)
  }

  @Test("a pipe in place of a session file or of its key is refused with status 4")
  func keyAndSession() async throws {
    let (place, key, session) = try await sealed()
    try makePipe(session)
    for words in [["token"], ["refresh", "--all"], ["status"]] {
      let outcome = try await place.run(words)
      #expect(outcome.status == 4, "\(words): \(outcome.error)")
      #expect((outcome.text + outcome.error).contains("it is not a regular file"), "\(words): \(outcome.error)")
    }
    try FileManager.default.removeItem(atPath: session)
    try makePipe(key)
    let outcome = try await place.run("token")
    outcome.expect(4, error: "it is not a regular file")
  }

  @Test("a folder above a key or a session that others may change is refused")
  func folders() async throws {
    let (place, key, _) = try await sealed()
    let keys = (key as NSString).deletingLastPathComponent
    try setMode(0o777, of: keys)
    let refused = try await place.run("token")
    #expect(refused.error.contains("other users may change the folder \(keys) (mode 777)"), "\(refused.error)")
    #expect(refused.error.contains("chmod go-w \(keys)") && refused.status == 4, "\(refused.error)")
    try setMode(0o700, of: keys)
    let state = place.folder.appending(path: "s").path
    try setMode(0o775, of: state)
    let session = try await place.run("token")
    session.expect(4, error: "other users may change the folder \(state) (mode 775)")
    try setMode(0o755, of: state)
    #expect(try await place.run("token").status == 0)
    try setMode(0o777, of: place.folder.path)
    let profile = try await place.run("token")
    profile.expect(2, error: "other users may change the folder \(place.folder.path)")
  }

  @Test("client_key of [network] has the rules of other key files; its certificate may be read by others")
  func clientKey() async throws {
    let place = try await Workplace.loggedIn()
    let (key, certificate) = (try place.file("k.pem", holding: "k"), try place.file("c.pem", holding: "c"))
    try place.makeProfile(
      tables: "[network]\nclient_certificate = \"\(certificate)\"\nclient_key = \"\(key)\"\n")
    try setMode(0o666, of: key)
    let refused = try await place.run("call", "me")
    refused.expect(2, error: "\(key): other users may access it (mode 666)", "chmod 600 \(key)")
    try setMode(0o600, of: key)
    #expect(try await place.run("call", "me").status == 0)
    if geteuid() == 0 {
      #expect(unsafe chown(key, 4711, 0) == 0)
      #expect(try await place.run("call", "me").error.contains("it belongs to another user (uid 4711)"))
      #expect(try await place.run("profile", "show").text.contains("\(key): it belongs to another user (uid 4711)"))
    }
    try makePipe(certificate)
    #expect(try await place.run("call", "me").error.contains("\(certificate): it is not a regular file"))
  }
}
