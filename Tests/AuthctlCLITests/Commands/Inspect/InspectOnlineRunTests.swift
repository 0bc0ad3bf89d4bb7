import AuthCore
import Foundation
import TestSupport
import Testing

@Suite("InspectOnlineRun") struct InspectOnlineRunTests {
  /// A session of a client with a secret, which may introspect.
  private func session() async throws -> Workplace {
    let place = try Workplace(lab: ["--jwt-access-tokens"])
    try await place.lab.change(#"{"token_audience":"\#(place.lab.origin)"}"#)
    try place.makeProfile(
      "work", "client_id = \"svc\"\nscope = [\"openid\", \"api\"]\nclient_authentication = \"client_secret_post\"")
    let file = try place.secretFile("svc-secret")
    let outcome = try await place.run(
      ["login", "work", "--password-stdin", "--client-secret-file", file], input: .text(Workplace.password))
    outcome.expect(0)
    try await place.lab.reset()
    return place
  }

  private func report(_ place: Workplace) async throws -> InspectRunTests.Report {
    try InspectRunTests.Report(await place.run("inspect", "--online", "--json"))
  }

  @Test("the responses stand beside the claims")
  func online() async throws {
    let place = try await session()
    let report = try await report(place)
    #expect(report.whole["introspection"]?["active"] == .bool(true))
    #expect(report.whole["introspection"]?["sub"] == .string("alice"))
    #expect(report.whole["userinfo"]?["email"] == .string("alice@authlab.example"))
    #expect(report.findings().isEmpty && report.findings("id").isEmpty)
    let text = try await place.run("inspect", "--online").text
    #expect(text.hasPrefix("work: no problem found\n"), "\(text)")
    let lines = text.split(separator: "\n").drop { $0 != "from the server" }
    #expect(
      lines.dropFirst().first
        == "    CLAIM       ACCESS TOKEN            ID TOKEN                INTROSPECTION           USERINFO", "\(text)"
    )
    #expect(lines.contains { $0.hasPrefix("    active      -   ") && $0.contains("true") })
    #expect(lines.contains { $0.hasPrefix("    email ") && $0.hasSuffix("alice@authlab.example") })
    #expect(try await place.lab.count("introspect.ok") == 2)
    #expect(try await place.lab.count("userinfo.ok") == 2)
  }

  @Test("differences are marked in the table and listed first")
  func differences() async throws {
    let place = try await session()
    try await place.response(at: "introspect", "malformed", ["body": #"{"active":true,"scope":"api write"}"#])
    try await place.response(at: "userinfo", "malformed", ["body": #"{"sub":"mallory"}"#])
    let lines = try await place.run("inspect", "--online").text.split(separator: "\n").map(String.init)
    #expect(
      lines.prefix(3) == [
        "work: 2 problems", "  ! access token: scope is openid api; introspection says api write",
        "  ! ID token: sub is alice; userinfo says mallory",
      ])
    let table = lines.drop { $0 != "from the server" }
    #expect(table.contains { $0.hasPrefix("  ! sub ") && $0.hasSuffix("mallory  differs") }, "\(table)")
    #expect(table.contains { $0.hasPrefix("    active ") && !$0.hasSuffix("differs") }, "\(table)")
  }

  @Test("a token that the server has revoked is a finding")
  func revoked() async throws {
    let place = try await session()
    try await place.lab.revokeAll()
    let report = try await report(place)
    #expect(report.findings() == ["the server reports that the token is not active"])
    #expect(report.whole["userinfo"]?["error"]?.string?.contains("returned 401") == true)
    let lines = try await place.run("inspect", "--online").text.split(separator: "\n").map(String.init)
    let table = try #require(lines.lastIndex { $0.hasSuffix(" INTROSPECTION") })
    let error = try #require(lines.lastIndex { $0.hasPrefix("  userinfo ") })
    #expect(table < error, "an error does not look like the title of the table: \(lines)")
  }

  @Test("a server that does not respond, or refuses, is part of the report, with what helps")
  func failures() async throws {
    let place = try await Workplace.loggedIn()
    let outcome = try await place.run("inspect", "--online")
    outcome.expect(0)
    #expect(
      outcome.text.contains("introspection  \(place.lab.origin)/introspect returned 401, invalid_client: A public"),
      "\(outcome.text)")
    #expect(outcome.text.contains("userinfo       \(place.lab.origin)/userinfo returned 403, insufficient_scope"))
    try await place.lab.change(#"{"openid_discovery":false,"oauth_discovery_omits":["introspection_endpoint"]}"#)
    let text = try await place.run("inspect", "--online").text
    #expect(text.contains("introspection  the server names no introspection endpoint\n"), "\(text)")
    #expect(text.contains("add introspection = \"https://…\" to [endpoints]"), "\(text)")
    place.lab.stop()
    let report = try await report(place)
    #expect(report.whole["introspection"]?["error"]?.string?.contains("refused") == true)
  }

  @Test("a response that quotes the token does not leak it")
  func echo() async throws {
    let place = try await session()
    let token = try #require(try place.pair().string("access_token"))
    try await place.response(at: "introspect", "malformed", ["body": #"{"active":true,"x":"\#(token)"}"#])
    try await place.response(
      at: "userinfo", "malformed",
      ["body": #"{"error":"\#(token.suffix(60))","error_description":"\#(token)"}"#, "status": 400])
    let outcome = try await place.run("inspect", "--online", "--json", "-v")
    #expect(outcome.status == 0 && outcome.text.contains("‹redacted›"), "\(outcome.text)")
    for part in token.split(separator: ".") { #expect(!(outcome.text + outcome.error).contains(part)) }
  }

  @Test("a token that is bound to a key is sent with a proof (RFC 9449, section 7.1)")
  func bound() async throws {
    let place = try Workplace(lab: ["--jwt-access-tokens"])
    try await place.lab.change(#"{"dpop_api_nonce":true}"#)
    try place.makeProfile("work", "dpop = true\nscope = [\"openid\"]")
    try await place.logIn()
    let report = try await report(place)
    #expect(report.whole["userinfo"]?["sub"] == .string("alice"), "\(report.whole)")
    #expect(try await place.lab.count("userinfo.use_dpop_nonce") == 1)
    // The server's JWT does not have it.
    let missing = "cnf.jkt is missing, although the token type is DPoP (RFC 9449, section 6.1)"
    #expect(report.findings().contains(missing), "\(report.findings())")
  }
}
