import Foundation
import TestSupport
import Testing

@Suite("InsufficientRun") struct InsufficientRunTests {
  @Test("a 401 whose challenge says anything else is refreshed for, as is one without a word (real-servers.md, 22)")
  func refreshed() async throws {
    let place = try await Workplace.loggedIn()
    for form in ["full", "lowercase", "no-space", "absent"] {
      try await place.lab.change(#"{"challenge":"\#(form)"}"#)
      try await place.lab.expireAccessTokens()
      #expect(try await place.run("call", "me").status == 0)
    }
    #expect(try await place.lab.count("token.refresh_token.ok") == 4)
  }

  @Test("the message says so if the API does not name the scope, or if the token has it")
  func unclear() async throws {
    let place = try await Workplace.loggedIn()
    try await place.lab.change(#"{"required_scope":"write","scope_in_challenge":false}"#)
    let outcome = try await place.run("call", "me", "--errors=json")
    #expect(outcome.status == 22)
    let error = try outcome.errorJSON()
    #expect(error.string("message")?.hasSuffix("is not enough (granted: api), and it does not say what is") == true)
    #expect(error.string("hint")?.hasSuffix("authctl login work --scope 'api NAME'") == true)
    #expect(error.string("code") == "http")
  }

  @Test("--no-fail takes the refusal as any other response; a token from the environment has no profile to log in to")
  func otherwise() async throws {
    let place = try await Workplace.loggedIn()
    try await place.lab.change(#"{"required_scope":"write"}"#)
    let accepted = try await place.run("call", "--no-fail", "me")
    #expect(accepted.status == 0)
    #expect(accepted.error.isEmpty)
    let token = try #require(try place.pair().string("access_token"))
    let given = try await place.run("call", place.lab.origin + "/api/me", environment: ["AUTHCTL_ACCESS_TOKEN": token])
    #expect(given.status == 22)
    #expect(given.error.contains("the token lacks the scope write\n"), "\(given.error)")
    #expect(given.error.contains("set AUTHCTL_ACCESS_TOKEN"))
  }

  @Test("a login that was another one than was asked for is warned of")
  func otherLogin() async throws {
    let place = try Workplace()
    try await place.lab.change(#"{"granted_acr":"bronze"}"#)
    let outcome = try await place.run(place.browserLogin(["--acr-values", "gold"]), browser: place.browser())
    outcome.expect(0)
    #expect(
      outcome.error.contains("warning: the login has the level 'bronze', not the requested: gold"),
      "\(outcome.error)")
  }

  @Test(
    "--acr-values and --max-age for a flow without a user, or without a value: status 2, and nothing is sent",
    arguments: [["--acr-values", "gold"], ["--max-age", "5m"], ["--max-age", "soon", "--flow", "browser"]]
      + [["--acr-values", " ", "--flow", "browser"]])
  func misplaced(options: [String]) async throws {
    let place = try Workplace()
    try place.makeProfile()
    let outcome = try await place.run(["login", "work"] + options, browser: place.browser())
    outcome.expect(2)
    #expect(outcome.error.contains(options[0]))
    #expect(try await place.lab.lastRequests().isEmpty)
  }
}
