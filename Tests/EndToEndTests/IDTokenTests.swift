import Foundation
import TestSupport
import Testing

@Suite("ID tokens, end to end")
struct IDTokenTests {
  private func logIn(_ place: Workplace) throws -> Outcome {
    try place.run(place.browserLogin(), environment: place.browser())
  }

  @Test(
    "signatures of the usual algorithms verify with the server's keys",
    arguments: ["ES256", "RS256", "PS256", "EdDSA"])
  func algorithms(name: String) throws {
    let place = try Workplace()
    try place.lab.change(#"{"id_token_algorithm":"\#(name)"}"#)
    let outcome = try logIn(place)
    outcome.expect(0)
    #expect(try place.lab.count("jwks") == 1)
    #expect(try place.pair().string("subject") == "alice")
  }
}
