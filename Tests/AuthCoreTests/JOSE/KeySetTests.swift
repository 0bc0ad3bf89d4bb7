import Foundation
import Testing

@testable import AuthCore

@Suite("KeySet")
struct KeySetTests {
  private let signer = TestSigner()

  private func set(_ text: String) throws -> KeySet { try KeySet(JSONValue(parsing: Array(text.utf8))) }

  @Test("a signature is verified by the key of its kid, several of that name included")
  func duplicates() async throws {
    var other = TestSigner()
    other.keyID = signer.keyID
    let token = try SignedToken(try signer.token("{}"))
    #expect(await (try set(try signer.keySet([try other.entry]))).verify(token) == .verified)
    #expect(await (try set(try other.keySet())).verify(token) == .wrong)
  }

  @Test("without a kid all keys that fit are tried")
  func nameless() async throws {
    var other = TestSigner()
    other.keyID = "k2"
    let token = try SignedToken(try signer.token("{}", header: #"{"alg":"ES256"}"#))
    #expect(await (try set(try signer.keySet([try other.entry]))).verify(token) == .verified)
  }

  @Test("a kid without a key, and an algorithm that fits no key, select no key")
  func noKey() async throws {
    let stranger = try SignedToken(try signer.token("{}", header: #"{"alg":"ES256","kid":"x"}"#))
    #expect(await (try set(try signer.keySet())).verify(stranger) == .noKey)
    let misfit = try SignedToken(try signer.token("{}", header: #"{"alg":"RS256","kid":"k1"}"#))
    #expect(await (try set(try signer.keySet())).verify(misfit) == .noKey)
    #expect(await (try set(#"{"keys":[]}"#)).verify(stranger) == .noKey)
  }

  @Test(
    "text that is not a key set is refused",
    arguments: [
      ("[]", "it is not a key set"), (#"{"keys":{}}"#, "it is not a key set"),
      (#"{"keys":"x"}"#, "it is not a key set"),
      (
        #"{"keys":[\#(Array(repeating: "1", count: 101).joined(separator: ","))]}"#,
        "it has 101 keys, and 100 are the most"
      ),
    ])
  func malformed(text: String, reason: String) throws {
    #expect(throws: KeySet.Malformed(reason: reason)) { try set(text) }
  }
}
