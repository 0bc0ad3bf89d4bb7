import Foundation
import TestSupport
import Testing

@Suite("a renewal that fails, end to end")
struct RefreshFailureTests {
  @Test(
    "network, server and proxies fail: the status says so, the pair is the same byte for byte, and later all is well",
    arguments: [
      (#""kind":"status","status":503"#, Int32(5)), (#""kind":"drop""#, 5), (#""kind":"hang""#, 5),
      (#""kind":"retry_after","milliseconds":3000"#, 5), (#""kind":"html","status":502"#, 5),
      (#""kind":"truncate""#, 5), (#""kind":"html""#, 6), (#""kind":"malformed""#, 6), (#""kind":"empty""#, 6),
      (#""kind":"always401""#, 6), (#""kind":"redirect","location":"/token""#, 6),
      (#""kind":"status","status":403,"body":"","content_type":"""#, 6),
    ])
  func faults(fault: String, status: Int32) throws {
    let place = try Workplace.loggedIn("", tables: "[network]\ntimeout = \"2s\"\nconnect_timeout = \"1s\"\n")
    let before = try place.stored()
    // Each request is refused before it has taken effect, but for the response that breaks off.
    if fault.contains("truncate") { try place.lab.change(#"{"reuse":"none"}"#) }
    try place.lab.fail("{\"endpoint\":\"token\",\(fault)}")
    let outcome = try place.run("refresh", "work")
    #expect(outcome.status == status, "\(outcome.error)")
    #expect(outcome.text.isEmpty)
    #expect(try place.stored() == before)
    #expect(try place.run("call", "me").status == 0)
    try place.lab.clearFaults()
    // A server that has just failed is left alone for a moment.
    try Waiting.until("the server to be asked again") { try place.run("refresh", "work").status == 0 }
    #expect(try place.stored() != before)
  }

  @Test("a server that can't be reached: status 5 and the same pair")
  func unreachable() throws {
    let place = try Workplace.loggedIn()
    let before = try place.stored()
    place.lab.stop()
    let outcome = try place.run("refresh", "work")
    #expect(outcome.status == 5, "\(outcome.error)")
    #expect(try place.stored() == before)
  }

  @Test("a 500 that passes is asked again within the same renewal")
  func transient() throws {
    let place = try Workplace.loggedIn()
    try place.lab.fail(#"{"endpoint":"token","kind":"status","status":500,"count":1}"#)
    let outcome = try place.run("refresh", "work")
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(try place.lab.count("token.refresh_token") == 2)
  }

  @Test("a token of a type that the profile does not know how to send: status 6, and the session lives on once it does")
  func unusableType() throws {
    let place = try Workplace.loggedIn()
    let before = try place.pair()
    try place.lab.change(#"{"token_type":"JWT"}"#)
    let refused = try place.run("refresh", "work")
    #expect(refused.status == 6, "\(refused.error)")
    #expect(refused.error.contains("of type 'JWT'") && refused.error.contains("the session is kept"))
    let kept = try place.pair()
    #expect(kept.string("access_token") == before.string("access_token"))
    // The server takes a refresh token once: the one that counts now has come with the refused token.
    #expect(kept.string("refresh_token") != before.string("refresh_token"))
    #expect(kept.string("renewal_began") == nil)
    #expect(try place.run("call", "me").status == 0)
    try place.makeProfile("work", "", tables: "[header]\nprefix = \"Bearer\"\n")
    let taken = try place.run("refresh", "work")
    #expect(taken.status == 0, "\(taken.error)")
    #expect(try place.pair().string("token_type") == "JWT")
    #expect(try place.run("call", "me").status == 0)
    #expect(try place.lab.count("reuse_detected") == 0)
  }

  @Test(
    "a dead refresh token: status 3, remembered without asking again, the hook runs once (real-servers.md, 3)",
    arguments: ["invalid-grant", "empty"])
  func invalidGrant(response: String) throws {
    let place = try Workplace()
    let mark = place.session.directory.appending(path: "mark")
    let hook = "[on]\nlogin_required = 'echo \"$AUTHCTL_PROFILE $AUTHCTL_ERROR\" >> \(mark.path)'\n"
    try place.makeProfile("work", "", tables: hook)
    try place.logIn()
    try place.lab.change(#"{"dead_refresh_token":"\#(response)"}"#)
    try place.lab.revokeAll()
    try place.lab.reset()
    let first = try place.run("refresh", "work")
    #expect(first.status == 3, "\(first.error)")
    #expect(first.error.contains("authctl login work"))
    #expect(try place.lab.count("token") == 1)
    for command in [["refresh", "work"], ["call", "me"], ["token", "--min-validity", "20m"]] {
      let again = try place.run(command)
      #expect(again.status == 3 || command[0] == "token", "\(command): \(again.error)")
    }
    #expect(try place.lab.count("token") == 1)
    let code = response == "empty" ? "400" : "invalid_grant"
    #expect(try String(contentsOf: mark, encoding: .utf8) == "work \(code)\n")
    let status = try JSONObject.array(place.run("status", "--json").output)[0]
    #expect(status.string("last_error") == code)
    try place.logIn()
    #expect(try place.run("refresh", "work").status == 0)
  }

  @Test("a token that is still valid is used when its renewal ahead of time fails")
  func validMeanwhile() throws {
    let place = try Workplace.loggedIn("refresh_before = \"599s\"")
    try place.lab.fail(#"{"endpoint":"token","kind":"status","status":400,"body":"{\"error\":\"invalid_request\"}"}"#)
    try Waiting.until("two seconds less") {
      try Date((place.pair().string("expires_at") ?? ""), strategy: .iso8601).timeIntervalSinceNow < 598
    }
    let outcome = try place.run("call", "me")
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(outcome.error.contains("warning"), "\(outcome.error)")
  }

  @Test("a login at another server is not used for this one: status 3, nothing is sent")
  func otherServer() throws {
    let place = try Workplace.loggedIn()
    let other = try Authlab()
    try place.makeProfile("work", "issuer = \"\(other.origin)\"")
    let outcome = try place.run("refresh", "work")
    #expect(outcome.status == 3, "\(outcome.error)")
    #expect(try other.lastRequests().isEmpty)
    #expect(try place.lab.lastRequests().isEmpty)
  }
}
