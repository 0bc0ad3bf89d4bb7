import TestSupport
import Testing

@testable import AuthCore

@Suite("Secret")
struct SecretTests {
  private let secret = Secret("s3cr3t-token-value")

  @Test("no way of printing shows the text")
  func redacted() {
    var dumped = ""
    dump(secret, to: &dumped)
    dump(["key": secret], to: &dumped)
    dump(TokenPair(accessToken: secret, refreshToken: secret, issuedAt: .sample), to: &dumped)
    let printed = [
      "\(secret)", String(describing: secret), String(reflecting: secret), secret.debugDescription, dumped,
      "\(Optional(secret) as Any)", "\([secret])", String(reflecting: [secret]),
      "\(TokenPair(accessToken: secret, issuedAt: .sample))",
      "\(TokenResponse(accessToken: secret, refreshToken: secret, idToken: secret))",
      "\(AuthorizationResponse.code(secret))", "\(SecretHolder(secret: secret))",
    ]
    for text in printed {
      #expect(!text.contains("s3cr3t"))
      #expect(text.contains("‹redacted›"))
    }
  }

  @Test("a mirror sees nothing")
  func mirror() {
    #expect(Mirror(reflecting: secret).children.isEmpty)
  }

  @Test("the fingerprint is the first 8 hexadecimal digits of the SHA-256")
  func fingerprint() {
    #expect(Secret("abc").fingerprint == "ba7816bf")
    #expect(Secret("").fingerprint == "e3b0c442")
    #expect(Secret("abd").fingerprint != Secret("abc").fingerprint)
  }

  @Test("two secrets are equal when the bytes of their texts are")
  func equality() {
    #expect(Secret("a") == Secret("a"))
    #expect(Secret("a") != Secret("A"))
    #expect(Secret("\u{E9}") != Secret("e\u{301}"))
  }
}

private struct SecretHolder {
  let secret: Secret
}
