import Testing

@testable import AuthCore

@Suite("PKCE")
struct PKCETests {
  @Test("the challenge is that of RFC 7636, appendix B")
  func appendixB() {
    let pkce = PKCE(codeVerifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    #expect(pkce.codeChallenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  @Test("a verifier has 43 characters of its alphabet (RFC 7636, section 4.1) and is never the same")
  func verifier() {
    let verifiers = (0..<100).map { _ in PKCE(random: SystemRandomText.make).codeVerifier }
    #expect(Set(verifiers).count == 100)
    for verifier in verifiers {
      #expect(verifier.utf8.count == 43)
      #expect(Base64URL.decode(verifier)?.count == 32)
    }
  }
}
