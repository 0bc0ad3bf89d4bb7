import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import AuthCore
@testable import AuthctlCLI

@Suite("FileStoreRun") struct FileStoreRunTests {
  /// A place whose profile `work` stores its tokens in a sealed file, and whose keyring fails.
  private func place(_ more: String = "", lab arguments: [String] = []) async throws -> Workplace {
    let place = try Workplace(.none, lab: arguments)
    #expect(try await place.run("profile", "new-key", key(place)).status == 0)
    try place.makeProfile("work", "store = \"file\"\nstore_key = \"\(key(place))\"\n" + more)
    return place
  }

  private func loggedIn() async throws -> Workplace {
    let place = try await place()
    try await place.logIn()
    try await place.lab.reset()
    return place
  }

  private func key(_ place: Workplace) -> String { place.folder.appending(path: "store.key").path }

  private func file(_ place: Workplace, _ profile: String = "work") -> URL {
    place.folder.appending(path: "s/authctl/sessions/\(profile).session")
  }

  private func expectNoKeyring(_ place: Workplace) {
    #expect(place.secrets.loads == 0 && place.secrets.saves == 0 && place.secrets.observers == 0)
  }

  @Test("login, call, refresh and logout use the file, and never the keyring")
  func life() async throws {
    let place = try await place()
    #expect(try await place.run("status", "work", "--require", "1m").status == 3)
    let login = try await place.passwordLogin()
    login.expect(0)
    let call = try await place.run("call", "me")
    #expect(try call.json().string("sub") == "alice", "\(call.error)")
    try await place.lab.expireAccessTokens()
    #expect(try await place.run("call", "me").status == 0)
    #expect(try await place.run("refresh").status == 0)
    #expect(try await place.run("token").status == 0)
    #expect(try await place.run("inspect", "--offline").status == 0)
    #expect(try await place.lab.count("token.refresh_token.ok") == 2)
    let logout = try await place.run("logout", "work")
    logout.expect(0, error: "tokens revoked")
    #expect(!FileManager.default.fileExists(atPath: file(place).path))
    #expect(try await place.run("call", "me").status == 3)
    #expect(try await place.run("profile", "remove", "work").status == 0)
    expectNoKeyring(place)
  }

  @Test("status names the store; JSON has its word, and that nothing is rescued")
  func status() async throws {
    let place = try await loggedIn()
    let json = try await place.run("status", "work", "--json")
    #expect(json.text.contains(#""store":"file""#) && json.text.contains(#""rescued":false"#), "\(json.text)")
    let text = try await place.run("status", "work")
    #expect(text.text.contains("  store          a file sealed with \(key(place))\n"), "\(text.text)")
    expectNoKeyring(place)
  }

  @Test("a password is kept in the file, too")
  func basic() async throws {
    let place = try await place()
    try place.write(
      """
      type = "basic"
      username = "alice"
      api = ["\(place.lab.origin)/api"]
      store = "file"
      store_key = "\(key(place))"
      """, as: "pw")
    #expect(try await place.run(["login", "pw", "--password-stdin"], input: .text("shh")).status == 0)
    #expect(try await place.run("status", "pw", "--json").text.contains(#""state":"unknown""#))
    #expect(try Data(contentsOf: file(place, "pw")).range(of: Data("shh".utf8)) == nil)
    expectNoKeyring(place)
  }

  // MARK: - Settings

  @Test(
    "store and store_key belong together: status 2 with the place",
    arguments: [
      ("store = \"file\"", "store = \"file\" needs 'store_key'"),
      ("store_key = \"/key\"", "store = \"keyring\" uses no key"),
      ("store = \"none\"\nstore_key = \"/key\"", "store = \"none\" uses no key"),
      ("store = \"disk\"", "'store'"),
    ])
  func settings(lines: String, why: String) async throws {
    let place = try Workplace(.none)
    try place.makeProfile("work", lines)
    let outcome = try await place.run("call", "me")
    #expect(outcome.status == 2)
    #expect(outcome.error.contains(why), "\(outcome.error)")
  }

  @Test("a profile of another type can't do without a store", arguments: ["basic", "custom"])
  func types(type: String) async throws {
    let place = try Workplace(.none)
    let custom = "base = \"https://api.example\"\n[requests.login]\nurl = \"/l\"\n[response]\naccess_token = \"/t\"\n"
    let rest = type == "basic" ? "username = \"a\"\napi = [\"https://api.example\"]\n" : custom
    try place.write("type = \"\(type)\"\nstore = \"none\"\n" + rest)
    let outcome = try await place.run("status", "work")
    #expect(outcome.status == 2)
    #expect(outcome.error.contains("a profile of type \"\(type)\" needs a store"), "\(outcome.error)")
  }

  @Test("a first login writes store and store_key, and a missing key is named with all that is missing")
  func first() async throws {
    let place = try await place()
    let words = ["login", "new", "--issuer", place.lab.origin, "--client-id", "cli", "--flow", "password"]
    let missing = try await place.run(words + ["--store", "file"], input: .nothing)
    #expect(missing.status == 2)
    #expect(missing.error.contains("--store-key"), "\(missing.error)")
    let options = ["--username", "alice", "--store", "file", "--store-key", key(place), "--password-stdin"]
    let login = try await place.run(words + options, input: .text(Workplace.password))
    login.expect(0)
    let text = try String(contentsOf: place.file("new"), encoding: .utf8)
    #expect(text.contains("store = \"file\"\nstore_key = \"\(key(place))\"\n"), "\(text)")
    expectNoKeyring(place)
  }

  @Test("profile new-key never overwrites a file: status 2")
  func newKey() async throws {
    let place = try await place()
    let former = try Data(contentsOf: URL(filePath: key(place)))
    let again = try await place.run("profile", "new-key", key(place))
    #expect(again.status == 2)
    #expect(again.error.contains("it already exists, and a key is never overwritten"), "\(again.error)")
    #expect(try Data(contentsOf: URL(filePath: key(place))) == former)
    #expect(try await place.run("profile", "new-key", key(place) + "/none").status == 1)
    let folder = place.folder.appending(path: "a/b").path
    #expect(try await place.run("profile", "new-key", folder + "/key").status == 0)
    #expect(try mode(of: FilePath(folder)) == 0o700)
    let other = try await place.run("profile", "new-key", key(place) + "2")
    #expect(other.error.contains("store_key = \"\(key(place))2\""), "\(other.error)")
  }

  // MARK: - A store that can't be opened

  /// What makes a store unusable, with the reason that is reported.
  enum Fault: String, CaseIterable {
    case keyIsMissing = "there is no such file", keyIsShort = "it has 16 bytes, not 32"
    case keyIsWrong = "it was sealed with another key", keyIsOpen = "other users may access it (mode 644)"
    case truncated = "it is truncated", foreign = "it is not a session file", other = "it belongs to session 'other'"
  }

  private func apply(_ fault: Fault, _ place: Workplace) async throws {
    let (key, file) = (URL(filePath: key(place)), file(place))
    func write(_ bytes: Data, to file: URL, mode: Int = 0o600) throws {
      try bytes.write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    }
    switch fault {
    case .keyIsMissing: try FileManager.default.removeItem(at: key)
    case .keyIsShort: try write(Data(Data(count: 16).base64EncodedString().utf8), to: key)
    case .keyIsWrong: try write(Data(Data(count: 32).base64EncodedString().utf8), to: key)
    case .keyIsOpen: try write(Data(contentsOf: key), to: key, mode: 0o644)
    case .truncated: try write(Data(contentsOf: file).dropLast(), to: file)
    case .foreign: try write(Data("a text\n".utf8), to: file)
    case .other:
      try place.makeProfile("other", "store = \"file\"\nstore_key = \"\(key.path)\"")
      try await place.logIn("other")
      try write(Data(contentsOf: self.file(place, "other")), to: file)
      try FileManager.default.removeItem(at: place.file("other"))
    }
  }

  @Test(
    "a store that can't be opened: each command ends with 4 and the reason, asks and sends nothing, overwrites nothing",
    arguments: Fault.allCases)
  func refused(fault: Fault) async throws {
    let place = try await loggedIn()
    try await apply(fault, place)
    try await place.lab.reset()
    let former = try Data(contentsOf: file(place))
    let commands = [
      ["call", "me"], ["token"], ["refresh", "work"], ["login", "work"], ["login", "work", "--password-stdin"],
      ["logout", "work"], ["logout", "work", "--local-only"], ["status", "work"], ["exec", "--", "true"],
      ["profile", "remove", "work", "--force"], ["inspect"],
    ]
    for command in commands {
      let console = try FakeConsole(text: Data(Workplace.password.utf8))
      let outcome = await place.run(command, at: console)
      #expect(outcome.status == 4, "\(command): \(outcome.error)")
      #expect(outcome.error.contains(fault.rawValue), "\(command): \(outcome.error)")
      #expect(outcome.error.contains(": rm \(file(place).path)"), "\(command): \(outcome.error)")
    }
    let doctor = try await place.run("doctor", "work", "--offline")
    #expect(doctor.status == 4)
    #expect(doctor.text.contains("✗ work: store: the ") && doctor.text.contains(fault.rawValue), "\(doctor.text)")
    #expect(try await place.run("status", "work", "--json").text.contains(#""state":"unavailable""#))
    #expect(try await place.lab.count("token") == 0)
    #expect(try await place.lab.count("revoke") == 0)
    #expect(try Data(contentsOf: file(place)) == former)
    expectNoKeyring(place)
  }

  @Test("a first login whose key can't be used ends before anything is sent, also by a URL", arguments: [false, true])
  func firstRefused(isByURL: Bool) async throws {
    let place = try await place()
    try await apply(.keyIsShort, place)
    try await place.lab.reset()
    let target =
      isByURL ? ["login", place.lab.origin + "/api", "-p", "new"] : ["login", "new", "--issuer", place.lab.origin]
    let store = ["--client-id", "cli", "--store", "file", "--store-key", key(place)]
    let login = try await place.run(target + store, browser: place.browser())
    #expect(login.status == 4)
    #expect(login.error.contains("it has 16 bytes, not 32"), "\(login.error)")
    #expect(try await place.lab.lastRequests().isEmpty)
    #expect(!FileManager.default.fileExists(atPath: place.file("new").path))
  }

  @Test("doctor opens the file and proves that it can be written; neither bus nor keyring is checked")
  func doctor() async throws {
    let place = try await loggedIn()
    let doctor = try await place.run("doctor", "work", "--offline")
    #expect(doctor.status == 0, "\(doctor.text)")
    #expect(doctor.text.contains("work: store: \(file(place).path) can be opened with its key"), "\(doctor.text)")
    #expect(!doctor.text.contains("bus:") && !doctor.text.contains("keyring:"), "\(doctor.text)")
    expectNoKeyring(place)
  }

  @Test("a profile without a session file is removed although its key is lost")
  func keyLost() async throws {
    let place = try await place()
    try await apply(.keyIsMissing, place)
    let outcome = try await place.run("profile", "remove", "work")
    outcome.expect(0)
    #expect(!FileManager.default.fileExists(atPath: place.file("work").path))
  }

  @Test("a profile that can't be read is not removed while it has a session file: status 2 with the file")
  func unreadable() async throws {
    let place = try await loggedIn()
    try place.write("issuer = 1\n")
    let outcome = try await place.run("profile", "remove", "work", "--force")
    #expect(outcome.status == 2)
    #expect(outcome.error.contains("rm \(file(place).path)"), "\(outcome.error)")
    #expect(FileManager.default.fileExists(atPath: file(place).path))
  }

  // MARK: - A registered client

  @Test("a registered client is kept in the profile's own file: logout keeps it, profile remove deletes it")
  func registered() async throws {
    let place = try await place(lab: ["--registration"])
    func logIn(_ profile: String) async throws {
      let login = try await place.run(
        ["login", profile, "--issuer", place.lab.origin, "--api", place.lab.origin + "/api", "--scope", "openid api"]
          + ["--store", "file", "--store-key", key(place)], browser: place.browser())
      login.expect(0, error: "(RFC 7591; stored in the session file)")
    }
    try await logIn("one")
    try await logIn("two")
    #expect(try await place.lab.count("registration.create.ok") == 2)
    #expect(try await place.run("logout", "one").status == 0)
    #expect(FileManager.default.fileExists(atPath: file(place, "one").path))
    #expect(try await place.run(["login", "one"], browser: place.browser()).status == 0)
    #expect(try await place.lab.count("registration.create.ok") == 2)
    #expect(try await place.run("logout", "one").status == 0)
    #expect(try await place.run("profile", "remove", "one").status == 0)
    #expect(try await place.lab.count("registration.delete.ok") == 1)
    #expect(!FileManager.default.fileExists(atPath: file(place, "one").path))
    #expect(try await place.run("refresh", "two").status == 0)
    expectNoKeyring(place)
  }

  // MARK: - status --watch

  @Test("status --watch reports the changes of a session file, without a keyring")
  func watch() async throws {
    let place = try await place()
    let console = try FakeConsole()
    let run = Task { await place.run(["status", "--watch"], at: console) }
    func event(_ count: Int) async throws -> JSONObject {
      func events() throws -> [JSONObject] {
        try console.written.split(separator: "\n").map { try JSONObject(Data($0.utf8)) }
      }
      try await place.wait(for: "event \(count)") { try events().count >= count }
      return try events()[count - 1]
    }
    #expect(try await event(1).string("state") == "logged_out")
    try await place.logIn()
    #expect(try await event(2).string("event") == "logged_in")
    #expect(try await place.run("refresh").status == 0)
    let refreshed = try await event(3)
    #expect(refreshed.string("event") == "refreshed" && refreshed.integer("skipped") == nil)
    #expect(try await place.run("logout").status == 0)
    #expect(try await event(4).string("event") == "logged_out")
    expectNoKeyring(place)
    // A profile that needs the keyring: it is watched from now on.
    place.secrets.fail(nil)
    try place.makeProfile("ring")
    #expect(try await event(5).string("profile") == "ring")
    try await place.wait(for: "the subscription") { place.secrets.observers == 1 }
    try await place.logIn("ring")
    #expect(try await event(6).string("event") == "logged_in")
    place.secrets.report(.failed(.storage(.noBus, .init("the keyring", why: "it is gone", hint: "start it"))))
    #expect(await run.value.status == 4)
  }
}
