import Foundation
import TestSupport
import Testing

@Suite("inspect, end to end")
struct InspectTests {
  @Test("a session and a token from a pipe are explained in local time, with the keys of the server and no secret")
  func inspect() throws {
    let place = try Workplace(lab: ["--jwt-access-tokens"])
    try place.makeProfile("work", "scope = [\"openid\", \"api\"]")
    try place.logIn()
    let pair = try place.pair()
    let token = try #require(pair.string("access_token"))
    let zone = ["TZ": "XXX-05:30"]
    let outcomes = [
      try place.run("inspect", "--online", "-v", environment: zone),
      try place.run(["inspect", "-"], input: .text(token), environment: zone),
    ]
    for outcome in outcomes {
      outcome.expect(0)
      #expect(outcome.text.contains("signature      valid (ES256, key "), "\(outcome.text)")
      #expect(outcome.text.contains(" +05:30, in "), "\(outcome.text)")
      let secrets = token.split(separator: ".").map(String.init) + [try #require(pair.string("refresh_token"))]
      for secret in secrets { #expect(!(outcome.text + outcome.error).contains(secret)) }
    }
    #expect(outcomes[0].text.contains("\nID token: JWT\n"), "\(outcomes[0].text)")
    #expect(outcomes[0].text.contains("alice@authlab.example"), "\(outcomes[0].text)")
  }
}
