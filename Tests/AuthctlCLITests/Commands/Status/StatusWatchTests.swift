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

  @Test("the keyring's end is a warning, and its start a new reading; a locked one ends the watch")
  func restart() async throws {
    let place = try await Workplace.loggedIn()
    let watch = try await Watch(place, at: try FakeConsole())
    place.secrets.report(.stopped)
    try await place.wait(for: "the warning") { watch.console.error.contains("warning: the keyring has ended") }
    place.secrets.fail(.locked)
    place.secrets.report(.started)
    #expect(await watch.run.value.status == 4)
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
    #expect(await watch.end().status == 4)
    let lines = try await Watch(
      try await Workplace.loggedIn(), ["--json"], at: try FakeConsole(isOutputTerminal: true))
    #expect(try await lines.event(1).string("event") == "state")
    #expect(await lines.end().status == 4)
  }

  @Test("without a profile, and with --require: exit 2; without a bus: exit 4")
  func refusals() async throws {
    let place = try Workplace(.none)
    #expect(try await place.run("status", "--watch").status == 2)
    try place.makeProfile()
    let both = try await place.run("status", "--watch", "--require", "5m")
    #expect(both.status == 2 && both.error.contains("authctl: --watch: --require checks once"), "\(both.error)")
    #expect(try await place.run("status", "--watch", "nowork").status == 2)
    let outcome = try await place.run("status", "--watch")
    #expect(outcome.status == 4 && outcome.text.isEmpty)
  }
}
