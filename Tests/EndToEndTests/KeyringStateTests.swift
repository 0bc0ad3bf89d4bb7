import Foundation
import TestSupport
import Testing

@Suite("a keyring that can't be used, end to end")
struct KeyringStateTests {
  /// Status 4 within this many seconds, and no request to the server.
  func expectRefusal(_ place: Workplace, within seconds: Double, _ commands: [[String]], _ word: String = "keyring")
    throws
  {
    for command in commands {
      let outcome = try place.run(command)
      #expect(outcome.status == 4, "\(command): \(outcome.error)")
      // A report is always whole.
      #expect(
        outcome.text == (command == ["status"] ? "work: unavailable\n  issuer         \(place.lab.origin)\n" : ""))
      #expect(outcome.seconds < seconds, "\(command)")
      #expect(outcome.error.contains(word), "\(outcome.error)")
    }
    #expect(try place.lab.lastRequests().isEmpty)
  }

  let commands = [["call", "me"], ["refresh", "work"], ["token"], ["status"], ["logout", "work"]]

  @Test("locked: status 4 at once, nothing is sent, and all is well when it is unlocked")
  func locked() throws {
    let place = try Workplace.loggedIn()
    try place.session.lockCollection()
    try expectRefusal(place, within: 25, commands, "locked")
    let login = try place.run(["login", "work", "--password-stdin"], input: .text(Workplace.password))
    login.expect(4)
    #expect(try place.lab.lastRequests().isEmpty)
    try place.session.unlockCollection()
    #expect(try place.run("call", "me").status == 0)
  }

  @Test("locked: status --json has a row for each profile, errors are JSON lines, status 4")
  func lockedReport() throws {
    let place = try Workplace.loggedIn()
    try place.makeProfile("other")
    try place.session.lockCollection()
    let outcome = try place.run("status", "--json")
    #expect(outcome.status == 4)
    let rows = try JSONObject.array(outcome.output)
    #expect(rows.map { $0.string("profile") } == ["other", "work"])
    #expect(rows.allSatisfy { $0.string("state") == "unavailable" && $0.isNull("expires_at") })
    let lines = outcome.error.split(separator: "\n")
    #expect(lines.count == 1)
    for line in lines { #expect(try JSONObject(Data(line.utf8)).object("error").string("code") == "keyring") }
  }

  @Test("no bus: status 4")
  func noBus() throws {
    let place = try Workplace.loggedIn()
    place.session.killKeyring()
    place.session.killBus()
    try expectRefusal(place, within: 25, commands, "bus")
    let outcome = try place.run("call", "me")
    #expect(outcome.error.contains("loginctl enable-linger USER"), "\(outcome.error)")
    #expect(!outcome.error.contains("dbus-run-session"))
  }

  @Test("no keyring on the bus: status 4")
  func noService() throws {
    let place = try Workplace(.none)
    try place.makeProfile()
    try expectRefusal(place, within: 25, commands)
  }

  @Test("a keyring that does not respond: status 4 within the deadline")
  func stopped() throws {
    let place = try Workplace.loggedIn()
    let keyring = try #require(place.session.keyringProcess)
    kill(keyring, SIGSTOP)
    defer { kill(keyring, SIGCONT) }
    try expectRefusal(place, within: 50, [["call", "me"]], "authctl: ")
  }

  @Test("without libsecret: status 4 and the package to install; what needs no keyring works")
  func withoutLibrary() throws {
    let place = try Workplace.loggedIn()
    let folder = place.session.directory.appending(path: "libraries")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try Data().write(to: folder.appending(path: "libsecret-1.so.0"))
    let environment = ["LD_LIBRARY_PATH": folder.path]
    for command in commands {
      let outcome = try place.run(command, environment: environment)
      #expect(outcome.status == 4, "\(command): \(outcome.error)")
      #expect(outcome.error.contains("libsecret can't be loaded"), "\(outcome.error)")
      #expect(outcome.error.contains("the package libsecret-1-0"), "\(outcome.error)")
    }
    #expect(try place.lab.lastRequests().isEmpty)
    let address = place.lab.origin + "/.well-known/openid-configuration"
    for command in [["--version"], ["call", "--no-auth", address]] {
      #expect(try place.run(command, environment: environment).status == 0, "\(command)")
    }
  }

  @Test("--errors=json calls it keyring")
  func json() throws {
    let place = try Workplace(.none)
    try place.makeProfile()
    let error = try place.run("--errors=json", "call", "-p", "work", "me").errorJSON()
    #expect(error.string("code") == "keyring")
    #expect(error.integer("exit") == 4)
  }

  @Test("a damaged item: status 4, and a new login fixes it")
  func damaged() throws {
    let place = try Workplace.loggedIn()
    try place.session.run(
      "secret-tool", ["store", "--label", "x", "application", "authctl", "profile", "work", "kind", "tokens"],
      input: "not json")
    #expect(try place.run("call", "me").status == 4)
    try place.logIn()
    #expect(try place.run("call", "me").status == 0)
  }
}
