import Foundation
import TestSupport
import Testing

@testable import AuthctlCLI

/// Servers as they are: lines 35 to 46 of real-servers.md, but for HTTP/2.
@Suite("RealServerRun") struct RealServerRunTests {
  private func call(_ place: Workplace) async throws -> Int32 { try await place.run("call", "/me").status }

  // MARK: - 35: offline_access needs prompt=consent

  @Test("offline_access that login adds comes with prompt=consent, at each login (OpenID Connect Core, section 11)")
  func consent() async throws {
    let place = try await AddressRunTests.place(#","offline_needs_consent":true"#)
    let first = try await AddressRunTests.login(place, place.lab.origin + "/api")
    #expect(first.status == 0 && !first.error.contains("warning"), "\(first.error)")
    let name = AddressRunTests.name(place.lab)
    let second = try await place.run(["login", name], browser: place.browser())
    second.expect(0)
    let asked = try await place.lab.lastRequests().filter { $0.target.hasPrefix("/authorize?") }
    #expect(asked.count == 2 && asked.allSatisfy { $0.target.contains("&prompt=consent") })
  }

  @Test(
    "a prompt that is given is sent instead, or none; a scope that is given needs no consent",
    arguments: [
      (["--prompt", "login"], "login"), (["--prompt", ""], nil), (["--scope", "openid offline_access"], nil),
      (["--scope", "openid", "--prompt", "select_account"], "select_account"),
    ] as [([String], String?)])
  func prompt(options: [String], prompt: String?) async throws {
    let place = try await AddressRunTests.place()
    let outcome = try await AddressRunTests.login(place, place.lab.origin + "/api", options)
    outcome.expect(0)
    let asked = try await place.lab.lastRequests().last { $0.target.hasPrefix("/authorize?") }
    let sent = asked?.target.firstMatch(of: /&prompt=([^&]*)/).map { String($0.1) }
    #expect(sent == prompt)
    let again = try await place.run(
      ["login", AddressRunTests.name(place.lab), "--prompt", "none"], browser: place.browser())
    again.expect(0)
  }

  @Test("the prompt in [parameters] wins over that of the profile")
  func parameter() async throws {
    let place = try Workplace()
    try place.makeProfile(
      "work", "flow = \"browser\"\nprompt = \"consent\"",
      tables: "[parameters]\nauthorization = { prompt = \"login\" }\n")
    #expect(try await place.run(["login", "work"], browser: place.browser()).status == 0)
    let asked = try await place.lab.lastRequests().last { $0.target.hasPrefix("/authorize?") }
    #expect(asked?.target.components(separatedBy: "prompt=").dropFirst() == ["login"])
  }

  // MARK: - 36, 37: registration

  @Test("no ID tokens for registered clients: the hint leaves out openid, and typing it works")
  func withoutIDTokens() async throws {
    let place = try await AddressRunTests.place(#","registration":true,"registration_faults":["no-id-tokens"]"#)
    let outcome = try await place.run(["login", place.lab.origin + "/api"], browser: place.browser())
    outcome.expect(5)
    let hint = try #require(outcome.error.firstMatch(of: /run: authctl (login \S+) --scope '(.*)'/))
    #expect(!hint.2.contains("openid") && hint.2.hasPrefix("offline_access"), "\(outcome.error)")
    let next = try await place.run(
      hint.1.split(separator: " ").map(String.init) + ["--scope", String(hint.2)], browser: place.browser())
    next.expect(0)
    // Not with a scope that was given.
    let given = try await place.run(
      ["login", place.lab.origin + "/api", "-p", "given", "--scope", "openid"], browser: place.browser())
    #expect(given.status == 5 && !given.error.contains("--scope ''"), "\(given.error)")
  }

  @Test("one grant besides refresh_token: a login by device registers its grant alone")
  func oneGrant() async throws {
    let place = try await AddressRunTests.place(#","registration":true,"registration_faults":["one-grant"]"#)
    // The code is never confirmed: the clock of the server does not move.
    let outcome = try await place.run("login", place.lab.origin + "/api", "--flow", "device", "--timeout", "1s")
    #expect(outcome.error.contains("enter this code"), "\(outcome.error)")
    #expect(try await place.lab.count("registration.create.ok") == 1)
    #expect(try await place.lab.count("device_authorization.ok") == 1)
  }

  // MARK: - 39, 40: small deviations

  @Test("revocation by a public client that needs an empty client_secret")
  func emptySecret() async throws {
    let place = try await Workplace.loggedIn()
    try await place.lab.change(#"{"revocation_needs_secret_field":true}"#)
    let outcome = try await place.run("logout", "work")
    outcome.expect(0, error: "logged out")
    #expect(try await place.lab.count("revoke.ok") == 2)
  }

  @Test("token_type access_token is that of a bearer token")
  func tokenType() async throws {
    let place = try Workplace()
    try await place.lab.change(#"{"token_type":"access_token"}"#)
    try place.makeProfile()
    let login = try await place.passwordLogin()
    login.expect(0)
    #expect(try await call(place) == 0)
    #expect(try await place.run("refresh", "work").status == 0)
    #expect(try await place.run("token", "--header").text.hasPrefix("Authorization: Bearer "))
  }

  @Test(
    "an issuer with a slash at its end, or without, whatever slash the address has", arguments: ["", "/"], ["", "/"])
  func slash(issuer: String, typed: String) async throws {
    let place = try Workplace()
    try await place.lab.change(#"{"issuer_path":"/t","announced_issuer":"\#(place.lab.origin)/t\#(issuer)"}"#)
    let outcome = try await AddressRunTests.login(
      place, place.lab.origin + "/t" + typed, ["--api", place.lab.origin + "/api"])
    // The issuer in ID tokens and redirects is that of the metadata.
    outcome.expect(0)
    #expect(try AddressRunTests.text(place).contains("issuer = \"\(place.lab.origin)/t\(issuer)\"\n"))
    #expect(try await call(place) == 0)
  }

  // MARK: - 41, 42, 43: token endpoints

  @Test("a code whose exchange ended with 500 is not sent again; the next login has another one")
  func consumedCode() async throws {
    let place = try Workplace()
    try await place.lab.fail(
      #"{"endpoint":"token.authorization_code","kind":"status","status":500,"after":true,"count":1}"#)
    let outcome = try await place.run(place.browserLogin(), browser: place.browser())
    outcome.expect(5)
    #expect(try place.stored() == nil)
    #expect(try await place.lab.count("code_replayed") == 0)
    #expect(try await place.run(place.browserLogin(), browser: place.browser()).status == 0)
  }

  @Test("no metadata at all, and a refresh token that stays good until the new access token is used")
  func withoutMetadata() async throws {
    let place = try Workplace()
    try await place.lab.change(#"{"oauth_discovery":false,"openid_discovery":false,"reuse":"none"}"#)
    let origin = place.lab.origin
    let login = try await place.run(
      [
        "login", "work", "--template", "oauth2-endpoints", "--field", "authorization=\(origin)/authorize",
        "--field", "token=\(origin)/token", "--client-id", "cli", "--api", "\(origin)/api",
      ], browser: place.browser())
    login.expect(0)
    try place.waitForExpiry()
    // The response is lost, and the old refresh token works again.
    try await place.lab.fail(#"{"endpoint":"token.refresh_token","kind":"drop","after":true,"count":1}"#)
    #expect(try await call(place) == 0)
    #expect(try await place.lab.count("token.refresh_token.ok") == 2)
  }

  @Test("no ID token although openid is granted, and tokens of nine seconds: one refresh for each of them")
  func shortTokens() async throws {
    let place = try Workplace(lab: ["--access-lifetime", "9"])
    try await place.lab.change(#"{"id_token_fault":"absent"}"#)
    let login = try await place.run(place.browserLogin(), browser: place.browser())
    login.expect(0)
    for _ in 0..<3 { #expect(try await call(place) == 0) }
    #expect(try await place.lab.count("token.refresh_token") == 0)
    place.clocks.pass(8)
    for _ in 0..<3 { #expect(try await call(place) == 0) }
    #expect(try await place.lab.count("token.refresh_token.ok") == 1)
  }

  // MARK: - 46: pushed requests

  @Test("a page that wants response_type beside request_uri")
  func responseType() async throws {
    let place = try Workplace()
    try await place.lab.change(#"{"par":"required","pushed_needs_response_type":true}"#)
    let outcome = try await place.run(place.browserLogin(), browser: place.browser())
    outcome.expect(0)
  }
}
