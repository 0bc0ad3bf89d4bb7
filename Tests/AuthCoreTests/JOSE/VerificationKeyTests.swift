import Foundation
import Testing

@testable import AuthCore

@Suite("VerificationKey")
struct VerificationKeyTests {
  private static let payload =
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

  /// The public key of RFC 7515, appendix A.2.1.
  private static let rsa = #"""
    {"kty":"RSA","e":"AQAB","n":"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP\#
    1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBd\#
    QOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91k\#
    zk2PAcDTW9gb54h4FRWyuXpoQ"}
    """#

  private static let rsaSignature = """
    cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dn\
    ZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-\
    eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw
    """

  private static let ec = #"""
    {"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",\#
    "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}
    """#

  private static let ed = #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#

  private func key(_ text: String) throws -> VerificationKey {
    try #require(VerificationKey(try JSONValue(parsing: Array(text.utf8))))
  }

  @Test(
    "the examples of RFC 7515, appendices A.2 and A.3, and of RFC 8037, appendix A.4, verify, and nothing else does",
    arguments: [
      (rsa, "eyJhbGciOiJSUzI1NiJ9." + payload, rsaSignature, SignatureAlgorithm.rs256),
      (
        ec, "eyJhbGciOiJFUzI1NiJ9." + payload,
        "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q", .es256
      ),
      (
        ed, "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc",
        "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg", .edDSA
      ),
    ])
  func vectors(jwk: String, input: String, signature: String, algorithm: SignatureAlgorithm) async throws {
    let key = try key(jwk)
    let bytes = try #require(Base64URL.decode(signature))
    #expect(try await key.verifies(bytes, of: Array(input.utf8), by: algorithm))
    #expect(try await !key.verifies(bytes, of: Array((input + "x").utf8), by: algorithm))
    #expect(try await !key.verifies([], of: Array(input.utf8), by: algorithm))
    #expect(try await !key.verifies(Array(bytes.dropLast()), of: Array(input.utf8), by: algorithm))
    for other in SignatureAlgorithm.allCases where !other.isSame(as: algorithm) {
      let isTaken = try await key.verifies(bytes, of: Array(input.utf8), by: other)
      #expect(!isTaken, "\(other)")
    }
  }

  @Test(
    "encryption keys, keys for other operations, and other values are ignored (RFC 7517, sections 4.2, 4.3)",
    arguments: [
      #"{"kty":"EC","use":"enc"}"#, #"{"kty":"EC","key_ops":["sign"]}"#, #"{"crv":"P-256"}"#, "[]", "1", "null",
    ])
  func passedOver(text: String) throws {
    #expect(VerificationKey(try JSONValue(parsing: Array(text.utf8))) == nil)
  }

  @Test("Ed25519 is EdDSA by another name, in tokens and in keys (RFC 9864; real-servers.md, 25)")
  func names() async throws {
    // RFC 8037, appendix A.4.
    let input = Array("eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc".utf8)
    let signature = try #require(
      Base64URL.decode("hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"))
    for own in ["", #""alg":"EdDSA","#, #""alg":"Ed25519","#] {
      let key = try key("{" + own + Self.ed.dropFirst())
      #expect(try await key.verifies(signature, of: input, by: .edDSA))
      #expect(try await key.verifies(signature, of: input, by: .ed25519))
      #expect(!key.fits(.es256))
    }
    #expect(try !key(Self.ed.replacing("Ed25519", with: "Ed448")).fits(.ed25519))
    #expect(try !key(Self.ed.replacing("{", with: #"{"alg":"ES256","#)).fits(.ed25519))
    let token = try SignedToken(Secret("\(Base64URL.encode(#"{"alg":"Ed25519"}"#.utf8)).e30.AA"))
    #expect(token.algorithm == .ed25519)
  }

  @Test("a key says by its alg what it is for")
  func ownAlgorithm() throws {
    let key = try key(Self.rsa.replacing(#""e""#, with: #""alg":"PS256","e""#))
    #expect(key.fits(.ps256))
    #expect(!key.fits(.rs256))
  }

  @Test(
    "weak and malformed keys are refused with their fault",
    arguments: [
      (
        #"{"kty":"RSA","e":"AQAB","n":"\#(String(repeating: "_", count: 171))"}"#,
        "it is an RSA key of 1024 bits, and 2048 are the least"
      ),
      (
        #"{"kty":"RSA","e":"AQAB","n":"\#(String(repeating: "_", count: 3000))"}"#,
        "it is an RSA key of 18000 bits, more than the limit"
      ),
      (#"{"kty":"RSA","e":"AQAB"}"#, "it lacks n"), (#"{"kty":"RSA","e":"AQAB","n":"!"}"#, "it is malformed"),
    ])
  func weak(text: String, reason: String) async throws {
    let key = try key(text)
    await #expect(throws: VerificationKey.Unusable(reason: reason)) {
      try await key.verifies([1], of: [1], by: .rs256)
    }
  }

  @Test("points that are not on the curve, or of a wrong length, are refused", arguments: ["AA", "____", ""])
  func offCurve(text: String) async throws {
    let key = try key(#"{"kty":"EC","crv":"P-256","x":"\#(text)","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#)
    await #expect(throws: VerificationKey.Unusable.self) { try await key.verifies([1], of: [1], by: .es256) }
  }
}
