import Foundation
import TestSupport
import Testing

@Suite("ServerKindRun") struct ServerKindRunTests {
  @Test(
    "a token that has expired by the clock is refreshed before the call",
    arguments: [ServerKind.flat, .nested, .enveloped])
  func expiry(kind: ServerKind) async throws {
    let place = try Workplace()
    try await place.lab.change(#"{"access_lifetime":1}"#)
    // By agreement an hour, which a test can't wait for.
    try place.write(kind.profile(place.lab.origin).replacing("\"1h\"", with: "\"1s\""))
    #expect(try await place.logIn(kind).status == 0)
    try place.waitForExpiry()
    try await place.lab.change(#"{"access_lifetime":600}"#)
    try await place.lab.reset()
    let before = try place.pair()
    let call = try await place.run("call", "me")
    call.expect(0)
    let counters = try await place.lab.counters()
    #expect(counters["\(kind.name).refresh.ok"] == 1 && counters["\(kind.name).api"] == 1, "\(counters)")
    #expect(try place.pair().string("refresh_token") != before.string("refresh_token"))
  }

  @Test("refresh refreshes now; a response without a refresh token keeps the old one", arguments: ServerKind.allCases)
  func refresh(kind: ServerKind) async throws {
    let place = try await Workplace.loggedIn(kind)
    let first = try place.pair()
    #expect(try await place.run("refresh", "work").status == 0)
    let second = try place.pair()
    #expect(second.string("access_token") != first.string("access_token"))
    #expect(second.string("refresh_token") != first.string("refresh_token"))
    try await place.lab.change(#"{"refresh_token_in_refresh":false}"#)
    #expect(try await place.run("refresh", "work").status == 0)
    let third = try place.pair()
    #expect(third.string("access_token") != second.string("access_token"))
    #expect(third.string("refresh_token") == second.string("refresh_token"))
    #expect(try await place.run("token").text == (third.string("access_token") ?? "") + "\n")
  }

  @Test("a server that fails for now: status 5, and the pair is the same byte for byte", arguments: ServerKind.allCases)
  func unavailable(kind: ServerKind) async throws {
    let place = try await Workplace.loggedIn(kind, tables: "[network]\ntimeout = \"2s\"\n")
    let before = try place.stored()
    try await place.lab.fail(#"{"endpoint":"\#(kind.name).refresh","kind":"status","status":503}"#)
    #expect(try await place.run("refresh", "work").status == 5)
    #expect(try place.stored() == before)
    try await place.lab.clearFaults()
    // A server that has just failed is left alone for a moment.
    try await place.wait(for: "the server to be asked again") {
      try await place.run("refresh", "work").status == 0
    }
  }

  @Test(
    "logout ends the session at the server if the profile has a request for it, and removes the tokens in any case",
    arguments: ServerKind.allCases)
  func logout(kind: ServerKind) async throws {
    let place = try await Workplace.loggedIn(kind)
    let outcome = try await place.run("logout", "work")
    outcome.expect(0)
    let told = kind == .flat ? "tokens revoked" : "the tokens stay valid at the server"
    #expect(outcome.error.contains(told), "\(outcome.error)")
    #expect(try await place.lab.count("kind1.logout.ok") == (kind == .flat ? 1 : 0))
    #expect(try place.stored() == nil)
    #expect(try await place.run("call", "me").status == 3)
  }

  @Test(
    "wrong credentials: status 6 with the server's word, nothing is stored",
    arguments: [ServerKind.flat, .silent, .flagged])
  func wrongPassword(kind: ServerKind) async throws {
    let place = try Workplace()
    try place.makeProfile(kind)
    let outcome = try await place.run(
      ["login", "work", "--username", "alice", "--password-stdin"], input: .text("wrong-password"))
    outcome.expect(6)
    #expect(kind == .silent || outcome.error.contains("The name or the password is wrong."), "\(outcome.error)")
    #expect(!outcome.error.contains("wrong-password"))
    #expect(try place.stored() == nil)
  }

  @Test(
    "the refresh is refused: status 3, reported once to the hook, not requested again, login helps",
    arguments: ServerKind.allCases)
  func refused(kind: ServerKind) async throws {
    let place = try Workplace()
    try place.makeProfile(kind, tables: "[on]\nlogin_required = 'tell'\n")
    #expect(try await place.logIn(kind).status == 0)
    try await place.lab.revokeAll()
    try await place.lab.reset()
    let call = try await place.run("call", "me")
    #expect(call.status == 3 && call.text.isEmpty, "\(call.error)")
    #expect(call.error.contains("authctl login work"))
    #expect(try await place.run("refresh", "work").status == 3)
    #expect(try await place.lab.count("\(kind.name).refresh") == 1)
    let code = [.flagged, .enveloped].contains(kind) ? "REFRESH_TOKEN_EXPIRED" : "401"
    #expect(place.hooks.runs.map(\.command) == ["tell"])
    #expect(place.hooks.runs.map { $0.variables["AUTHCTL_PROFILE"] } == ["work"])
    #expect(place.hooks.runs.map { $0.variables["AUTHCTL_ERROR"] } == [code])
    let status = try await JSONObject.array(place.run("status", "--json").output)[0]
    #expect(status.string("last_error") == code)
    #expect(try await place.logIn(kind).status == 0)
    #expect(try await place.run("call", "me").status == 0)
  }
}
