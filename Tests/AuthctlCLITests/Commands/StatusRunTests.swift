import Foundation
import TestSupport
import Testing

@Suite("StatusRun") struct StatusRunTests {
  @Test("the states, and what --require says of them")
  func states() async throws {
    let place = try await Workplace.loggedIn("", lab: ["--access-lifetime", "1"])
    try place.makeProfile("out")
    try place.waitForExpiry()
    let statuses = try await JSONObject.array(place.run("status", "--json").output)
    #expect(statuses.map { $0.string("profile") } == ["out", "work"])
    #expect(statuses.map { $0.string("state") } == ["logged_out", "renewable"])
    #expect(try await place.run("status", "work", "--require", "5m").status == 0)
    #expect(try await place.run("status", "out", "--require", "5m").status == 3)
    #expect(try await place.run("status", "--require", "5m").status == 3)
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

  @Test("for people: text on standard output, with -q too")
  func text() async throws {
    let place = try await Workplace.loggedIn()
    let outcome = try await place.run("status")
    #expect(outcome.text.hasPrefix("work: valid\n"))
    #expect(!outcome.text.contains("\u{1B}"))
    #expect(try await place.run("status", "--color", "always").text.contains("\u{1B}["))
    #expect(try await place.run("status", "-q").text.hasPrefix("work: valid\n"))
  }
}
