import Foundation
import Testing

@testable import AuthCore

@Suite("SignedToken")
struct SignedTokenTests {
  @Test(
    "a token that cannot be verified is not read",
    arguments: [
      (#"{"alg":"none"}"#, "is not signed (alg is none)"), (#"{"alg":"NonE"}"#, "is not signed (alg is none)"),
      (#"{"alg":"ES256K"}"#, "is signed with ES256K, which is not accepted"),
      (#"{"alg":"rs256"}"#, "is signed with rs256, which is not accepted"),
      (#"{"alg":"x\u001b"}"#, #"is signed with x\u{1b}, which is not accepted"#),
      (#"{"kid":"k"}"#, "names no signature algorithm"), (#"{"alg":1}"#, "names no signature algorithm"),
      (#"{"alg":"ES256","crit":["x"]}"#, "has unknown critical extensions (crit)"),
      (#"{"alg":"ES256","crit":null}"#, "has unknown critical extensions (crit)"),
      (#"{"alg":"ES256","b64":false}"#, "is encoded in a way of its own (b64)"), ("[]", "is not a JWT"),
    ])
  func header(text: String, reason: String) {
    let token = Secret(Base64URL.encode(text.utf8) + "." + Base64URL.encode("{}".utf8) + ".c2ln")
    #expect(throws: SignedToken.Unacceptable(reason: reason)) { try SignedToken(token) }
  }

  @Test(
    "text that is not a compact serialization is refused",
    arguments: [
      ("", "is not a JWT"), ("a.b", "is not a JWT"), ("a.b.c", "is not a JWT"), ("e30.W10.AA", "is not a JWT"),
      ("a.b.c.d", "is not a JWT"), ("a.b.c.d.e", "is encrypted, which is not supported"),
      ("eyJhbGciOiJFUzI1NiJ9.e30.", "has an empty signature"), ("eyJhbGciOiJFUzI1NiJ9.e30.+/==", "is not a JWT"),
    ])
  func form(text: String, reason: String) {
    #expect(throws: SignedToken.Unacceptable(reason: reason)) { try SignedToken(Secret(text)) }
  }

  @Test("a token of absurd length is refused before it is parsed")
  func length() {
    let token = Secret(String(repeating: "a", count: 300 << 10))
    #expect(throws: SignedToken.Unacceptable(reason: "is too long")) { try SignedToken(token) }
  }

  @Test("hashes are the left half, of the algorithm's own function (OpenID Connect Core, section 3.1.3.6)")
  func hashes() {
    // The example of OpenID Connect Core, appendix A.4.
    #expect(
      SignatureAlgorithm.rs256.leftHalfHashes("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y")
        == ["77QmUPtjPfzWtF2AnpK9RQ"])
    #expect(SignatureAlgorithm.es384.leftHalfHashes("x").map(\.count) == [32])
    #expect(SignatureAlgorithm.hs384.leftHalfHashes("x") == SignatureAlgorithm.es384.leftHalfHashes("x"))
    #expect(SignatureAlgorithm.hs512.leftHalfHashes("x") == SignatureAlgorithm.rs512.leftHalfHashes("x"))
  }

  @Test(
    "the hashes of Ed25519 are made with SHA-512, or, on some servers, with SHA-256 (real-servers.md, 26)",
    arguments: ["EdDSA", "Ed25519"])
  func edwardsHashes(name: String) throws {
    let hashes = try #require(SignatureAlgorithm(rawValue: name)).leftHalfHashes("x")
    #expect(hashes == SignatureAlgorithm.rs512.leftHalfHashes("x") + SignatureAlgorithm.rs256.leftHalfHashes("x"))
  }
}
