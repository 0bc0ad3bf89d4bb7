import Foundation
import TestSupport
import Testing

@testable import AuthCore

@Suite("StatusRun") struct StatusRunTests {
  @Test("the states, and what --require says of them")
  func states() async throws {
    let place = try await Workplace.loggedIn("", lab: ["--access-lifetime", "1"])
    try place.makeProfile("out")
    try place.waitForExpiry()
    let statuses = try await JSONObject.array(place.run("status", "--json").output)
    #expect(statuses.map { $0.string("profile") } == ["out", "work"])
    #expect(statuses.map { $0.string("state") } == ["logged_out", "refreshable"])
    #expect(try await place.run("status", "work", "--require", "5m").status == 0)
    #expect(try await place.run("status", "out", "--require", "5m").status == 3)
    let required = try await place.run("status", "--require", "5m")
    #expect(required.status == 3 && required.text.contains("\nwork: refreshable\n"), "a report is printed in any case")
    for profile in ["work", "out"] {
      let quiet = try await place.run("status", profile, "--require", "5m", "--quiet")
      #expect(quiet.status == (profile == "work" ? 0 : 3) && quiet.text.isEmpty && quiet.error.isEmpty)
    }
    #expect(try await place.run("status").status == 0)
    try await place.lab.revokeAll()
    #expect(try await place.run("refresh", "work").status == 3)
    #expect(
      try await JSONObject.array(place.run("status", "work", "--json").output)[0].string("state") == "login_required")
    #expect(try await place.run("status", "work", "--require", "1s").status == 3)
    #expect(try await place.lab.count("token.refresh_token") == 1)
  }

  @Test("a bare token of unknown life is unknown")
  func unknown() async throws {
    let place = try Workplace()
    let options = ["login", "bare", "--flow", "token", "--client-id", "cli", "--api", place.lab.origin]
    #expect(try await place.run(options, input: .text("opaque")).status == 0)
    #expect(try await JSONObject.array(place.run("status", "--json").output)[0].string("state") == "unknown")
  }

  @Test("in a pipe the lines have times in UTC, and their form is fixed")
  func pipe() async throws {
    let place = try await Workplace.loggedIn()
    place.clocks.pass(60)
    #expect(try await place.run("refresh", "work").status == 0)
    try place.makeProfile("out")
    place.clocks.pass(5)
    #expect(
      try await place.run("status").text == """
        out: logged out
          issuer         \(place.lab.origin)
          to do          authctl login out
        work: valid
          issuer         \(place.lab.origin)
          scope          api
          access token   9m 55s left (until 2026-01-02T03:15:05Z)
          refresh token  expiry unknown
          last refresh   2026-01-02T03:05:05Z

        """)
  }

  @Test("for people: text on standard output, with -q too")
  func text() async throws {
    let place = try await Workplace.loggedIn()
    let outcome = try await place.run("status")
    #expect(outcome.text.hasPrefix("work: valid\n"))
    #expect(!outcome.text.contains("\u{1B}"))
    #expect(try await place.run("status", "--color", "always").text.contains("\u{1B}["))
    #expect(try await place.run("status", "-q").text.hasPrefix("work: valid\n"))
  }

  @Test("on a terminal a table of all profiles, with the command for those that need a login; with a name its lines")
  func table() async throws {
    let place = try await Workplace.loggedIn()
    try place.makeProfile("out")
    let console = try FakeConsole(isOutputTerminal: true, width: 120)
    let outcome = await place.run(["status", "--color", "never"], at: console, environment: ["LANG": "C.UTF-8"])
    #expect(outcome.status == 0)
    let lines = outcome.text.split(separator: "\n")
    #expect(lines.count == 4, "\(lines)")
    #expect(lines[0].hasPrefix("PROFILE  STATE "))
    #expect(lines[1].hasPrefix("out      logged out "))
    #expect(lines[2].hasPrefix("work     valid ") && lines[2].contains("████████ 10m"), "\(lines)")
    #expect(lines[2].hasSuffix("automatic  \(place.lab.origin)/api"), "\(lines)")
    #expect(lines[3] == "out: authctl login out")
    let named = await place.run(["status", "work"], at: try FakeConsole(isOutputTerminal: true))
    #expect(named.text.contains("work: "), "\(named.text)")
    #expect(named.text.firstMatch(of: /10m left \(until 20..-..-.. ..:..:.. \+00:00\)/) != nil, "\(named.text)")
  }

  @Test("what is left is rounded down alike by status, inspect and -v", arguments: [0.1, 0.3, 0.4, 0.7, 0.9])
  func rounding(fraction: Double) async throws {
    let place = try await Workplace.loggedIn()
    place.clocks.pass(fraction)
    func expiresIn() async throws -> [Int?] {
      let report = try await JSONValue(parsing: place.run("inspect", "--offline", "--json").output)
      guard case .array(let tokens)? = report["tokens"], case .integer(let left)? = tokens[0]["expires_in"] else {
        throw SessionError("no tokens")
      }
      return [try await JSONObject.array(place.run("status", "--json").output)[0].integer("expires_in"), Int(left)]
    }
    #expect(try await expiresIn() == [599, 599])
    let status = try await place.run("status").text
    #expect(status.contains(" 9m 59s left (until 2026-01-02T03:14:05Z)\n"), "\(status)")
    let inspect = try await place.run("inspect", "--offline").text
    #expect(inspect.contains(" expires in 9m 59s, 2026-01-02 03:14:05 +00:00\n"), "\(inspect)")
    let call = try await place.run("call", "-v", "me")
    #expect(call.error.contains(": valid for another 9m 59s;"), "\(call.error)")
    place.clocks.pass(600)
    #expect(try await expiresIn() == [-1, -1])
    let expired = try await place.run("status").text
    #expect(expired.contains(" expired 1s ago (at 2026-01-02T03:14:05Z)\n"), "\(expired)")
    let late = try await place.run("inspect", "--offline").text
    #expect(late.contains(" expired 1s ago, 2026-01-02 03:14:05 +00:00\n"), "\(late)")
  }

  @Test("the last error is one sentence, however the server ends its description", arguments: ["gone", "gone."])
  func lastError(description: String) async throws {
    let place = try await Workplace.loggedIn()
    let item = SecretItem(profile: "work", kind: .tokens)
    var pair = try TokenPair(stored: try #require(place.secrets.items[item]))
    pair.lastError = .init(error: "invalid_grant", description: description, at: .sample, final: true)
    place.secrets.put(try pair.stored(), as: item)
    let text = try await place.run("status").text
    #expect(text.contains("  last error     invalid_grant: gone, at 2026-01-02T03:04:05Z\n"), "\(text)")
  }

  @Test("a session that can't be refreshed is announced with its end")
  func ending() async throws {
    let place = try Workplace()
    let token = #"{"access_token":"a","token_type":"Bearer","expires_in":420}"#
    let login = ["login", "bare", "--flow", "token", "--client-id", "cli", "--api", place.lab.origin]
    #expect(try await place.run(login, input: .text(token)).status == 0)
    let outcome = await place.run(["status"], at: try FakeConsole(isOutputTerminal: true, width: 120))
    #expect(outcome.text.contains("bare: ends in 7m: authctl login bare"), "\(outcome.text)")
    let named = await place.run(
      ["status", "bare", "--color", "always"], at: try FakeConsole(isOutputTerminal: true, width: 120))
    let line = "to do          ends in 7m: authctl login bare"
    #expect(named.text.hasSuffix("\n  \u{1B}[33m\(line)\u{1B}[0m\n"), "\(named.text)")
    #expect(try await !place.run("status", "bare").text.contains("to do"))
  }
}
