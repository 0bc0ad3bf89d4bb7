import Foundation
import Glibc
import TestSupport
import Testing

@Suite("status --watch, end to end")
struct StatusWatchTests {
  /// The events that a watch has printed so far.
  func events(_ run: ProgramRun) throws -> [JSONObject] {
    let text = run.outputSoFar
    // The last line may not be whole yet.
    return try text.split(separator: "\n").dropLast(text.hasSuffix("\n") ? 0 : 1).map { try JSONObject(Data($0.utf8)) }
  }

  /// Waits for so many events, and returns the last one.
  func event(_ count: Int, of run: ProgramRun) throws -> JSONObject {
    try Waiting.until("event \(count): \(run.outputSoFar) \(run.errorSoFar)") { try events(run).count >= count }
    return try events(run)[count - 1]
  }

  @Test("login, refresh, failure, dead session and logout of other processes are events; no token is printed")
  func events() throws {
    let place = try Workplace()
    try place.makeProfile()
    let watch = try place.start(["status", "--watch"])
    #expect(try event(1, of: watch).string("state") == "logged_out")
    var secrets: [String] = []
    func remember() throws {
      for key in ["access_token", "refresh_token"] { secrets.append(try #require(try place.pair().string(key))) }
    }
    try place.logIn()
    try remember()
    #expect(try event(2, of: watch).string("event") == "logged_in")
    let refresh = try place.start(["refresh"])
    #expect(try refresh.wait().status == 0)
    try remember()
    let refreshed = try event(3, of: watch)
    #expect(refreshed.string("event") == "refreshed" && refreshed.string("state") == "valid")
    #expect(refreshed.integer("pid") == Int(refresh.pid), "the command that wanted it, not its background process")
    #expect(refreshed.string("expires_at") == (try place.pair().string("expires_at")))
    try place.lab.fail(#"{"endpoint":"token","kind":"status","status":503}"#)
    let failing = try place.start(["refresh"])
    #expect(try failing.wait().status == 5)
    let failed = try event(4, of: watch)
    #expect(failed.string("event") == "refresh_failed" && failed.integer("pid") == Int(failing.pid))
    try place.lab.clearFaults()
    try place.logIn()
    try remember()
    #expect(try event(5, of: watch).string("event") == "logged_in")
    try place.lab.revokeAll()
    #expect(try place.run("refresh").status == 3)
    let refused = try event(6, of: watch)
    #expect(refused.string("event") == "login_required" && refused.string("state") == "valid")
    #expect(try place.run("logout").status == 0)
    #expect(try event(7, of: watch).string("event") == "logged_out")
    #expect(try events(watch).allSatisfy { $0.integer("skipped") == nil }, "\(watch.outputSoFar)")
    for secret in secrets { #expect(!(watch.outputSoFar + watch.errorSoFar).contains(secret)) }
    place.session.killKeyring()
    try watch.waitUntilError(contains: "authctl: warning: the keyring has ended")
    place.session.killBus()
    let outcome = try watch.wait()
    #expect(outcome.status == 4)
    #expect(outcome.error.contains("authctl: the keyring can no longer be watched: no D-Bus session bus responds"))
  }

  @Test("of refreshes in many processes none is lost: each is an event, or counted as skipped")
  func gap() throws {
    let place = try Workplace.loggedIn()
    let watch = try place.start(["status", "--watch"])
    _ = try event(1, of: watch)
    // A stopped watch reads only the last one of them.
    watch.send(SIGSTOP)
    for _ in 1...5 { #expect(try place.run("refresh").status == 0) }
    let last = try #require(try place.pair().string("expires_at"))
    watch.send(SIGCONT)
    for _ in 1...3 { #expect(try place.run("refresh").status == 0) }
    func sum() throws -> Int {
      try events(watch).reduce(0) { $0 + ($1.string("event") == "refreshed" ? 1 + ($1.integer("skipped") ?? 0) : 0) }
    }
    try Waiting.until("8 refreshes: \(watch.outputSoFar), \(last)") { try sum() >= 8 }
    #expect(try sum() == 8)
    #expect(try events(watch).contains { $0.integer("skipped") ?? 0 > 0 }, "\(watch.outputSoFar)")
  }

  @Test("a call whose tokens are refused is one event, though a background process finds the second refusal")
  func dead() throws {
    let place = try Workplace.loggedIn()
    let watch = try place.start(["status", "--watch"])
    _ = try event(1, of: watch)
    try place.lab.revokeAll()
    #expect(try place.run("call", "me").status == 3)
    let dead = try event(2, of: watch)
    #expect(dead.string("event") == "login_required" && dead.string("state") == "login_required")
    #expect(try place.run("logout").status == 0)
    #expect(try event(3, of: watch).string("event") == "logged_out", "\(watch.outputSoFar)")
  }

  @Test("a locked keyring and a broken profile are reported, and that they can be read again; the watch goes on")
  func unreadable() throws {
    let place = try Workplace.loggedIn()
    let watch = try place.start(["status", "--watch"])
    _ = try event(1, of: watch)
    try place.session.lockCollection()
    let locked = try event(2, of: watch)
    #expect(locked.string("event") == "state" && locked.string("state") == "unavailable")
    #expect(try locked.object("error").string("code") == "keyring")
    try place.session.unlockCollection()
    #expect(try place.run("refresh", "work").status == 0)
    let back = try event(3, of: watch)
    #expect(back.string("event") == "refreshed" && back.string("state") == "valid")
    try Data("issuer = https".utf8).write(to: place.file("other"))
    let broken = try event(4, of: watch)
    #expect(broken.string("profile") == "other" && broken.string("state") == "unavailable")
    #expect(try place.run("profile", "remove", "other", "--force").status == 0)
    #expect(try event(5, of: watch).string("event") == "removed")
    #expect(try place.run("refresh", "work").status == 0)
    #expect(try event(6, of: watch).string("event") == "refreshed")
  }

  @Test("the reader is gone: exit 0, although nothing happens any more")
  func readerGone() throws {
    let place = try Workplace.loggedIn()
    let reader = ["/bin/sh", "-c", #"{ "$@"; echo "status $?" >&2; } | head -n 1"#, "sh"]
    let outcome = try place.run(["status", "--watch"], through: reader)
    #expect(outcome.text.contains(#""event":"state""#))
    #expect(outcome.error == "status 0\n")
  }

  @Test("at a terminal the table is drawn in place; Ctrl-C ends it with 130, and the terminal echoes")
  func terminal() throws {
    let place = try Workplace.loggedIn()
    let terminal = try PseudoTerminal()
    let watch = try place.start(["status", "--watch"], input: .screen(terminal))
    _ = try terminal.read(until: "PROFILE")
    #expect(try place.run("refresh").status == 0)
    _ = try terminal.read(until: "work: refreshed by process ")
    try terminal.type("\u{3}")
    #expect(try watch.wait().status == 130)
    #expect(terminal.echoes)
  }

  @Test("without a bus: exit 4, as status")
  func noBus() throws {
    let place = try Workplace(.none)
    try place.makeProfile()
    place.session.killBus()
    let outcome = try place.run("status", "--watch")
    #expect(outcome.status == 4)
    #expect(outcome.error.contains("no D-Bus session bus responds"))
  }
}
