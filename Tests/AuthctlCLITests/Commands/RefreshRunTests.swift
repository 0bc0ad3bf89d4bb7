import Foundation
import TestSupport
import Testing

@testable import AuthCore

@Suite("RefreshRun") struct RefreshRunTests {
  @Test("a response without a refresh token: the old one is kept and works again (real-servers.md, 4)")
  func keptRefreshToken() async throws {
    let place = try await Workplace.loggedIn("", lab: ["--no-refresh-token-in-refresh"])
    let old = try place.pair().string("refresh_token")
    #expect(old != nil)
    for _ in 0..<2 {
      #expect(try await place.run("refresh", "work").status == 0)
      #expect(try place.pair().string("refresh_token") == old)
    }
  }

  @Test("refresh prints one line a profile on standard error, nothing with -q")
  func refreshLines() async throws {
    let place = try await Workplace.loggedIn()
    let told = try await place.run("refresh", "work")
    #expect(told.status == 0 && told.text.isEmpty)
    #expect(told.error.hasPrefix("work: refreshed") && told.error.split(separator: "\n").count == 1, "\(told.error)")
    let quiet = try await place.run("refresh", "work", "-q")
    #expect(quiet.status == 0 && quiet.text.isEmpty && quiet.error.isEmpty)
    #expect(try await place.lab.count("token.refresh_token.ok") == 2)
  }

  @Test("--min-validity refreshes only if less is left, --jitter waits")
  func minValidity() async throws {
    let place = try await Workplace.loggedIn()
    #expect(try await place.run("refresh", "--min-validity", "5m").status == 0)
    #expect(try await place.lab.count("token") == 0)
    #expect(try await place.run("refresh", "--min-validity", "20m", "--jitter", "1s").status == 0)
    #expect(try await place.lab.count("token.refresh_token.ok") == 1)
  }

  @Test("--all: each profile has its turn; one that is logged out is left out, unless it is named")
  func all() async throws {
    let place = try await Workplace.loggedIn()
    try place.makeProfile("never")
    try place.makeProfile("zoo")
    try await place.logIn("zoo")
    try await place.lab.reset()
    let outcome = try await place.run("refresh", "--all")
    outcome.expect(0)
    #expect(outcome.error.contains("work: refreshed") && outcome.error.contains("zoo: refreshed"))
    #expect(outcome.error.contains("never: skipped: logged out"))
    #expect(try await place.lab.count("token.refresh_token.ok") == 2)
    let json = try await place.run("refresh", "work", "zoo", "--json")
    #expect(try JSONObject.array(json.output).map { $0.string("profile") } == ["work", "zoo"])
    let failed = try await place.run("refresh", "never", "--json")
    #expect(try JSONObject.array(failed.output).map { $0.string("outcome") } == ["failed"])
    #expect(try failed.errorJSON().string("code") == "login_required")
    #expect(try failed.errorJSON().string("profile") == "never")
  }

  @Test("--json prints a row for each profile, also for those that failed, and the worst status")
  func report() async throws {
    let place = try await Workplace.loggedIn()
    try place.makeProfile("out")
    let dead = try place.otherLab()
    try place.makeProfile("dead", "issuer = \"\(dead.origin)\"")
    try await place.logIn("dead")
    dead.stop()
    let outcome = try await place.run("refresh", "dead", "out", "work", "--json")
    #expect(outcome.status == 3)
    let rows = try JSONObject.array(outcome.output)
    #expect(rows.map { $0.string("profile") } == ["dead", "out", "work"])
    #expect(rows.map { $0.string("outcome") } == ["failed", "failed", "refreshed"])
    let errors = try rows.prefix(2).map { try $0.object("error") }
    #expect(errors.map { $0.string("code") } == ["try_later", "login_required"])
    #expect(errors.map { $0.integer("exit") } == [5, 3])
    #expect(errors[0].string("message")?.isEmpty == false && errors[1].string("hint") == "run: authctl login out")
    let all = try await place.run("refresh", "--all", "--json", "--quiet")
    #expect(all.status == 5)
    #expect(
      try JSONObject.array(all.output).map { $0.string("outcome") } == ["failed", "logged_out", "refreshed"])
  }

  @Test("a keyring that is locked is one line for all profiles, by refresh --all and by status")
  func locked() async throws {
    let place = try await Workplace.loggedIn()
    try place.makeProfile("zoo")
    place.secrets.fail(.locked)
    for command in [["refresh", "--all"], ["status"]] {
      let outcome = try await place.run(command)
      #expect(outcome.status == 4)
      #expect(outcome.error == "authctl: profiles work, zoo: it is locked; check the keyring\n", "\(outcome.error)")
    }
    let json = try await place.run("refresh", "--all", "--json")
    #expect(try JSONObject.array(json.output).map { $0.string("outcome") } == ["failed", "failed"])
    #expect(json.error.split(separator: "\n").count == 1)
    #expect(try json.errorJSON().string("code") == "keyring")
    // One profile has its message as before.
    #expect(try await place.run("refresh", "work").error == "authctl: the keyring: it is locked\n  check the keyring\n")
  }

  @Test("a token that is about to expire is refreshed early, as refresh_before says")
  func proactive() async throws {
    let place = try await Workplace.loggedIn("refresh_before = \"500s\"")
    place.clocks.pass(99)
    #expect(try await place.run("call", "me").status == 0)
    #expect(try await place.lab.count("token") == 0)
    place.clocks.pass(2)
    #expect(try await place.run("call", "me").status == 0)
    #expect(try await place.lab.count("token.refresh_token.ok") == 1)
  }
}
