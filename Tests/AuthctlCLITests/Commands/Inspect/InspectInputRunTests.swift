import AuthCore
import Foundation
import TestSupport
import Testing

@Suite("InspectInputRun") struct InspectInputRunTests {
  /// A workplace whose server issues JWTs, with such a token.
  private func issued() async throws -> (place: Workplace, token: String) {
    let place = try await Workplace.loggedIn("", lab: ["--jwt-access-tokens"])
    return (place, try #require(try place.pair().string("access_token")))
  }

  private func report(_ place: Workplace, _ input: String, _ arguments: String...) async throws
    -> InspectRunTests.Report
  {
    try InspectRunTests.Report(await place.run(["inspect", "-", "--json"] + arguments, input: .text(input)))
  }

  @Test(
    "a token is read alone or from a header line",
    arguments: ["", "Bearer ", "Authorization: Bearer ", "authorization: dpop ", "\n  "])
  func forms(before: String) async throws {
    let (place, token) = try await issued()
    let report = try await report(place, before + token + "\n")
    #expect(report.signature() == "valid")
    #expect(report.whole["profile"] == .string("work"))
    #expect(report.findings() == ["aud is cli; this profile calls \(place.lab.origin)/api"])
  }

  @Test(
    "anything else on standard input is an error, which does not quote it",
    arguments: [
      ("", "standard input is empty"), (" \n", "standard input is empty"),
      ("s3cr3t s3cr3t", "standard input holds more than a token"),
      (#"{"access_token":"s3cr3t"}"#, "standard input does not hold a token"),
      ("s3cr3t\u{1}", "standard input does not hold a token"),
    ])
  func noToken(input: String, why: String) async throws {
    let place = try Workplace()
    let outcome = try await place.run(["inspect", "-"], input: .text(input))
    outcome.expect(2, error: "inspect -: \(why)")
    #expect(outcome.error.contains("jq -r .access_token") && !outcome.error.contains("s3cr3t"))
    #expect(outcome.output.isEmpty)
  }

  @Test("keys are requested from the profile of the token's issuer only, or from --issuer")
  func keys() async throws {
    let (place, token) = try await issued()
    let other = try place.otherLab()
    try place.write("issuer = \"\(other.origin)\"\nclient_id = \"cli\"\napi = [\"\(other.origin)\"]\n")
    try await place.lab.reset()
    let sent = place.network.sent
    let report = try await report(place, token)
    #expect(
      report.signature() == "not_checked: no profile has the issuer \(place.lab.origin); to check it: --issuer URL")
    #expect(report.whole.isNull("profile") && report.findings().isEmpty)
    #expect(place.network.sent == sent, "the token's own word for its server proves nothing")
    #expect(try await self.report(place, token, "--issuer", place.lab.origin).signature() == "valid")
    #expect(try await self.report(place, "opaque").signature() == "not_checked: an opaque token has no signature")
  }

  @Test("--offline sends no request, even if a profile has the token's issuer")
  func offline() async throws {
    let (place, token) = try await issued()
    let sent = place.network.sent
    let report = try await report(place, token, "--offline")
    #expect(report.signature() == "not_checked: --offline was given")
    #expect(report.whole["profile"] == .string("work"))
    #expect(place.network.sent == sent)
  }

  @Test("the key or certificate to which a token is bound is compared with the profile's (RFC 9449, RFC 8705)")
  func binding() async throws {
    let place = try Workplace()
    func findings(_ confirmation: String) async throws -> [String] {
      let claims = Data(#"{"cnf":{\#(confirmation)}}"#.utf8).base64EncodedString().replacing("=", with: "")
      let report = try await report(place, "eyJhbGciOiJub25lIn0.\(claims).c2ln", "-p", "work", "--offline")
      return report.findings().filter { $0.hasPrefix("cnf") }
    }
    try place.makeProfile()
    #expect(
      try await findings(#""jkt":"K""#) == [
        "cnf binds the token to a DPoP key (RFC 9449); this profile sends no proof of it"
      ])
    #expect(
      try await findings(#""x5t#S256":"T""#) == [
        "cnf binds the token to a client certificate (RFC 8705); this profile has none"
      ])
    let file = try place.secretFile("-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n", "robot.pem")
    try place.makeProfile("work", "dpop = true", tables: "[network]\nclient_certificate = \"\(file)\"\n")
    #expect(try await findings(#""jkt":"K""#).isEmpty)
    // SHA-256 of "abc" (FIPS 180-4).
    let thumbprint = "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0"
    #expect(try await findings(##""x5t#S256":"\##(thumbprint)""##).isEmpty)
    #expect(
      try await findings(#""x5t#S256":"T""#) == ["cnf.x5t#S256 is T; this profile's certificate is \(thumbprint)"])
  }

  @Test("times follow the clock of the server that was asked, and the local clock's error is named")
  func clock() async throws {
    let place = try Workplace()
    let server = try LabServer(["--access-lifetime", "600", "--jwt-access-tokens"]) { [clocks = place.clocks] in
      clocks.reading.time + 7200
    }
    place.network.add(server)
    try place.makeProfile("work", "issuer = \"\(server.origin)\"\napi = [\"https://api.example\"]")
    try await place.logIn()
    let token = try #require(try place.pair().string("access_token"))
    let asked = try await report(place, token)
    #expect(asked.tokens["access"]?["expires_in"] == .integer(600))
    #expect(
      asked.findings() == [
        "the local clock is 2h behind the server's: expiry is calculated by the server's",
        "aud is cli; this profile calls https://api.example",
      ])
    let text = try await place.run(["inspect", "-"], input: .text(token)).text
    #expect(text.contains("\n  expiry         expires in 10m, 2026-01-02 05:14:05 +00:00\n"), "\(text)")
    let offline = try await report(place, token, "--offline")
    #expect(offline.tokens["access"]?["expires_in"] == .integer(7800))
  }

  @Test("a named profile is compared, whatever the token's issuer")
  func named() async throws {
    let (place, token) = try await issued()
    let other = try place.otherLab()
    try place.write(
      "issuer = \"\(other.origin)\"\nclient_id = \"cli2\"\napi = [\"\(other.origin)\"]\n", as: "other")
    let report = try await report(place, token, "-p", "other")
    #expect(report.whole["profile"] == .string("other"))
    #expect(report.signature()?.hasPrefix("invalid: it is signed (ES256) with a key") == true)
    #expect(
      report.findings().dropFirst() == [
        "iss is \(place.lab.origin); this profile's issuer is \(other.origin)",
        "client_id is cli; this profile's client is cli2",
      ])
    let online = try await self.report(place, token, "-p", "other", "--online")
    #expect(
      online.whole["introspection"]?["error"]
        == .string("the token was not sent, because it is from \(place.lab.origin)"))
    #expect(try await other.count("introspect") == 0)
    #expect(try await other.count("userinfo") == 0)
  }

  @Test("--online with several profiles of the issuer needs -p, unless only one has the token's client")
  func onlineSeveral() async throws {
    let place = try await Workplace.loggedIn(lab: ["--jwt-access-tokens"])
    let token = try #require(try place.pair().string("access_token"))
    func inspect(_ words: String...) async throws -> Outcome {
      try await place.run(["inspect", "-", "--online"] + words, input: .text(token))
    }
    #expect(try await inspect().status == 0)
    try place.makeProfile("other", "client_id = \"other\"")
    #expect(try await inspect().status == 0, "the client decides")
    try place.makeProfile("same")
    let before = try await place.lab.count("introspect")
    let outcome = try await inspect()
    #expect(outcome.status == 2)
    #expect(outcome.error.contains("more than one profile matches: other, same, work"), "\(outcome.error)")
    #expect(outcome.error.contains("--profile NAME"))
    #expect(try await place.lab.count("introspect") == before)
    #expect(try await inspect("-p", "same").text.contains("same"))
  }

  @Test("of several profiles of the issuer, the one with the token's client is compared; else none is")
  func several() async throws {
    let (place, token) = try await issued()
    try place.makeProfile("second", "client_id = \"other\"")
    #expect(try await report(place, token).whole["profile"] == .string("work"))
    try place.makeProfile("third")
    let report = try await report(place, token)
    #expect(report.whole.isNull("profile") && report.signature() == "valid")
  }

  @Test("of a refresh token that is a JWT, only the form and the expiry are shown")
  func refreshToken() async throws {
    let (place, token) = try await issued()
    let claims = #"{"typ":"Refresh","exp":1767323105,"aud":"x"}"#
    let payload = Data(claims.utf8).base64EncodedString().replacing("=", with: "")
    let parts = token.split(separator: ".")
    let report = try await report(place, "\(parts[0]).\(payload).\(parts[2])", "--offline")
    let shown = try #require(report.tokens["refresh"])
    #expect(shown["format"] == .string("jwt") && shown["expires_in"] == .integer(60))
    #expect(shown.isNull("header") && shown.isNull("claims"))
    #expect(report.findings("refresh").isEmpty)
  }

  @Test("--online needs a profile: without one the token is sent to no server")
  func onlineWithoutProfile() async throws {
    let place = try Workplace()
    let outcome = try await place.run(["inspect", "-", "--online"], input: .text("opaque"))
    outcome.expect(2, error: "add --profile NAME")
    #expect(place.network.sent == 0)
  }
}
