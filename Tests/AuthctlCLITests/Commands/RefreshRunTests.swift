import Foundation
import TestSupport
import Testing

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
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(outcome.error.contains("work: refreshed") && outcome.error.contains("zoo: refreshed"))
    #expect(outcome.error.contains("never: skipped: logged out"))
    #expect(try await place.lab.count("token.refresh_token.ok") == 2)
    let json = try await place.run("refresh", "work", "zoo", "--json")
    #expect(try JSONObject.array(json.output).map { $0.string("profile") } == ["work", "zoo"])
    let failed = try await place.run("refresh", "never", "--json")
    #expect(failed.text.isEmpty)
    #expect(try failed.errorJSON().string("code") == "login_required")
    #expect(try failed.errorJSON().string("profile") == "never")
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
