import Testing

@testable import AuthCore

@Suite("DecodedToken")
struct DecodedTokenTests {
  private func token(_ parts: String...) -> Secret {
    Secret(parts.map { Base64URL.encode($0.utf8) }.joined(separator: "."))
  }

  @Test("a JWT is decoded, signed or not")
  func jwt() throws {
    for signature in ["sig", ""] {
      let decoded = DecodedToken(token(#"{"alg":"none"}"#, #"{"sub":"alice"}"#, signature))
      #expect(decoded.format == .jwt)
      #expect(decoded.header == .object(["alg": .string("none")]))
      #expect(decoded.claims == .object(["sub": .string("alice")]))
    }
  }

  @Test("of an encrypted token the header is decoded (RFC 7516, section 3.1)")
  func encrypted() {
    let decoded = DecodedToken(token(#"{"alg":"RSA-OAEP","enc":"A256GCM"}"#, "k", "iv", "text", "tag"))
    #expect(decoded.format == .encrypted)
    #expect(decoded.header?["enc"] == .string("A256GCM"))
    #expect(decoded.claims == nil)
  }

  @Test(
    "everything else is opaque",
    arguments: ["", "abc", "a.b.c", "e30.W10.AA", "e30.e30", "e30.e30.AA.AA", "a.b.c.d.e", "e30.b.c.d.e", "e30.e+0.AA"])
  func opaque(text: String) {
    let decoded = DecodedToken(Secret(text))
    #expect(decoded.format == .opaque)
    #expect(decoded.header == nil && decoded.claims == nil)
  }

  @Test(
    "what looks like a JWT and can't be decoded is damaged, wherever it is cut",
    arguments: [
      "eyJ", "eyJhbGciOiJub25lIn0", "eyJhbGciOiJub25lIn0.", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJh", "eyJhbGci.eyJzdWIi.AA",
      "hbGciOiJub25lIn0.eyJzdWIiOiJhIn0.AA", "eyJhbGciOiJub25lIn0..", "eyJhbGciOiJub25lIn0.W10.AA.x",
    ])
  func damaged(text: String) {
    let decoded = DecodedToken(Secret(text))
    #expect(decoded.format == .damaged)
    #expect(decoded.header == nil && decoded.claims == nil)
    #expect(SignatureCheck.withoutKeys(decoded) == .notChecked("it can't be decoded"))
  }

  @Test("a token of absurd length is not decoded")
  func length() {
    let claims = #"{"x":"\#(String(repeating: "a", count: 300 << 10))"}"#
    #expect(DecodedToken(token("{}", claims, "s")).format == .opaque)
  }

  @Test(
    "the purpose of a JWT is derived from its type and claims",
    arguments: [
      (#"{"typ":"at+jwt"}"#, #"{"nonce":"n"}"#, TokenKind.access), ("{}", "{}", .access),
      (#"{"typ":"JWT"}"#, #"{"typ":"Bearer"}"#, .access), (#"{"typ":"JWT"}"#, #"{"typ":"Refresh"}"#, .refresh),
      ("{}", #"{"typ":"Offline"}"#, .refresh), ("{}", #"{"typ":"ID"}"#, .id), ("{}", #"{"at_hash":"h"}"#, .id),
      (#"{"typ":"JWT"}"#, #"{"nonce":"n"}"#, .id), ("{}", #"{"c_hash":"h"}"#, .id),
    ])
  func kind(header: String, claims: String, kind: TokenKind) {
    #expect(TokenKind(of: DecodedToken(token(header, claims, "s"))) == kind)
  }

  @Test("secrets within claims are redacted, by value, by name and by form; words and public names are not")
  func redaction() throws {
    let known = KnownSecrets()
    known.add(token: Secret("opaque-access-token"))
    known.add(token: Secret("eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl"))
    let claims = try JSONValue(
      parsing: #"""
        {"a":"x opaque-access-token y","b":["eyJhbGciOiJub25lIn0.e30.AAAA"],"refresh_token":"0123456789",
        "act":{"client_secret":"hush-hush-hush"},"token_use":"access","sid":"session-0123456789","n":1,
        "sig":"c2lnbmF0dXJl","https://e.example/?access_token=q":true}
        """#.utf8)
    let shown = try JSONValue(
      parsing: #"""
        {"a":"x ‹redacted› y","b":["‹redacted›"],"refresh_token":"‹redacted›",
        "act":{"client_secret":"‹redacted›"},"token_use":"access","sid":"session-0123456789","n":1,
        "sig":"‹redacted›","https://e.example/?access_token=q":true}
        """#.utf8)
    #expect(claims.redacted(known) == shown)
  }

  @Test("the thumbprint of a certificate is the hash of its bytes (RFC 8705, section 3.1)")
  func certificate() {
    let text = "x\n-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\nmore\n"
    // SHA-256 of "abc" (FIPS 180-4).
    #expect(CertificateThumbprint.first(inPEM: text) == "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0")
    for text in ["", "abc", "-----BEGIN CERTIFICATE-----\n*\n-----END CERTIFICATE-----\n"] {
      #expect(CertificateThumbprint.first(inPEM: text) == nil)
    }
  }
}
