import Foundation
import TestSupport
import Testing

@testable import AuthCore
@testable import AuthctlCLI

@Suite("StatusWatch") struct StatusWatchTests {
  /// A running watch, which ends when the keyring does.
  struct Watch {
    let place: Workplace
    let console: FakeConsole
    let run: Task<Outcome, Never>

    init(_ place: Workplace, _ arguments: [String] = [], at console: FakeConsole) async throws {
      self.place = place
      self.console = console
      run = Task { await place.run(["status", "--watch"] + arguments, at: console) }
      try await place.wait(for: "the subscription") { place.secrets.observers == 1 && !console.written.isEmpty }
    }

    /// The events so far.
    func events() throws -> [JSONObject] {
      try console.written.split(separator: "\n").map { try JSONObject(Data($0.utf8)) }
    }

    /// Waits for so many events, and returns the last one.
    func event(_ count: Int) async throws -> JSONObject {
      try await place.wait(for: "event \(count)") { try events().count >= count }
      let all = try events()
      try #require(all.count == count, "\(console.written)")
      return all[count - 1]
    }

    /// Ends the bus.
    func end() async -> Outcome {
      place.secrets.report(.failed(.storage(.noBus, .init("the keyring", why: "it is gone", hint: "start it"))))
      return await run.value
    }
  }

  @Test("each change is one object a line: who is logged in at first, then login, refresh, failure, refusal, logout")
  func events() async throws {
    let place = try Workplace()
    try place.makeProfile()
    let watch = try await Watch(place, at: try FakeConsole())
    let first = try await watch.event(1)
    #expect(first.keys == ["event", "expires_at", "profile", "state", "time"])
    #expect(first.string("event") == "state" && first.string("state") == "logged_out" && first.isNull("expires_at"))
    try await place.logIn()
    let login = try await watch.event(2)
    #expect(login.string("event") == "logged_in" && login.string("state") == "valid")
    #expect(login.integer("pid") == Int(ProcessInfo.processInfo.processIdentifier))
    #expect(login.string("expires_at") == (try place.pair().string("expires_at")))
    #expect(try await place.run("refresh").status == 0)
    let refresh = try await watch.event(3)
    #expect(refresh.string("event") == "refreshed" && refresh.string("profile") == "work")
    #expect(refresh.keys == ["event", "expires_at", "pid", "profile", "state", "time"])
    try await place.lab.fail(#"{"endpoint":"token","kind":"status","status":503}"#)
    #expect(try await place.run("refresh").status == 5)
    let failure = try await watch.event(4)
    #expect(failure.string("event") == "refresh_failed" && failure.string("state") == "valid")
    #expect(failure.string("code") == "try_later")
    #expect(try #require(failure.string("message")).contains("503"), "\(watch.console.written)")
    try await place.lab.clearFaults()
    try await place.logIn()
    #expect(try await watch.event(5).string("event") == "logged_in")
    try await place.lab.revokeAll()
    #expect(try await place.run("refresh").status == 3)
    #expect(try await watch.event(6).string("event") == "login_required")
    #expect(try await place.run("logout", "--local-only").status == 0)
    #expect(try await watch.event(7).string("event") == "logged_out")
    let outcome = await watch.end()
    #expect(outcome.status == 4)
    #expect(outcome.error.contains("authctl: the keyring: it is gone\n"), "\(outcome.error)")
  }

  @Test("changes that were not seen are counted; changes of others and marks of a refresh are no events")
  func gap() async throws {
    let place = try await Workplace.loggedIn()
    let watch = try await Watch(place, at: try FakeConsole())
    let item = SecretItem(profile: "work", kind: .tokens)
    place.secrets.report(.item(SecretItem(profile: "other", kind: .tokens)))
    place.secrets.report(.item(item))
    var pair = try TokenPair(stored: try #require(place.secrets.items[item]))
    pair.refreshBegan = .sample
    place.secrets.put(try pair.stored(), as: item)
    place.secrets.report(.item(item))
    (pair.refreshBegan, pair.accessToken) = (nil, Secret("another"))
    pair.change = TokenPair.Change(number: 5, process: RefreshingProcess(pid: 77, isInBackground: true))
    place.secrets.put(try pair.stored(), as: item)
    place.secrets.report(.started)
    let event = try await watch.event(2)
    #expect(event.string("event") == "refreshed" && event.integer("skipped") == 3 && event.integer("pid") == 77)
    #expect(await watch.end().status == 4)
  }

  @Test("the keyring's end is a warning, and its start a new reading; while it is locked, all profiles are unavailable")
  func restart() async throws {
    let place = try await Workplace.loggedIn()
    let watch = try await Watch(place, at: try FakeConsole())
    place.secrets.report(.stopped)
    try await place.wait(for: "the warning") { watch.console.error.contains("warning: the keyring has ended") }
    place.secrets.fail(.locked)
    place.secrets.report(.started)
    let locked = try await watch.event(2)
    #expect(locked.string("event") == "state" && locked.string("state") == "unavailable")
    let error = try locked.object("error")
    #expect(error.keys == ["code", "exit", "hint", "message", "profile"] && error.string("code") == "keyring")
    place.secrets.fail(nil)
    place.secrets.report(.item(SecretItem(profile: "work", kind: .tokens)))
    let unlocked = try await watch.event(3)
    #expect(unlocked.string("event") == "state" && unlocked.string("state") == "valid")
    #expect(unlocked.keys == ["event", "expires_at", "profile", "state", "time"])
    #expect(await watch.end().status == 4)
  }

  @Test("one item that can be read again shows that the others of a locked keyring can, too")
  func unlocked() async throws {
    let place = try await Workplace.loggedIn()
    try place.makeProfile("other")
    let watch = try await Watch(place, at: try FakeConsole())
    place.secrets.fail(.locked)
    place.secrets.report(.item(SecretItem(profile: "other", kind: .tokens)))
    place.secrets.report(.item(SecretItem(profile: "work", kind: .tokens)))
    _ = try await watch.event(4)
    place.secrets.fail(nil)
    place.secrets.report(.item(SecretItem(profile: "work", kind: .tokens)))
    _ = try await watch.event(6)
    let last = try watch.events().suffix(2)
    #expect(last.map { $0.string("profile") } == ["work", "other"])
    #expect(last.map { $0.string("state") } == ["valid", "logged_out"])
    #expect(await watch.end().status == 4)
  }

  @Test("an unreadable item and a broken file are reported once; the others go on, and both profiles come back")
  func unreadable() async throws {
    let place = try await Workplace.loggedIn()
    try place.makeProfile("bad")
    try place.write("issuer = https", as: "broken")
    let item = SecretItem(profile: "bad", kind: .tokens)
    place.secrets.put(Secret("no pair"), as: item)
    let watch = try await Watch(place, at: try FakeConsole())
    let third = try await watch.event(3)
    #expect(third.string("profile") == "work" && third.string("state") == "valid")
    let first = try watch.events()
    #expect(first.map { $0.string("state") } == ["unavailable", "unavailable", "valid"])
    #expect(try first[0].object("error").string("message")?.hasPrefix("the stored tokens of bad: ") == true)
    #expect(try first[1].object("error").string("code") == "usage")
    #expect(try first[1].object("error").string("profile") == "broken")
    place.secrets.report(.item(item))
    #expect(try await place.run("refresh", "work").status == 0)
    #expect(try await watch.event(4).string("event") == "refreshed")
    try await place.logIn("bad")
    let repaired = try await watch.event(5)
    #expect(repaired.string("profile") == "bad" && repaired.string("event") == "state")
    #expect(repaired.string("state") == "valid")
    place.secrets.put(Secret("no pair"), as: item)
    place.secrets.report(.item(item))
    #expect(try await watch.event(6).string("state") == "unavailable")
    place.secrets.put(nil, as: item)
    place.secrets.report(.item(item))
    #expect(try await watch.event(7).string("event") == "logged_out", "compared with what was read last")
    try place.makeProfile("broken")
    let fixed = try await watch.event(8)
    #expect(fixed.string("profile") == "broken" && fixed.string("state") == "logged_out")
    #expect(await watch.end().status == 4)
  }

  @Test("a profile that is added, edited, broken or removed is reported, one that is only touched is not")
  func files() async throws {
    let place = try await Workplace.loggedIn()
    let watch = try await Watch(place, at: try FakeConsole())
    try place.makeProfile("new")
    let added = try await watch.event(2)
    #expect(added.string("profile") == "new" && added.string("event") == "state")
    #expect(added.string("state") == "logged_out")
    try place.makeProfile("work")
    try place.makeProfile("work", #"client_id = "another""#)
    let edited = try await watch.event(3)
    #expect(edited.string("profile") == "work" && edited.string("event") == "state")
    #expect(edited.string("state") == "login_required")
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: place.file().path)
    let refused = try await watch.event(4)
    #expect(refused.string("state") == "unavailable")
    #expect(try refused.object("error").string("message")?.contains("work.toml") == true, "\(watch.console.written)")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: place.file().path)
    #expect(try await watch.event(5).string("state") == "login_required")
    try FileManager.default.removeItem(at: place.file())
    let removed = try await watch.event(6)
    #expect(removed.string("event") == "removed" && removed.isNull("state") && removed.isNull("expires_at"))
    try place.makeProfile()
    #expect(try await watch.event(7).string("state") == "valid")
    try await place.logIn("new")
    #expect(try await watch.event(8).string("event") == "logged_in")
    #expect(await watch.end().status == 4)
  }

  @Test("of named profiles only these are shown, also when their files are removed and written again")
  func named() async throws {
    let place = try await Workplace.loggedIn()
    try place.makeProfile("other")
    let watch = try await Watch(place, ["work"], at: try FakeConsole())
    try FileManager.default.removeItem(at: place.file("other"))
    try place.makeProfile("third")
    try FileManager.default.removeItem(at: place.file())
    #expect(try await watch.event(2).string("event") == "removed")
    try place.makeProfile()
    let back = try await watch.event(3)
    #expect(back.string("profile") == "work" && back.string("state") == "valid")
    #expect(await watch.end().status == 4)
  }

  @Test("a refusal whose announcement was lost is an event when a later command finds it")
  func lost() async throws {
    let place = try await Workplace.loggedIn()
    let watch = try await Watch(place, at: try FakeConsole())
    try await place.lab.revokeAll()
    place.secrets.failAnnouncements()
    #expect(try await place.run("call", "me").status == 3)
    place.secrets.failAnnouncements(false)
    #expect(try await place.run("call", "me").status == 3)
    #expect(try await watch.event(2).string("event") == "login_required")
    #expect(await watch.end().status == 4)
  }

  @Test("on a terminal the table is drawn in place, with the last event below; --json prints lines there, too")
  func table() async throws {
    let place = try await Workplace.loggedIn()
    let console = try FakeConsole(isOutputTerminal: true, width: 120)
    let watch = try await Watch(place, ["--color", "never"], at: console)
    try await place.wait(for: "the table") { console.written.contains("work ") }
    #expect(console.written.hasPrefix("\r\u{1B}[JPROFILE  STATE  USER"), "\(console.written)")
    #expect(try await place.run("refresh").status == 0)
    try await place.wait(for: "the event") { console.written.contains("work: refreshed by process ") }
    #expect(console.written.contains("\n\u{1B}[2A\r\u{1B}[JPROFILE  STATE  USER"), "\(console.written)")
    try place.write("issuer = https", as: "broken")
    try await place.wait(for: "the profile") { console.written.contains("broken: unavailable, at ") }
    let table = try #require(console.written.split(separator: "\u{1B}[J").last?.split(separator: "\n"))
    #expect(table.count == 5 && table[1].hasPrefix("broken   unavailable  "), "\(table)")
    #expect(table[3].hasPrefix("broken: ") && table[3].contains("broken.toml"), "\(table)")
    #expect(await watch.end().status == 4)
    let lines = try await Watch(
      try await Workplace.loggedIn(), ["--json"], at: try FakeConsole(isOutputTerminal: true))
    #expect(try await lines.event(1).string("event") == "state")
    #expect(await lines.end().status == 4)
  }

  @Test("on a terminal the table follows the time, and nothing is read for that")
  func time() async throws {
    let place = try await Workplace.loggedIn()
    let console = try FakeConsole(isOutputTerminal: true, width: 120)
    let watch = try await Watch(place, ["--color", "never"], at: console)
    try await place.wait(for: "the table") { console.written.contains(" 10m ") }
    let loads = place.secrets.loads
    for left in ["9m 50s", "9m 40s"] {
      place.clocks.pass(10)
      try await place.wait(for: left) { console.written.contains(left) }
    }
    #expect(place.secrets.loads == loads)
    #expect(await watch.end().status == 4)
  }

  @Test("a profile that can't be read needs no bus: it is shown with its reason, and with the keyring when it is fixed")
  func brokenWithoutBus() async throws {
    let place = try Workplace(.none)
    try place.write("issuer = https")
    let console = try FakeConsole()
    let run = Task { await place.run(["status", "--watch"], at: console) }
    func event(_ count: Int) async throws -> JSONObject {
      try await place.wait(for: "event \(count)") { console.written.count { $0 == "\n" } >= count }
      return try JSONObject(Data(console.written.split(separator: "\n")[count - 1].utf8))
    }
    let first = try await event(1)
    #expect(first.string("state") == "unavailable")
    #expect(try first.object("error").string("code") == "usage")
    #expect(place.secrets.observers == 0)
    place.secrets.fail(nil)
    try place.makeProfile()
    let second = try await event(2)
    #expect(second.string("state") == "logged_out" && !second.keys.contains("error"))
    try await place.wait(for: "the subscription") { place.secrets.observers == 1 }
    place.secrets.report(.failed(.storage(.noBus, .init("the keyring", why: "it is gone", hint: "start it"))))
    #expect(await run.value.status == 4)
  }

  @Test("without a profile, and with --require: exit 2; without a bus: exit 4")
  func refusals() async throws {
    let place = try Workplace(.none)
    #expect(try await place.run("status", "--watch").status == 2)
    try place.makeProfile()
    let both = try await place.run("status", "--watch", "--require", "5m")
    both.expect(2, error: "authctl: --watch: --require checks once")
    #expect(try await place.run("status", "--watch", "nowork").status == 2)
    let outcome = try await place.run("status", "--watch")
    #expect(outcome.status == 4 && outcome.text.isEmpty)
  }
}
