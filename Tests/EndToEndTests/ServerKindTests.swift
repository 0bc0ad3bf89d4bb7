import Foundation
import TestSupport
import Testing

@Suite("the five kinds of server, end to end")
struct ServerKindTests {
  @Test("login: tokens are in the keyring, the API knows who it is, status tells", arguments: ServerKind.allCases)
  func login(kind: ServerKind) throws {
    let place = try Workplace()
    try place.makeProfile(kind)
    let outcome = try place.logIn(kind)
    try #require(outcome.status == 0, "\(outcome.error)")
    #expect(outcome.text.isEmpty && outcome.error.contains("logged in to work"))
    #expect(try place.lab.count(kind.login) == 1)
    let pair = try place.pair()
    #expect(pair.string("access_token") != nil && pair.string("refresh_token") != nil)
    // Unknown where neither the response, nor the token, nor the profile says it.
    #expect((pair.string("expires_at") == nil) == [.silent, .flagged].contains(kind))
    #expect((pair.string("refresh_expires_at") != nil) == (kind == .flat))
    let call = try place.run("call", "me")
    #expect(call.status == 0, "\(call.error)")
    #expect(try call.json().string("name") == kind.user)
    let status = try JSONObject.array(place.run("status", "--json").output)[0]
    #expect(status.string("type") == "custom" && status.isNull("issuer"))
    #expect(status.string("state") == (pair.string("expires_at") == nil ? "renewable" : "valid"))
  }

  @Test(
    "a token that has expired by the clock is renewed before the call",
    arguments: [ServerKind.flat, .nested, .enveloped])
  func expiry(kind: ServerKind) throws {
    let place = try Workplace()
    try place.lab.change(#"{"access_lifetime":1}"#)
    // By agreement an hour, which a test can't wait for.
    try place.write(kind.profile(place.lab.origin).replacing("\"1h\"", with: "\"1s\""))
    #expect(try place.logIn(kind).status == 0)
    try place.waitForExpiry()
    try place.lab.change(#"{"access_lifetime":600}"#)
    try place.lab.reset()
    let before = try place.pair()
    let call = try place.run("call", "me")
    #expect(call.status == 0, "\(call.error)")
    let counters = try place.lab.counters()
    #expect(counters["\(kind.name).refresh.ok"] == 1 && counters["\(kind.name).api"] == 1, "\(counters)")
    #expect(try place.pair().string("refresh_token") != before.string("refresh_token"))
  }

  @Test("the API refuses the token: one renewal, one replay with the same body", arguments: ServerKind.allCases)
  func replay(kind: ServerKind) throws {
    let place = try Workplace.loggedIn(kind)
    try place.lab.expireAccessTokens()
    let outcome = try place.run("call", "-d", "a=b&c=ü", "echo")
    try #require(outcome.status == 0, "\(outcome.error)")
    #expect(try outcome.json().string("body") == "a=b&c=ü")
    let counters = try place.lab.counters()
    #expect(counters["\(kind.name).refresh.ok"] == 1 && counters["\(kind.name).refresh"] == 1, "\(counters)")
    #expect(counters["\(kind.name).api"] == 2 && counters["\(kind.name).api.expired"] == 1, "\(counters)")
  }

  @Test("many calls at once whose token is refused cause one renewal", arguments: ServerKind.allCases)
  func parallel(kind: ServerKind) throws {
    let place = try Workplace.loggedIn(kind)
    try place.lab.expireAccessTokens()
    let runs = try (0..<6).map { _ in try place.start(["call", "me"]) }
    for run in runs {
      let outcome = try run.wait()
      #expect(outcome.status == 0, "\(outcome.error)")
    }
    #expect(try place.lab.count("\(kind.name).refresh") == 1)
  }

  @Test("refresh renews now; an answer without a refresh token keeps the old one", arguments: ServerKind.allCases)
  func refresh(kind: ServerKind) throws {
    let place = try Workplace.loggedIn(kind)
    let first = try place.pair()
    #expect(try place.run("refresh", "work").status == 0)
    let second = try place.pair()
    #expect(second.string("access_token") != first.string("access_token"))
    #expect(second.string("refresh_token") != first.string("refresh_token"))
    try place.lab.change(#"{"refresh_token_in_refresh":false}"#)
    #expect(try place.run("refresh", "work").status == 0)
    let third = try place.pair()
    #expect(third.string("access_token") != second.string("access_token"))
    #expect(third.string("refresh_token") == second.string("refresh_token"))
    #expect(try place.run("token").text == (third.string("access_token") ?? "") + "\n")
  }

  @Test(
    "the renewal is refused: status 3, told once to the hook, not asked again, login helps",
    arguments: ServerKind.allCases)
  func refused(kind: ServerKind) throws {
    let place = try Workplace()
    let mark = place.session.directory.appending(path: "mark")
    try place.makeProfile(
      kind, tables: "[on]\nlogin_required = 'echo \"$AUTHCTL_PROFILE $AUTHCTL_ERROR\" >> \(mark.path)'\n")
    #expect(try place.logIn(kind).status == 0)
    try place.lab.revokeAll()
    try place.lab.reset()
    let call = try place.run("call", "me")
    #expect(call.status == 3 && call.text.isEmpty, "\(call.error)")
    #expect(call.error.contains("authctl login work"))
    #expect(try place.run("refresh", "work").status == 3)
    #expect(try place.lab.count("\(kind.name).refresh") == 1)
    let code = [.flagged, .enveloped].contains(kind) ? "REFRESH_TOKEN_EXPIRED" : "401"
    #expect(try String(contentsOf: mark, encoding: .utf8) == "work \(code)\n")
    let status = try JSONObject.array(place.run("status", "--json").output)[0]
    #expect(status.string("last_error") == code)
    #expect(try place.logIn(kind).status == 0)
    #expect(try place.run("call", "me").status == 0)
  }

  @Test("a server that fails for now: status 5, and the pair is the same byte for byte", arguments: ServerKind.allCases)
  func unavailable(kind: ServerKind) throws {
    let place = try Workplace.loggedIn(kind, tables: "[network]\ntimeout = \"2s\"\n")
    let before = try place.stored()
    try place.lab.fail(#"{"endpoint":"\#(kind.name).refresh","kind":"status","status":503}"#)
    #expect(try place.run("refresh", "work").status == 5)
    #expect(try place.stored() == before)
    try place.lab.clearFaults()
    // A server that has just failed is left alone for a moment.
    try Waiting.until("the server to be asked again") { try place.run("refresh", "work").status == 0 }
  }

  @Test(
    "logout ends the session at the server where it can be told, and here in any case", arguments: ServerKind.allCases)
  func logout(kind: ServerKind) throws {
    let place = try Workplace.loggedIn(kind)
    let outcome = try place.run("logout", "work")
    #expect(outcome.status == 0, "\(outcome.error)")
    let told = kind == .flat ? "tokens revoked" : "the tokens stay valid at the server"
    #expect(outcome.error.contains(told), "\(outcome.error)")
    #expect(try place.lab.count("kind1.logout.ok") == (kind == .flat ? 1 : 0))
    #expect(try place.stored() == nil)
    #expect(try place.run("call", "me").status == 3)
  }

  @Test(
    "wrong credentials: status 6 with the server's word, nothing is stored",
    arguments: [ServerKind.flat, .silent, .flagged])
  func wrongPassword(kind: ServerKind) throws {
    let place = try Workplace()
    try place.makeProfile(kind)
    let outcome = try place.run(
      ["login", "work", "--username", "alice", "--password-stdin"], input: .text("wrong-password"))
    #expect(outcome.status == 6, "\(outcome.error)")
    #expect(kind == .silent || outcome.error.contains("The name or the password is wrong."), "\(outcome.error)")
    #expect(!outcome.error.contains("wrong-password"))
    #expect(try place.stored() == nil)
  }
}
