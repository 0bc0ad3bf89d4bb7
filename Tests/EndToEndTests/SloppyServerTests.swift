import Foundation
import TestSupport
import Testing

@Suite("servers that respond in shapes of their own, end to end")
struct SloppyServerTests {
  @Test("10 MiB as the response to a refresh: bounded, reported, not requested again, the pair stays")
  func flood() throws {
    let place = try Workplace.loggedIn()
    let before = try place.stored()
    try place.response(at: "token", "flood")
    let outcome = try place.run("refresh", "work")
    outcome.expect(6, error: "larger than 1048576 bytes")
    #expect(try place.lab.count("token") == 1)
    #expect(try place.stored() == before)
  }

  @Test("a redirect at the token endpoint is refused, and its target receives nothing")
  func redirect() throws {
    let place = try Workplace()
    let other = try Authlab()
    try place.makeProfile()
    for status in [301, 302, 303, 307, 308] {
      try place.response(at: "token", "redirect", ["location": other.origin + "/token", "status": status, "count": 1])
      let outcome = try place.passwordLogin()
      outcome.expect(6, error: "redirects")
    }
    #expect(try other.lastRequests().isEmpty)
    #expect(try place.stored() == nil)
  }
}
