import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import AuthCore

@Suite("DPoPProver")
struct DPoPProverTests {
  private let key = DPoPKey()
  private let nonces = DPoPNonces()

  private var prover: DPoPProver { DPoPProver(key: key, nonces: nonces, now: { .sample }) }

  private func open(_ url: String, _ method: HTTPRequest.Method = .get, token: Secret? = nil) throws -> OpenedProof {
    try OpenedProof([.dpop: try prover.proof(for: method, WebURL(url), token: token).field.value])
  }

  @Test("the header has type, algorithm and public key, and nothing of the private one (RFC 9449, section 4.2)")
  func header() throws {
    let proof = try open("https://id.example/token", .post)
    #expect(proof.header == .object(["typ": .string("dpop+jwt"), "alg": .string("ES256"), "jwk": key.publicKey]))
    #expect(proof.header["jwk"]?["d"] == nil)
  }

  @Test(
    "htu is the target without query and fragment, in normal form; htm is the method as sent",
    arguments: [
      ("https://API.example:443/v1/x?a=b#c", "https://api.example/v1/x"),
      ("https://api.example", "https://api.example/"),
      ("http://127.0.0.1:81/%7Ex", "http://127.0.0.1:81/%7Ex"),
    ])
  func target(url: String, htu: String) throws {
    let proof = try open(url, .patch)
    #expect(proof.claims["htu"] == .string(htu))
    #expect(proof.claims["htm"] == .string("PATCH"))
  }

  @Test("a proof is dated a second back, and no two have the same identifier (real-servers.md, 23)")
  func unique() throws {
    let (one, other) = (try open("https://id.example/token"), try open("https://id.example/token"))
    #expect(one.claims["iat"] == .integer(Int64(Date.sample.timeIntervalSince1970) - 1))
    #expect(one.claims["jti"]?.string?.utf8.count == 43)
    #expect(one.claims["jti"] != other.claims["jti"])
    #expect(one.claims["ath"] == nil && one.claims["nonce"] == nil)
  }

  @Test("ath is the hash of the token (RFC 9449, section 7.1, the example)")
  func tokenHash() throws {
    let token = Secret("Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU")
    #expect(
      try open("https://api.example/", token: token).claims["ath"]
        == .string("fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo"))
  }

  @Test("the thumbprint of a key is that of RFC 9449, section 6.1 (RFC 7638)")
  func thumbprint() {
    #expect(
      DPoPKey.thumbprint(
        x: "l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs", y: "9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA")
        == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
  }

  @Test("nonces are kept by origin, the newest of each")
  func nonceMemory() throws {
    let url = try WebURL("https://id.example/token")
    prover.learn(from: TransferResponse(status: 200, fields: [.dpopNonce: "one"]), of: url)
    prover.learn(from: TransferResponse(status: 200), of: url)
    #expect(try open("https://id.example/x").claims["nonce"] == .string("one"))
    #expect(try open("https://api.example/x").claims["nonce"] == nil)
    prover.learn(from: TransferResponse(status: 500, fields: [.dpopNonce: "two"]), of: url)
    #expect(try open("https://id.example/x").claims["nonce"] == .string("two"))
  }

  @Test("a nonce with characters that no nonce has is passed over", arguments: ["a\"b", "a\\b", "a b", ""])
  func badNonce(text: String) throws {
    prover.learn(
      from: TransferResponse(status: 200, fields: [.dpopNonce: text]), of: try WebURL("https://id.example/token"))
    #expect(try open("https://id.example/x").claims["nonce"] == nil)
  }

  @Test(
    "an API's request for a nonce is distinguished from other refusals (RFC 9449, section 9; real-servers.md, 23)",
    arguments: [
      (401, #"DPoP error="use_dpop_nonce""#, "n", true), (401, "DPoP", "n", true), (401, nil, "n", true),
      (401, #"Bearer, DPoP algs="ES256", error="use_dpop_nonce""#, "n", true), (401, "DPoP", "used", false),
      (401, #"DPoP error="invalid_token""#, "n", false), (401, #"DPoP error="use_dpop_nonce""#, nil, false),
      (400, #"DPoP error="use_dpop_nonce""#, "n", false), (200, nil, "n", false),
      (401, #"DPoP realm="error", algs="ES256""#, "n", true),
      (401, #"DPoP error="invalid_token", error_description="no use_dpop_nonce""#, "n", false),
    ] as [(Int, String?, String?, Bool)])
  func demand(status: Int, challenge: String?, nonce: String?, expected: Bool) {
    var fields: HTTPFields = [:]
    fields[.wwwAuthenticate] = challenge
    fields[.dpopNonce] = nonce
    #expect(DPoPProver.isNonceDemand(TransferResponse(status: status, fields: fields), used: "used") == expected)
  }

  @Test("a key comes back from the store as it was, and prints its public half only")
  func stored() throws {
    #expect(try DPoPKey(stored: key.stored()).thumbprint == key.thumbprint)
    #expect("\(key)" == "‹key \(key.thumbprint)›")
    let scalar = try #require(try JSONValue(parsing: Array(key.stored().exposed.utf8))["d"]?.string)
    var dumped = ""
    dump(prover, to: &dumped)
    #expect(!dumped.contains(scalar))
  }

  @Test(
    "a value that is not a key is refused",
    arguments: ["", "{}", #"{"kty":"EC","crv":"P-256","d":"AA"}"#, #"{"kty":"RSA"}"#])
  func damaged(text: String) {
    #expect(throws: DPoPKey.Unusable(reason: "it is not a stored DPoP key")) {
      try DPoPKey(stored: Secret(text))
    }
  }
}
