import AuthCore
import Foundation
import TestSupport
import Testing

@Suite("InspectRun") struct InspectRunTests {
  /// The report as JSON, with the tokens by their kind.
  struct Report {
    let whole: JSONValue
    let tokens: [String: JSONValue]

    init(_ outcome: Outcome) throws {
      outcome.expect(0)
      whole = try JSONValue(parsing: outcome.output)
      guard case .array(let list)? = whole["tokens"] else { throw SessionError("no tokens: \(outcome.text)") }
      tokens = Dictionary(list.map { ($0["kind"]?.string ?? "", $0) }) { $1 }
    }

    func findings(_ kind: String = "access") -> [String] {
      guard case .array(let list)? = tokens[kind]?["findings"] else { return [] }
      return list.compactMap { finding in finding["message"]?.string }
    }

    func signature(_ kind: String = "access") -> String? {
      let signature = tokens[kind]?["signature"]
      return signature?["state"]?.string.map { $0 + (signature?["reason"]?.string.map { ": \($0)" } ?? "") }
    }
  }

  private func report(_ place: Workplace, _ arguments: String...) async throws -> Report {
    try Report(await place.run(["inspect", "--json"] + arguments))
  }

  /// A session whose access token is a JWT for the profile's API.
  private func jwtSession(_ more: String = "") async throws -> Workplace {
    let place = try Workplace(lab: ["--jwt-access-tokens"])
    try await place.lab.change(#"{"token_audience":"\#(place.lab.origin)"}"#)
    try place.makeProfile("work", more)
    try await place.logIn()
    try await place.lab.reset()
    return place
  }

  private func access(_ place: Workplace) throws -> String { try #require(try place.pair().string("access_token")) }

  @Test("an opaque token is described, and no request is sent")
  func opaque() async throws {
    let place = try await Workplace.loggedIn()
    let text = try await place.run("inspect").text
    let token = Secret(try access(place))
    let refresh = Secret(try #require(try place.pair().string("refresh_token")))
    #expect(
      text == """
        work: no problem found

        access token: opaque, \(token.exposed.count) characters, \(token.fingerprint)
          signature      not checked: an opaque token has no signature
          expiry         expires in 10m, 2026-01-02 03:14:05 +00:00
          only the server can read it: use --online

        refresh token: opaque, \(refresh.exposed.count) characters, \(refresh.fingerprint)
          signature      not checked: only the authorization server checks it
          expiry         unknown

        """)
    let report = try await report(place, "work")
    #expect(report.whole["profile"] == .string("work"))
    #expect(report.whole.isNull("introspection") && report.whole.isNull("userinfo"))
    let json = try #require(report.tokens["access"])
    #expect(json["format"] == .string("opaque") && json.isNull("header") && json.isNull("claims"))
    #expect(json["expires_in"] == .integer(600))
    #expect(try #require(report.tokens["refresh"]).isNull("expires_in"))
    #expect(try await place.lab.lastRequests().isEmpty)
  }

  @Test("a JWT is decoded, its times are local and relative, its signature is checked with the server's keys")
  func jwt() async throws {
    let place = try await jwtSession()
    let outcome = try await place.run("inspect")
    #expect(outcome.text.hasPrefix("work: no problem found\n"), "\(outcome.text)")
    #expect(outcome.text.contains("\n  signature      valid (ES256, key "))
    #expect(outcome.text.contains("\n      iss        \(place.lab.origin)\n"), "\(outcome.text)")
    #expect(outcome.text.contains("\n      exp        1767323645  2026-01-02 03:14:05 +00:00, in 10m\n"))
    #expect(try await place.lab.count("jwks.ok") == 1)
    let parts = try access(place).split(separator: ".")
    for part in parts { #expect(!(outcome.text + outcome.error).contains(part)) }
    let report = try await report(place)
    #expect(report.signature() == "valid")
    #expect(report.tokens["access"]?["header"]?["alg"] == .string("ES256"))
    #expect(report.tokens["access"]?["claims"]?["sub"] == .string("alice"))
    #expect(report.findings().isEmpty)
  }

  @Test("--offline sends nothing; the signature is then not checked")
  func offline() async throws {
    let place = try await jwtSession()
    #expect(try await report(place, "--offline").signature() == "not_checked: --offline was given")
    #expect(try await place.lab.lastRequests().isEmpty)
  }

  @Test("what is wrong is named in the first lines, with the claim marked below")
  func findings() async throws {
    let place = try Workplace(lab: ["--jwt-access-tokens"])
    try await place.lab.change(#"{"token_audience":"api://a","granted_scope":"read"}"#)
    try place.makeProfile()
    try await place.logIn()
    try place.waitForExpiry()
    let lines = try await place.run("inspect").text.split(separator: "\n")
    #expect(
      lines.prefix(4) == [
        "work: 3 problems", "  ! access token: the token has expired 1s ago",
        "  ! access token: aud is api://a; this profile calls \(place.lab.origin)/api",
        "  ! access token: scope lacks api, which this profile requests",
      ])
    #expect(lines.contains { $0.hasPrefix("    ! aud ") } && lines.contains { $0.hasPrefix("      sub ") }, "\(lines)")
    let report = try await report(place)
    #expect(report.findings().count == 3)
    #expect(report.tokens["access"]?["expires_in"] == .integer(-1))
    #expect(try await place.run("inspect", "--color", "always").text.contains("\u{1B}[33m  ! access token: aud"))
    #expect(!lines.joined().contains("\u{1B}"))
  }

  @Test(
    "the audience and the resource that the profile requests are expected (RFC 8707)",
    arguments: [("audience = \"api://a\"", "api://a"), ("resource = [\"https://a.example\"]", "https://a.example")])
  func audience(key: String, requested: String) async throws {
    let place = try Workplace(lab: ["--jwt-access-tokens"])
    try await place.lab.change(#"{"token_audience":"api://b"}"#)
    try place.makeProfile()
    try await place.logIn()
    try place.makeProfile("work", key)
    #expect(
      try await report(place).findings() == ["aud is api://b; this profile requests it for \(requested)"])
  }

  @Test("the JSON object has the documented members, and no others")
  func members() async throws {
    let place = try await jwtSession()
    let whole = try JSONObject(await place.run("inspect", "--json").output)
    #expect(whole.keys == ["introspection", "profile", "tokens", "userinfo"])
    let tokens = try whole.objects("tokens")
    #expect(tokens.map { $0.string("kind") } == ["access", "refresh"])
    for token in tokens {
      #expect(
        token.keys == ["claims", "expires_in", "findings", "format", "header", "kind", "signature"])
      #expect(try token.object("signature").keys == ["reason", "state"])
    }
    try place.makeProfile("work", #"scope = ["api", "more"]"#)
    let changed = try JSONObject(await place.run("inspect", "--json").output).objects("tokens")
    let finding = try #require(changed.first?.objects("findings").first)
    #expect(finding.keys == ["claim", "message"] && finding.string("claim") == "scope")
  }

  @Test("a signature that no key of the server verifies is a finding, and so is a clock that differs")
  func signature() async throws {
    let place = try await jwtSession()
    #expect(try await place.lab.send("POST", "/control/rotate-keys").status == 200)
    let reason = "it is signed (ES256) with a key that is not among the server's (\(place.lab.origin)/jwks)"
    let report = try await report(place)
    #expect(report.signature() == "invalid: \(reason)")
    #expect(report.findings() == ["invalid signature: \(reason)"])
    try await place.lab.fail(#"{"endpoint":"jwks","kind":"status","status":503,"count":9}"#)
    #expect(
      try await self.report(place).signature()
        == "not_checked: fetching the server's keys from \(place.lab.origin)/jwks: it returned 503")
  }

  @Test("times follow the server's clock, and the local clock's error is named")
  func clock() async throws {
    let place = try await jwtSession()
    place.clocks.set(-7200)
    let report = try await report(place)
    #expect(
      report.findings() == ["the local clock is 2h behind the server's: expiry is calculated by the server's"])
    #expect(report.tokens["access"]?["expires_in"] == .integer(600))
    #expect(try await place.run("inspect").text.contains(", in 10m\n"))
  }

  @Test("of the ID token the claims are stored and compared, also after a refresh without one")
  func idToken() async throws {
    let place = try Workplace()
    #expect(try await place.run(place.browserLogin(), browser: place.browser()).status == 0)
    try await place.lab.change(#"{"id_token_in_refresh":false}"#)
    #expect(try await place.run("refresh", "work").status == 0)
    #expect(try #require(try place.stored()).contains("eyJ") == false)
    let report = try await report(place)
    let token = try #require(report.tokens["id"])
    #expect(token["format"] == .string("jwt") && token.isNull("header"))
    #expect(token["claims"]?["sub"] == .string("alice") && token["claims"]?["aud"] == .string("cli"))
    #expect(report.signature("id") == "not_checked: checked at login")
    #expect(report.findings("id").isEmpty)
    let other = try #require(try place.stored()).replacing(#""subject":"alice""#, with: #""subject":"bob""#)
    place.secrets.put(Secret(other), as: SecretItem(profile: "work", kind: .tokens))
    #expect(try await self.report(place).findings("id") == ["sub is alice; this session's user is bob"])
  }

  @Test("a refresh token that the server has refused is a finding")
  func refusedRefreshToken() async throws {
    let place = try await Workplace.loggedIn()
    try await place.lab.fail(
      #"{"endpoint":"token","kind":"status","status":400,"count":1,"body":"{\"error\":\"invalid_grant\"}"}"#)
    #expect(try await place.run("refresh", "work").status == 3)
    let report = try await report(place)
    #expect(report.findings("refresh") == ["the server has refused it (invalid_grant): a new login is necessary"])
  }

  @Test("not logged in: 3; the keyring can't be read: 4; a password is no token: 2")
  func status() async throws {
    let place = try Workplace()
    try place.makeProfile()
    let outcome = try await place.run("inspect", "--errors", "json")
    #expect(outcome.status == 3 && outcome.output.isEmpty)
    #expect(try outcome.errorJSON().string("code") == "login_required")
    try place.write("type = \"basic\"\nusername = \"a\"\napi = [\"\(place.lab.origin)\"]\n", as: "basic")
    let basic = try await place.run("inspect", "basic")
    basic.expect(2, error: "authctl status basic")
    let locked = try Workplace(.failing(.locked))
    try locked.makeProfile()
    #expect(try await locked.run("inspect").status == 4)
  }

  @Test("--explain explains each registered name that occurs, in text and in JSON")
  func explain() async throws {
    let place = try await jwtSession()
    let text = try await place.run("inspect", "--explain").text
    #expect(text.contains("\n          the audience: who may accept the token; others must refuse it"), "\(text)")
    #expect(text.contains("\n          the algorithm of the signature"), "\(text)")
    let explanations = try #require(try await report(place, "--explain").whole["explanations"])
    #expect(explanations["aud"]?.string?.hasPrefix("the audience") == true)
    #expect(explanations["alg"] != nil && explanations["nonce"] == nil)
    #expect(try await report(place).whole["explanations"] == nil)
  }

  @Test(
    "options that contradict each other are refused before anything is read",
    arguments: [
      (["--online", "--offline"], "--online is given, too"),
      (["--issuer", "https://id.example"], "it is for a token from standard input"),
      (["-", "--issuer", "https://id.example", "--online"], "--online is given, too"),
      (["-", "--issuer", "https://id.example", "--offline"], "--offline is given, too"),
      (["-", "--issuer", "https://id.example", "-p", "work"], "--profile is given, too"),
      (["-", "--issuer", "http://id.example"], "plain http"), (["-", "--issuer", "id"], "not a usable URL"),
    ])
  func contradictions(arguments: [String], message: String) async throws {
    let place = try Workplace()
    let outcome = try await place.run(["inspect"] + arguments, input: .text("token"))
    #expect(outcome.status == 2 && outcome.error.contains(message), "\(outcome.error)")
    #expect(outcome.output.isEmpty && place.network.sent == 0)
  }
}

extension JSONValue {
  /// Whether a member is there and null.
  func isNull(_ name: String) -> Bool {
    if case .object(let members) = self { members[name] == .null } else { false }
  }
}
