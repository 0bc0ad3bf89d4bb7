import Foundation
import TestSupport
import Testing

@Suite("RefreshFailureRun") struct RefreshFailureRunTests {
  @Test(
    "network, server and proxies fail: the status says so, the pair is the same byte for byte, and later all is well",
    arguments: [
      (#""kind":"status","status":503"#, Int32(5)), (#""kind":"drop""#, 5), (#""kind":"hang""#, 5),
      (#""kind":"retry_after","milliseconds":3000"#, 5), (#""kind":"html","status":502"#, 5),
      (#""kind":"truncate""#, 5), (#""kind":"html""#, 6), (#""kind":"malformed""#, 6), (#""kind":"empty""#, 6),
      (#""kind":"always401""#, 6), (#""kind":"redirect","location":"/token""#, 6),
      (#""kind":"status","status":403,"body":"","content_type":"""#, 6),
    ])
  func faults(fault: String, status: Int32) async throws {
    let place = try await Workplace.loggedIn("", tables: "[network]\ntimeout = \"2s\"\nconnect_timeout = \"1s\"\n")
    let before = try place.stored()
    // Each request is refused before it has taken effect, but for the response that breaks off.
    if fault.contains("truncate") { try await place.lab.change(#"{"reuse":"none"}"#) }
    try await place.lab.fail("{\"endpoint\":\"token\",\(fault)}")
    let outcome = try await place.run("refresh", "work")
    #expect(outcome.status == status, "\(outcome.error)")
    #expect(outcome.text.isEmpty)
    #expect(try place.stored() == before)
    #expect(try await place.run("call", "me").status == 0)
    try await place.lab.clearFaults()
    // A server that has just failed is left alone for a moment.
    try await place.wait(for: "the server to be asked again") {
      try await place.run("refresh", "work").status == 0
    }
    #expect(try place.stored() != before)
  }

  @Test("a server that can't be reached: status 5 and the same pair")
  func unreachable() async throws {
    let place = try await Workplace.loggedIn()
    let before = try place.stored()
    place.lab.stop()
    let outcome = try await place.run("refresh", "work")
    outcome.expect(5)
    #expect(try place.stored() == before)
  }

  @Test("a 500 that passes is asked again within the same refresh")
  func transient() async throws {
    let place = try await Workplace.loggedIn()
    try await place.lab.fail(#"{"endpoint":"token","kind":"status","status":500,"count":1}"#)
    let outcome = try await place.run("refresh", "work")
    outcome.expect(0)
    #expect(try await place.lab.count("token.refresh_token") == 2)
  }

  @Test("a token of a type that the profile does not know how to send: status 6, and the session lives on once it does")
  func unusableType() async throws {
    let place = try await Workplace.loggedIn()
    let before = try place.pair()
    try await place.lab.change(#"{"token_type":"JWT"}"#)
    let refused = try await place.run("refresh", "work")
    refused.expect(6)
    #expect(refused.error.contains("of type 'JWT'") && refused.error.contains("the session is kept"))
    let kept = try place.pair()
    #expect(kept.string("access_token") == before.string("access_token"))
    // The server takes a refresh token once: the one that counts now has come with the refused token.
    #expect(kept.string("refresh_token") != before.string("refresh_token"))
    #expect(kept.string("renewal_began") == nil)
    #expect(try await place.run("call", "me").status == 0)
    try place.makeProfile("work", "", tables: "[header]\nprefix = \"Bearer\"\n")
    let taken = try await place.run("refresh", "work")
    taken.expect(0)
    #expect(try place.pair().string("token_type") == "JWT")
    #expect(try await place.run("call", "me").status == 0)
    #expect(try await place.lab.count("reuse_detected") == 0)
  }

  @Test("a login at another server is not used for this one: status 3, nothing is sent")
  func otherServer() async throws {
    let place = try await Workplace.loggedIn()
    let other = try place.otherLab()
    try place.makeProfile("work", "issuer = \"\(other.origin)\"")
    let outcome = try await place.run("refresh", "work")
    outcome.expect(3)
    #expect(try await other.lastRequests().isEmpty)
    #expect(try await place.lab.lastRequests().isEmpty)
  }

  @Test("a token that is still valid is used if its early refresh fails, with a warning")
  func validMeanwhile() async throws {
    let place = try await Workplace.loggedIn("refresh_before = \"599s\"")
    try await place.lab.fail(
      #"{"endpoint":"token","kind":"status","status":400,"body":"{\"error\":\"invalid_request\"}"}"#)
    place.clocks.pass(2)
    let outcome = try await place.run("call", "me")
    outcome.expect(0, error: "warning")
    #expect(try await place.lab.count("token.refresh_token") == 1)
  }
}
