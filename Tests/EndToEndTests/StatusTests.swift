import Foundation
import TestSupport
import Testing

@Suite("status and token, end to end")
struct StatusTests {
  @Test("--json has the stable keys, no token, and no request is made")
  func json() throws {
    let place = try Workplace.loggedIn()
    let outcome = try place.run("status", "--json")
    #expect(outcome.status == 0)
    let status = try #require(try JSONObject.array(outcome.output).first)
    #expect(
      status.keys == [
        "access_token_refused_at", "clock_offset", "dpop_jkt", "expires_at", "expires_in", "issuer", "last_error",
        "last_error_description", "last_refresh", "outdated", "profile", "refresh_expires_at",
        "refresh_expires_in", "renewal", "scope", "state", "store", "subject", "token_type", "type",
      ])
    #expect(status.string("profile") == "work")
    #expect(status.string("type") == "oauth2")
    #expect(status.string("issuer") == place.lab.origin)
    #expect(status.string("state") == "valid")
    #expect((590...600).contains(try #require(status.integer("expires_in"))))
    #expect(status.string("scope") == "api")
    #expect(status.string("store") == "keyring")
    #expect(status.isNull("last_error") && status.isNull("refresh_expires_at") && status.isNull("clock_offset"))
    let pair = try place.pair()
    for key in ["access_token", "refresh_token"] {
      #expect(!(outcome.text + outcome.error).contains(try #require(pair.string(key))))
    }
    #expect(try place.lab.lastRequests().isEmpty)
  }

  @Test("the states, and what --require says of them")
  func states() throws {
    let place = try Workplace.loggedIn("", lab: ["--access-lifetime", "1"])
    try place.makeProfile("out")
    try place.waitForExpiry()
    let statuses = try JSONObject.array(place.run("status", "--json").output)
    #expect(statuses.map { $0.string("profile") } == ["out", "work"])
    #expect(statuses.map { $0.string("state") } == ["logged_out", "renewable"])
    #expect(try place.run("status", "work", "--require", "5m").status == 0)
    #expect(try place.run("status", "out", "--require", "5m").status == 3)
    #expect(try place.run("status", "--require", "5m").status == 3)
    #expect(try place.run("status").status == 0)
    try place.lab.revokeAll()
    #expect(try place.run("refresh", "work").status == 3)
    #expect(try JSONObject.array(place.run("status", "work", "--json").output)[0].string("state") == "login_required")
    #expect(try place.run("status", "work", "--require", "1s").status == 3)
    #expect(try place.lab.count("token.refresh_token") == 1)
  }

  @Test("a bare token of unknown life is unknown")
  func unknown() throws {
    let place = try Workplace()
    let options = ["login", "bare", "--flow", "token", "--client-id", "cli", "--api", place.lab.origin]
    #expect(try place.run(options, input: .text("opaque")).status == 0)
    #expect(try JSONObject.array(place.run("status", "--json").output)[0].string("state") == "unknown")
  }

  @Test("for people: text on standard output, with -q too")
  func text() throws {
    let place = try Workplace.loggedIn()
    let outcome = try place.run("status")
    #expect(outcome.text.hasPrefix("work: valid\n"))
    #expect(!outcome.text.contains("\u{1B}"))
    #expect(try place.run("status", "--color", "always").text.contains("\u{1B}["))
    #expect(try place.run("status", "-q").text.hasPrefix("work: valid\n"))
  }

  @Test("token prints a valid token, or the header line, renewed where too little is left")
  func token() throws {
    let place = try Workplace.loggedIn()
    let old = try #require(try place.pair().string("access_token"))
    #expect(try place.run("token").text == old + "\n")
    #expect(try place.run("token", "--header").text == "Authorization: Bearer \(old)\n")
    #expect(try place.lab.count("token") == 0)
    try place.lab.change(#"{"access_lifetime":3600}"#)
    let refreshed = try place.run("token", "--min-validity", "20m")
    #expect(refreshed.status == 0)
    #expect(refreshed.text != old + "\n")
    #expect(refreshed.text == (try #require(try place.pair().string("access_token"))) + "\n")
    #expect(try place.lab.count("token.refresh_token.ok") == 1)
    let given = try place.run("token", "--header", environment: ["AUTHCTL_ACCESS_TOKEN": "mine"])
    #expect(given.text == "Authorization: Bearer mine\n")
  }

  @Test("token with nobody logged in prints nothing: status 3")
  func noToken() throws {
    let place = try Workplace()
    try place.makeProfile()
    let outcome = try place.run("token")
    #expect(outcome.status == 3)
    #expect(outcome.text.isEmpty)
  }
}
