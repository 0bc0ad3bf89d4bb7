import Foundation
import Testing

@testable import AuthCore

@Suite("IDTokenCheck")
struct IDTokenCheckTests {
  private let check = IDTokenCheck(issuer: "https://id.example", clientID: "cli", nonce: "n", now: .sample)

  @Test(
    "claims are checked as OpenID Connect Core, section 3.1.3.7 asks",
    arguments: [
      (#"{"iss":"https://id.example","aud":"cli","exp":1767323046,"nonce":"n"}"#, nil),
      (#"{"iss":"https://id.example","aud":["x","cli"],"azp":"cli","exp":1767323046.5,"nonce":"n"}"#, nil),
      (#"{"iss":"https://id.example","aud":"cli","exp":1767322746,"nonce":"n"}"#, nil),
      (#"{"iss":"https://id.example/","aud":"cli","exp":1767323046,"nonce":"n"}"#, "the ID token is of another issuer"),
      (#"{"aud":"cli","exp":1767323046,"nonce":"n"}"#, "the ID token is of another issuer"),
      (#"{"iss":"https://id.example","aud":"x","exp":1767323046,"nonce":"n"}"#, "the ID token is for another client"),
      (#"{"iss":"https://id.example","exp":1767323046,"nonce":"n"}"#, "the ID token is for another client"),
      (
        #"{"iss":"https://id.example","aud":["cli","x"],"azp":"x","exp":1767323046,"nonce":"n"}"#,
        "the ID token is for another client (azp)"
      ),
      (#"{"iss":"https://id.example","aud":"cli","nonce":"n"}"#, "the ID token has no expiry"),
      (#"{"iss":"https://id.example","aud":"cli","exp":1767322745,"nonce":"n"}"#, "the ID token has expired"),
      (
        #"{"iss":"https://id.example","aud":"cli","exp":1767323046,"nonce":"x"}"#,
        "the ID token is of another login (nonce)"
      ),
      (#"{"iss":"https://id.example","aud":"cli","exp":1767323046}"#, "the ID token is of another login (nonce)"),
      ("[]", "the ID token is not a JWT"),
    ] as [(String, String?)])
  func claims(payload: String, reason: String?) {
    #expect(check.reasonToRefuse(jwt(payload)) == reason)
  }

  @Test("what is no JWT is refused", arguments: ["", "a.b", "a.b.c", "a.b.c.d.e"])
  func noToken(text: String) {
    #expect(check.reasonToRefuse(Secret(text)) == "the ID token is not a JWT")
  }
}
