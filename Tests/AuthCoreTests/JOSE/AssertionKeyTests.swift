import Crypto
import Foundation
import Testing

@testable import AuthCore

@Suite("AssertionKey")
struct AssertionKeyTests {
  private static let rsaInput =
    "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

  private func unusable(_ text: String, keyID: String? = nil) -> AssertionKey.Unusable? {
    do throws(AssertionKey.Unusable) {
      _ = try AssertionKey(Secret(text), keyID: keyID)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "an RSA key in each form makes the signature of RFC 7515, appendix A.2.1",
    arguments: [
      SampleKeys.rsaJWK, SampleKeys.rsaPKCS8, SampleKeys.rsaPKCS1,
      SampleKeys.rsaPKCS1.replacing("\n", with: "\r\n"), "some words\n" + SampleKeys.rsaPKCS8 + "\nmore",
    ])
  func rsa(text: String) async throws {
    let key = try AssertionKey(Secret(text))
    #expect(key.algorithms.map(\.rawValue) == ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"])
    let signature = try await key.signature(of: Array(AssertionKeyTests.rsaInput.utf8), .rs256)
    #expect(Base64URL.encode(signature) == SampleKeys.rsaSignature)
  }

  @Test(
    "an Ed25519 key in each form makes the signature of RFC 8037, appendix A.4",
    arguments: [SampleKeys.ed25519JWK, SampleKeys.ed25519PKCS8])
  func ed25519(text: String) async throws {
    let key = try AssertionKey(Secret(text))
    #expect(key.algorithms == [.edDSA, .ed25519])
    // BoringSSL's Ed25519 is that of RFC 8032, which leaves nothing to chance.
    let input = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc"
    let signature = try await key.signature(of: Array(input.utf8), .edDSA)
    let x = try #require(Base64URL.decode("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"))
    let known = try Curve25519.Signing.PublicKey(rawRepresentation: x)
    #expect(known.isValidSignature(Data(signature), for: Data(input.utf8)))
    let expected = "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
    #expect(Base64URL.encode(signature) == expected)
    #expect(try await key.signature(of: Array(input.utf8), .ed25519) == signature)
    let signed = try await key.sign(["iss": .string("c")], algorithm: .ed25519, keyID: nil).exposed
    let header = try #require(Base64URL.decode(signed.prefix { $0 != "." }))
    #expect(String(decoding: header, as: UTF8.self) == #"{"alg":"Ed25519","typ":"JWT"}"#)
  }

  @Test(
    "a P-256 key in each form signs for the public key of RFC 7515, appendix A.3.1",
    arguments: [SampleKeys.p256JWK, SampleKeys.p256PKCS8, SampleKeys.p256SEC1])
  func p256(text: String) async throws {
    let key = try AssertionKey(Secret(text))
    let signed = try await key.sign(["iss": .string("c/1")], algorithm: nil, keyID: "k1").exposed
    let parts = signed.split(separator: ".").map(String.init)
    try #require(parts.count == 3)
    let header = try #require(Base64URL.decode(parts[0]))
    #expect(String(decoding: header, as: UTF8.self) == #"{"alg":"ES256","kid":"k1","typ":"JWT"}"#)
    let claims = try #require(Base64URL.decode(parts[1]))
    #expect(String(decoding: claims, as: UTF8.self) == #"{"iss":"c/1"}"#)
    let x = try #require(Base64URL.decode("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"))
    let y = try #require(Base64URL.decode("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"))
    let known = try P256.Signing.PublicKey(rawRepresentation: x + y)
    let raw = try #require(Base64URL.decode(parts[2]))
    let signature = try P256.Signing.ECDSASignature(rawRepresentation: raw)
    #expect(known.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
  }

  @Test(
    "each kind of key has its algorithms, of which the first is taken",
    arguments: [
      (SampleKeys.rsaJWK, nil, .rs256), (SampleKeys.rsaJWK, .ps256, .ps256), (SampleKeys.p256JWK, nil, .es256),
      (SampleKeys.p384SEC1, nil, .es384), (SampleKeys.p521PKCS8, nil, .es512), (SampleKeys.ed25519JWK, nil, .edDSA),
      (SampleKeys.ed25519JWK, .ed25519, .ed25519),
    ] as [(String, AssertionAlgorithm?, AssertionAlgorithm)])
  func algorithm(text: String, wanted: AssertionAlgorithm?, expected: AssertionAlgorithm) throws {
    #expect(try AssertionKey(Secret(text)).algorithm(wanted) == expected)
  }

  @Test("an algorithm that does not fit the key is refused with those that do")
  func misfit() throws {
    let key = try AssertionKey(Secret(SampleKeys.p256JWK))
    #expect(
      throws: AssertionKey.Unusable(
        reason: "it can't sign with RS256",
        remedy: "remove assertion_algorithm, or set it to one of: ES256")
    ) { try key.algorithm(.rs256) }
  }

  @Test("kid and alg of a JWK are used; of a set, the key that is meant (RFC 7517, sections 4 and 5)")
  func jwkMembers() throws {
    let one = SampleKeys.rsaJWK.replacing("{\"kty\"", with: "{\"kid\":\"r\",\"alg\":\"PS256\",\"use\":\"sig\",\"kty\"")
    let key = try AssertionKey(Secret("\u{FEFF}" + one))
    #expect(key.keyID == "r")
    #expect(try key.algorithm(nil) == .ps256)
    #expect(try key.algorithm(.rs256) == .rs256)
    let other = SampleKeys.p256JWK.replacing("{\"kty\"", with: "{\"kid\":\"e\",\"alg\":\"RSA-OAEP\",\"kty\"")
    let set = "{\"keys\":[\(one),\(other)]}"
    #expect(try AssertionKey(Secret(set), keyID: "e").algorithm(nil) == .es256)
    #expect(unusable(set)?.reason == "it is a set of several keys")
    #expect(unusable(set, keyID: "x")?.reason == "it is a set without a key of that assertion_key_id")
    #expect(unusable("{\"keys\":[\(one)]}") == nil)
  }

  @Test(
    "text that is not a signing key is refused with the reason and the remedy, and never quoted",
    arguments: [
      ("", "it is neither a PEM text nor a JWK", "openssl pkey -inform DER"),
      ("hello", "it is neither a PEM text nor a JWK", "PEM"),
      (SampleKeys.publicKey, "it holds public key, and no private key", "private key"),
      (SampleKeys.encrypted, "it is encrypted, and there is no prompt for its passphrase", "openssl pkey -in FILE"),
      (SampleKeys.shortRSA, "it is an RSA key of fewer than 2048 bits", "2048"),
      (
        "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n",
        "it is in OpenSSH's format", "ssh-keygen -p -m PKCS8"
      ),
      (
        "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n-----END RSA PRIVATE KEY-----\n",
        "it is encrypted, and there is no prompt for its passphrase", "openssl pkey"
      ),
      (
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
        "its private key is damaged, or its type can't sign assertions", "Ed25519"
      ),
      ("-----BEGIN PRIVATE KEY-----\nAAAA\n", "it is neither a PEM text nor a JWK", "PEM"),
      ("{", "it looks like a JWK but is not valid JSON", "whole file"),
      ("{}", "it contains no private key", "RSA, EC"),
      (#"{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}"#, "it contains no private key", "RSA, EC"),
      (#"{"kty":"EC","crv":"P-256","d":"!!"}"#, "its private key is damaged", "RSA, EC"),
      (#"{"kty":"EC","crv":"secp256k1","d":"AA"}"#, "its type can't sign assertions", "RSA, EC"),
      (#"{"kty":"oct","k":"AA"}"#, "it is a symmetric key", "client_secret_jwt"),
    ])
  func refused(text: String, reason: String, remedy: String) throws {
    let error = try #require(unusable(text))
    #expect(error.reason == reason)
    #expect(error.remedy.contains(remedy))
  }
}
