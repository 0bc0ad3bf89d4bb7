import Foundation
import TestSupport
import Testing

@Suite("ServerKindShapeRun") struct ServerKindShapeRunTests {
  @Test(
    "the first kind: lifetimes as numbers, strings and fractions, or none",
    arguments: [("number", true), ("string", true), ("float", true), ("absent", false)])
  func lifetimes(form: String, isKnown: Bool) async throws {
    let place = try Workplace()
    try await place.lab.change(#"{"expires_in":"\#(form)"}"#)
    try place.makeProfile(.flat)
    #expect(try await place.logIn(.flat).status == 0)
    #expect((try place.pair().string("expires_at") != nil) == isKnown)
    #expect(try await place.run("refresh", "work").status == 0)
    #expect((try place.pair().string("expires_at") != nil) == isKnown)
    #expect(try await place.run("call", "me").status == 0)
  }

  @Test("the first kind: the token goes in the header that the profile names")
  func header() async throws {
    let place = try await Workplace.loggedIn(.flat, tables: "[header]\nname = \"X-Auth-Token\"\nprefix = \"\"\n")
    let outcome = try await place.run("call", "echo")
    let token = try place.pair().string("access_token")
    #expect(try outcome.json().header("x-auth-token") == token)
    #expect(try outcome.json().header("authorization") == nil)
  }

  @Test("the first kind: a refresh token within its margin counts as expired and is not sent")
  func margin() async throws {
    let place = try await Workplace.loggedIn(
      .flat, top: "refresh_token_margin = \"2h\"", lab: ["--access-lifetime", "1"])
    try place.waitForExpiry()
    #expect(try await JSONObject.array(place.run("status", "--json").output)[0].string("state") == "login_required")
    #expect(try await place.run("status", "--require", "1s").status == 3)
    let refresh = try await place.run("refresh", "work")
    refresh.expect(3, error: "refresh token margin")
    #expect(try await place.lab.count("kind1.refresh") == 0)
  }

  @Test(
    "the first kind: the stored tokens are removed also if the logout fails at the server",
    arguments: [(503, Int32(5)), (403, 6)])
  func logoutFails(status: Int, exit: Int32) async throws {
    let place = try await Workplace.loggedIn(.flat)
    try await place.lab.fail(#"{"endpoint":"kind1.logout","kind":"status","status":\#(status)}"#)
    let outcome = try await place.run("logout", "work")
    #expect(outcome.status == exit, "\(outcome.error)")
    #expect(try place.stored() == nil)
  }

  @Test("the first kind: a new login ends the old session at the server, and a changed server gets no old token")
  func loginAgain() async throws {
    let place = try await Workplace.loggedIn(.flat)
    #expect(try await place.logIn(.flat).status == 0)
    #expect(try await place.lab.count("kind1.logout.ok") == 1)
    #expect(try await place.run("call", "me").status == 0)
    let other = try place.otherLab()
    try place.write(ServerKind.flat.profile(other.origin))
    let logout = try await place.run("logout", "work")
    logout.expect(6, error: "nothing was sent")
    #expect(try place.stored() == nil)
    #expect(try await other.lastRequests().isEmpty)
  }

  @Test(
    "the third kind: success is false, whatever the status: the code decides", arguments: [200, 400, 401, 403, 500])
  func flagged(status: Int) async throws {
    let place = try await Workplace.loggedIn(.flagged)
    try await place.lab.change(#"{"refusal_status":\#(status)}"#)
    try await place.lab.revokeAll()
    let outcome = try await place.run("refresh", "work")
    outcome.expect(3, error: "REFRESH_TOKEN_EXPIRED")
  }

  @Test("the third kind: another code is a refusal: status 6, and the tokens are kept")
  func otherCode() async throws {
    let place = try await Workplace.loggedIn(.flagged)
    let before = try place.stored()
    let body = #"{\"success\":false,\"errorCode\":\"MAINTENANCE\",\"message\":\"later\"}"#
    try await place.lab.fail(#"{"endpoint":"kind3.refresh","kind":"status","status":200,"body":"\#(body)"}"#)
    let outcome = try await place.run("refresh", "work")
    outcome.expect(6, error: "MAINTENANCE: later")
    #expect(try place.stored() == before)
  }

  @Test("the third kind: an API's code means refresh and replay, whatever the status", arguments: [401, 400, 403, 200])
  func codeOfTheAPI(status: Int) async throws {
    let place = try await Workplace.loggedIn(.flagged)
    try await place.lab.change(#"{"expired_status":\#(status)}"#)
    try await place.lab.expireAccessTokens()
    let data = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let outcome = try await place.run(["call", "--data-binary", "@-", "echo"], input: .pipe(data))
    try #require(outcome.status == 0, "\(outcome.error)")
    #expect(try outcome.json().integer("length") == data.count)
    #expect(try await place.lab.count("kind3.refresh.ok") == 1)
  }

  @Test("the third kind: a login by an identity token that was got elsewhere")
  func identity() async throws {
    let place = try Workplace(kind: .flagged)
    let outcome = try await place.run(
      ["login", "work", "-v", "--flow", "identity", "--field", "id_token=@-"], input: .text("identity-of-alice\n"))
    outcome.expect(0)
    #expect(!outcome.error.contains("identity-of-alice"))
    #expect(try await place.run("call", "me").json().string("name") == "alice")
    #expect(try place.pair().string("flow") == "identity")
  }

  @Test("the fourth kind: a registered user logs in with e-mail and password; a name may have any characters")
  func register() async throws {
    let place = try Workplace(kind: .nested)
    let name = "A\"da}, \\ {refresh_token} & 'é\r\n"
    let registered = try await place.run(
      ["login", "work", "--flow", "register", "--field", "name=\(name)", "--field", "email=a@x", "--password-stdin"],
      input: .text("pw-of-ada"))
    registered.expect(0)
    #expect(try await place.run("call", "me").json().string("name") == name)
    #expect(try await place.run("logout", "work").status == 0)
    let again = try await place.run(
      ["login", "work", "--field", "email=a@x", "--password-stdin"], input: .text("pw-of-ada"))
    again.expect(0)
    #expect(try await place.run("call", "me").json().string("name") == name)
  }

  @Test("the requests themselves carry no token, and no other origin gets one")
  func anonymous() async throws {
    let place = try await Workplace.loggedIn(.enveloped)
    #expect(try await place.run("refresh", "work").status == 0)
    let request = try #require(try await place.lab.lastRequests().first { $0.endpoint == "kind5.refresh" })
    #expect(request.header("authorization") == nil)
    let other = try place.otherLab()
    let outcome = try await place.run("call", "--profile", "work", other.origin + "/kind5/api/me")
    outcome.expect(7)
    // The profile has moved: the refresh token stays where it came from.
    try place.write(ServerKind.enveloped.profile(other.origin))
    #expect(try await place.run("refresh", "work").status == 3)
    #expect(try await other.lastRequests().isEmpty)
  }
}
