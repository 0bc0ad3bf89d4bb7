import Crypto
import Foundation
import TestSupport
import Testing

@Suite("what is particular to each kind of server, end to end")
struct ServerKindShapeTests {
  @Test(
    "the first kind: lifetimes as numbers, strings and fractions, or none",
    arguments: [("number", true), ("string", true), ("float", true), ("absent", false)])
  func lifetimes(form: String, isKnown: Bool) throws {
    let place = try Workplace()
    try place.lab.change(#"{"expires_in":"\#(form)"}"#)
    try place.makeProfile(.flat)
    #expect(try place.logIn(.flat).status == 0)
    #expect((try place.pair().string("expires_at") != nil) == isKnown)
    #expect(try place.run("refresh", "work").status == 0)
    #expect((try place.pair().string("expires_at") != nil) == isKnown)
    #expect(try place.run("call", "me").status == 0)
  }

  @Test("the first kind: the token goes in the header that the profile names")
  func header() throws {
    let place = try Workplace.loggedIn(.flat, tables: "[header]\nname = \"X-Auth-Token\"\nprefix = \"\"\n")
    let outcome = try place.run("call", "echo")
    let token = try place.pair().string("access_token")
    #expect(try outcome.json().header("x-auth-token") == token)
    #expect(try outcome.json().header("authorization") == nil)
  }

  @Test("the first kind: a refresh token within its margin counts as expired and is not sent")
  func margin() throws {
    let place = try Workplace.loggedIn(
      .flat, top: "refresh_token_margin = \"2h\"", lab: ["--access-lifetime", "1"])
    try place.waitForExpiry()
    #expect(try JSONObject.array(place.run("status", "--json").output)[0].string("state") == "login_required")
    #expect(try place.run("status", "--require", "1s").status == 3)
    let refresh = try place.run("refresh", "work")
    #expect(refresh.status == 3 && refresh.error.contains("refresh token margin"), "\(refresh.error)")
    #expect(try place.lab.count("kind1.refresh") == 0)
  }

  @Test(
    "the first kind: the tokens are gone from here also where the logout fails at the server",
    arguments: [(503, Int32(5)), (403, 6)])
  func logoutFails(status: Int, exit: Int32) throws {
    let place = try Workplace.loggedIn(.flat)
    try place.lab.fail(#"{"endpoint":"kind1.logout","kind":"status","status":\#(status)}"#)
    let outcome = try place.run("logout", "work")
    #expect(outcome.status == exit, "\(outcome.error)")
    #expect(try place.stored() == nil)
  }

  @Test("the first kind: a new login ends the old session at the server, and a changed server gets no old token")
  func loginAgain() throws {
    let place = try Workplace.loggedIn(.flat)
    #expect(try place.logIn(.flat).status == 0)
    #expect(try place.lab.count("kind1.logout.ok") == 1)
    #expect(try place.run("call", "me").status == 0)
    let other = try Authlab()
    try place.write(ServerKind.flat.profile(other.origin))
    let logout = try place.run("logout", "work")
    #expect(logout.status == 6 && logout.error.contains("nothing was sent"), "\(logout.error)")
    #expect(try place.stored() == nil)
    #expect(try other.lastRequests().isEmpty)
  }

  @Test(
    "the third kind: success is false, whatever the status: the code decides", arguments: [200, 400, 401, 403, 500])
  func flagged(status: Int) throws {
    let place = try Workplace.loggedIn(.flagged)
    try place.lab.change(#"{"refusal_status":\#(status)}"#)
    try place.lab.revokeAll()
    let outcome = try place.run("refresh", "work")
    #expect(outcome.status == 3, "\(outcome.error)")
    #expect(outcome.error.contains("REFRESH_TOKEN_EXPIRED"))
  }

  @Test("the third kind: another code is a refusal: status 6, and the tokens are kept")
  func otherCode() throws {
    let place = try Workplace.loggedIn(.flagged)
    let before = try place.stored()
    let body = #"{\"success\":false,\"errorCode\":\"MAINTENANCE\",\"message\":\"later\"}"#
    try place.lab.fail(#"{"endpoint":"kind3.refresh","kind":"status","status":200,"body":"\#(body)"}"#)
    let outcome = try place.run("refresh", "work")
    #expect(outcome.status == 6 && outcome.error.contains("MAINTENANCE: later"), "\(outcome.error)")
    #expect(try place.stored() == before)
  }

  @Test("the third kind: an API's code means renew and replay, whatever the status", arguments: [401, 400, 403, 200])
  func codeOfTheAPI(status: Int) throws {
    let place = try Workplace.loggedIn(.flagged)
    try place.lab.change(#"{"expired_status":\#(status)}"#)
    try place.lab.expireAccessTokens()
    let data = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let outcome = try place.run(["call", "--data-binary", "@-", "echo"], input: .pipe(data))
    try #require(outcome.status == 0, "\(outcome.error)")
    #expect(try outcome.json().integer("length") == data.count)
    #expect(try place.lab.count("kind3.refresh.ok") == 1)
  }

  @Test("the third kind: answers that are looked at are byte for byte the same", arguments: [1, 65_536, 300_000])
  func untouched(count: Int) throws {
    let place = try Workplace.loggedIn(.flagged)
    let text = "{\"text\":\"" + String(repeating: "x", count: count) + "\"}"
    let fault = #"{"endpoint":"kind3.api","kind":"status","status":418,"body":\#(try encoded(text)),"count":1}"#
    try place.lab.fail(fault)
    let outcome = try place.run("call", "me")
    #expect(outcome.status == 22)
    #expect(outcome.text == text)
  }

  private func encoded(_ text: String) throws -> String {
    String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
  }

  @Test("the third kind: a login by an identity token that was got elsewhere")
  func identity() throws {
    let place = try Workplace(kind: .flagged)
    let outcome = try place.run(
      ["login", "work", "-v", "--flow", "identity", "--field", "id_token=@-"], input: .text("identity-of-alice\n"))
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(!outcome.error.contains("identity-of-alice"))
    #expect(try place.run("call", "me").json().string("name") == "alice")
    #expect(try place.pair().string("flow") == "identity")
  }

  @Test("the fourth kind: who has registered logs in with e-mail and password; a name may have anything in it")
  func register() throws {
    let place = try Workplace(kind: .nested)
    let name = "A\"da}, \\ {refresh_token} & 'é\r\n"
    let registered = try place.run(
      ["login", "work", "--flow", "register", "--field", "name=\(name)", "--field", "email=a@x", "--password-stdin"],
      input: .text("pw-of-ada"))
    #expect(registered.status == 0, "\(registered.error)")
    #expect(try place.run("call", "me").json().string("name") == name)
    #expect(try place.run("logout", "work").status == 0)
    let again = try place.run(
      ["login", "work", "--field", "email=a@x", "--password-stdin"], input: .text("pw-of-ada"))
    #expect(again.status == 0, "\(again.error)")
    #expect(try place.run("call", "me").json().string("name") == name)
  }

  @Test("the fifth kind: an image goes byte for byte, with its name and type, and half a megabyte of text")
  func guest() throws {
    let place = try Workplace(kind: .enveloped)
    let image = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }) + Data("\r\n--".utf8)
    let file = place.session.directory.appending(path: "me \"x\".png")
    try image.write(to: file)
    let name = String(repeating: "n\"&\r\n}é", count: 1 << 16)
    let text = place.session.directory.appending(path: "name")
    try Data((name + "\n").utf8).write(to: text)
    let outcome = try place.run("login", "work", "--field", "name=@\(text.path)", "--field", "image=@\(file.path)")
    try #require(outcome.status == 0, "\(outcome.error)")
    let me = try place.run("call", "me").json()
    #expect(me.string("name") == name)
    let sent = try me.object("image")
    #expect(sent.string("file_name") == "me %22x%22.png" && sent.string("type") == "image/png")
    #expect(sent.integer("length") == image.count)
    #expect(
      sent.string("sha256") == SHA256.hash(data: image).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
  }

  @Test("the fifth kind: an image that is too large is made to fit, and refused where that is not possible")
  func fittedGuest() throws {
    let place = try Workplace()
    func write(_ limits: String) throws {
      try place.write(
        ServerKind.enveloped.profile(place.lab.origin).replacing(
          "\"@{image?}\"", with: "{ file = \"{image?}\", \(limits) }"))
    }
    // Noise of 1500 by 1200 pixels, which no format makes small.
    let file = place.session.directory.appending(path: "me.ppm")
    let noise = (0..<1500 * 1200 * 3).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
    try (Data("P6\n1500 1200\n255\n".utf8) + noise).write(to: file)
    let arguments = ["login", "work", "--field", "name=Ada", "--field", "image=@\(file.path)"]
    try write("fit = \"1024x1024\", max_bytes = \"1KB\"")
    let refused = try place.run(arguments)
    #expect(refused.status == 2, "\(refused.error)")
    #expect(try place.lab.lastRequests().isEmpty)
    try write("fit = \"1024x1024\", max_bytes = \"5MB\"")
    let outcome = try place.run(arguments)
    try #require(outcome.status == 0, "\(outcome.error)")
    let sent = try place.run("call", "me").json().object("image")
    #expect(sent.string("file_name") == "me.jpg" && sent.string("type") == "image/jpeg")
    #expect((1000...5_000_000).contains(sent.integer("length") ?? 0))
  }

  @Test("the requests themselves carry no token, and no other origin gets one")
  func anonymous() throws {
    let place = try Workplace.loggedIn(.enveloped)
    #expect(try place.run("refresh", "work").status == 0)
    let request = try #require(try place.lab.lastRequests().first { $0.endpoint == "kind5.refresh" })
    #expect(request.header("authorization") == nil)
    let other = try Authlab()
    let outcome = try place.run("call", "--profile", "work", other.origin + "/kind5/api/me")
    #expect(outcome.status == 7, "\(outcome.error)")
    // The profile has moved: the refresh token stays where it came from.
    try place.write(ServerKind.enveloped.profile(other.origin))
    #expect(try place.run("refresh", "work").status == 3)
    #expect(try other.lastRequests().isEmpty)
  }
}
