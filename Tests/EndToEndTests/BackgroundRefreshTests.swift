import Foundation
import TestSupport
import Testing

@Suite("a refresh that outlives its caller, end to end")
struct BackgroundRefreshTests {
  /// A workplace whose server has refreshed but holds its response back until the faults are cleared, with one-use
  /// refresh tokens; and a `refresh` that waits for it.
  private func begun(lab: [String] = []) throws -> (Workplace, ProgramRun) {
    let place = try Workplace.loggedIn("", lab: lab)
    try place.holdRefresh()
    let run = try place.start(["refresh", "work"])
    try Waiting.until("the exchange") { try place.lab.count("token.refresh_token.ok") == 1 }
    return (place, run)
  }

  /// Lets the server respond while another refresh waits for the lock, which the first one holds.
  private func expectAlive(_ place: Workplace, after before: JSONObject) throws {
    let run = try place.start(["refresh", "work", "-v"])
    try run.waitUntilError(contains: "another process is refreshing the token: waiting")
    try place.lab.clearFaults()
    let later = try run.wait()
    later.expect(0)
    #expect(try place.run("call", "me").status == 0)
    #expect(try place.lab.count("reuse_detected") == 0)
    #expect(try place.pair().string("refresh_token") != before.string("refresh_token"))
    #expect(try place.pair().string("renewal_began") == nil)
  }

  @Test("the caller is killed after the refresh and before the response: nothing is lost")
  func killed() throws {
    let (place, run) = try begun()
    let before = try place.pair()
    #expect(before.string("renewal_began") != nil)
    run.send(SIGKILL)
    #expect(try run.wait().status == -SIGKILL)
    try expectAlive(place, after: before)
  }

  @Test("Ctrl-C at the terminal ends the command at once with 130, and the refresh continues in the background")
  func interrupted() throws {
    let (place, run) = try begun()
    let before = try place.pair()
    run.send(SIGINT)
    let outcome = try run.wait()
    #expect(outcome.status == 130)
    // The server has not responded yet: the pair is still the old one.
    #expect(try place.pair().string("access_token") == before.string("access_token"))
    #expect(try place.pair().string("renewal_began") != nil)
    try expectAlive(place, after: before)
  }

  @Test("-v tells the background refresh of this command and that of another process apart")
  func words() throws {
    let place = try Workplace.loggedIn()
    try place.lab.expireAccessTokens()
    try place.holdRefresh()
    let first = try place.start(["call", "-v", "me"])
    try Waiting.until("the exchange") { try place.lab.count("token.refresh_token") == 1 }
    let waiting = try place.start(["refresh", "-v", "work"])
    try waiting.waitUntilError(contains: "another process is refreshing the token: waiting")
    try place.lab.clearFaults()
    let (outcome, second) = (try first.wait(), try waiting.wait())
    #expect(outcome.status == 0 && second.status == 0, "\(outcome.error)\(second.error)")
    let change = try place.pair().object("change")
    let pid = try #require(change.integer("pid"))
    #expect(pid == Int(first.pid), "the command, not its background process")
    for end in ["* background: refreshed: token", "* background: token", "> background: POST /token"] {
      #expect(outcome.error.contains("ms] \(end) "), "\(outcome.error)")
    }
    #expect(second.error.contains("was refreshed by process \(pid) (background refresh)"), "\(second.error)")
    #expect(!second.error.contains("background: "), "\(second.error)")
  }

  @Test("a stopped caller (Ctrl-Z) blocks no other process after the refresh has ended")
  func stopped() throws {
    let (place, run) = try begun()
    let before = try place.pair()
    run.send(SIGSTOP)
    try expectAlive(place, after: before)
    run.send(SIGCONT)
    #expect(try run.wait().status == 0)
  }

  @Test("the terminal is closed during the refresh: nothing is lost")
  func hungUp() throws {
    let place = try Workplace.loggedIn()
    let before = try place.pair()
    try place.holdRefresh()
    var terminal: PseudoTerminal? = try PseudoTerminal()
    let run = try terminal.map { try place.start(["refresh", "work"], input: .terminal($0)) }
    try Waiting.until("the exchange") { try place.lab.count("token.refresh_token") == 1 }
    terminal = nil
    #expect(try run?.wait().status == 129)
    try expectAlive(place, after: before)
  }

  @Test(
    "all is killed before the response: the next run reports it, and a server that accepts the old token recovers"
  )
  func powerLoss() throws {
    let (place, run) = try begun(lab: ["--reuse", "none"])
    try run.killWithRefresh()
    #expect(try place.pair().string("renewal_began") != nil)
    let status = try place.run("status")
    #expect(status.text.contains("was cut short"), "\(status.text)")
    let outcome = try place.run("refresh", "work")
    outcome.expect(0, error: "was cut short")
    #expect(try place.lab.count("token.refresh_token") == 2)
    #expect(try place.run("status").text.contains("was cut short") == false)
    #expect(try place.run("call", "me").status == 0)
  }

  @Test(
    "all is killed, at a strict server: the old token is tried once, and the error says what happened")
  func powerLossAtStrictServer() throws {
    let (place, run) = try begun()
    try run.killWithRefresh()
    for attempt in 1...2 {
      let outcome = try place.run("refresh", "work")
      outcome.expect(3)
      #expect(outcome.error.contains("was cut short") == (attempt == 1), "\(outcome.error)")
      #expect(outcome.error.contains("run: authctl login work"))
    }
    #expect(try place.lab.count("token.refresh_token") == 2)
  }

  @Test(
    "a valid token does not wait: call ends with its response, and the refresh continues in the background",
    arguments: [[:], ["INVOCATION_ID": "0123"]] as [[String: String]])
  func validToken(environment: [String: String]) throws {
    // Due for a refresh from its first second on.
    let place = try Workplace.loggedIn("refresh_before = \"599s\"")
    let before = try place.pair()
    let end = try Date(try #require(before.string("expires_at")), strategy: .iso8601)
    try Waiting.until("the time of the refresh") { end.timeIntervalSinceNow < 598 }
    try place.holdRefresh()
    let call = try place.run(["call", "me"], environment: environment)
    #expect(call.status == 0 && call.error.isEmpty, "\(call.error)")
    // A service manager would end the exchange with the program, which therefore waits, but not for the response.
    #expect(call.seconds > (environment.isEmpty ? 1.9 : 3.9), "\(call.seconds)")
    #expect(try place.pair().string("access_token") == before.string("access_token"))
    try place.lab.clearFaults()
    try Waiting.until("the exchange") { try place.pair().string("access_token") != before.string("access_token") }
    #expect(try place.lab.count("reuse_detected") == 0)
    #expect(try place.run("refresh", "work").status == 0)
  }

  @Test("the trace of a refresh in another process is that of one's own")
  func trace() throws {
    let place = try Workplace.loggedIn()
    let outcome = try place.run("refresh", "work", "-v")
    for line in [
      "* refreshing: requested by the caller", "> background: POST /token HTTP/1.1", "< background: HTTP/1.1 200 OK",
      "refresh token rotated", "stored",
    ] {
      #expect(outcome.error.contains(line), "\(line): \(outcome.error)")
    }
    let pair = try place.pair()
    #expect(!outcome.error.contains(pair.string("access_token") ?? ""))
    #expect(!outcome.error.contains(pair.string("refresh_token") ?? ""))
  }

  @Test("the internal refresh command does nothing for a person: without the lock it has no effect")
  func byHand() throws {
    let place = try Workplace.loggedIn()
    let before = try place.stored()
    _ = try place.run("__refresh", "work")
    #expect(try place.stored() == before)
    #expect(try place.lab.lastRequests().isEmpty)
  }
}
