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
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(try place.lab.count("jwks") == 1)
    #expect(try place.pair().string("subject") == "alice")
  }

  @Test(
    "what is not to be believed ends the login with status 6 and its reason; nothing is stored, nothing is quoted",
    arguments: [
      (#"{"id_token_algorithm":"none"}"#, "alg is none"),
      (#"{"id_token_algorithm":"HS256-public-key"}"#, "HS256"),
      (#"{"id_token_algorithm":"HS256"}"#, "HS256"),
      (#"{"id_token_algorithm":"ES256K"}"#, "ES256K"),
      (#"{"id_token_algorithm":"RS256-weak"}"#, "1024 bits"),
      (#"{"id_token_fault":"garbage"}"#, "not a JWT"), (#"{"id_token_fault":"wrong-issuer"}"#, "a different issuer"),
      (#"{"id_token_fault":"wrong-audience"}"#, "another client"), (#"{"id_token_fault":"two-audiences"}"#, "azp"),
      (#"{"id_token_fault":"wrong-nonce"}"#, "nonce"), (#"{"id_token_fault":"expired"}"#, "expired"),
      (#"{"id_token_fault":"wrong-at-hash"}"#, "at_hash"),
      (#"{"id_token_fault":"unknown-kid"}"#, "not among the server's"),
      (#"{"id_token_fault":"bad-signature"}"#, "wrong signature"),
      (#"{"id_token_fault":"empty-signature"}"#, "empty signature"), (#"{"id_token_fault":"crit"}"#, "crit"),
    ])
  func refused(settings: String, reason: String) throws {
    let place = try Workplace()
    try place.lab.change(settings)
    let outcome = try logIn(place)
    #expect(outcome.status == 6, "\(outcome.error)")
    #expect(outcome.error.contains(reason), "\(outcome.error)")
    #expect(!outcome.error.contains("eyJ"))
    #expect(try place.stored() == nil)
    #expect(!FileManager.default.fileExists(atPath: place.file().path))
  }

  @Test("HS256 is verified with the client's secret where the server says that it signs so")
  func sharedSecret() throws {
    let place = try Workplace()
    try place.lab.change(#"{"id_token_algorithm":"HS256"}"#)
    try place.makeProfile(
      "work", "client_id = \"svc\"\nscope = [\"openid\"]\nclient_authentication = \"client_secret_post\"")
    let file = try place.secretFile("svc-secret")
    let outcome = try place.run(
      ["login", "work", "--password-stdin", "--client-secret-file", file], input: .text(Workplace.password))
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(try place.pair().string("subject") == "alice")
    #expect(try place.lab.count("jwks") == 0)
  }

  @Test("keys without names, a token without one, and keys that have just been changed")
  func rotation() throws {
    for (settings, fetches) in [
      (#"{"id_token_fault":"no-kid"}"#, 1), (#"{"key_names":false}"#, 1), (#"{"stale_key_sets":1}"#, 2),
    ] {
      let place = try Workplace()
      #expect(try place.lab.send("POST", "/control/rotate-keys").status == 200)
      try place.lab.change(settings)
      let outcome = try logIn(place)
      #expect(outcome.status == 0, "\(settings): \(outcome.error)")
      #expect(try place.lab.count("jwks") == fetches, "\(settings)")
    }
  }

  @Test("keys that can't be had for now: status 5, said where, nothing stored")
  func unavailable() throws {
    let place = try Workplace()
    try place.lab.fail(#"{"endpoint":"jwks","kind":"status","status":503,"count":9}"#)
    let outcome = try logIn(place)
    #expect(outcome.status == 5, "\(outcome.error)")
    #expect(outcome.error.contains("/jwks") && outcome.error.contains("nothing was stored"), "\(outcome.error)")
    #expect(try place.stored() == nil)
  }

  @Test("a server that names no keys: the direct connection says who sent the token")
  func noKeys() throws {
    let place = try Workplace()
    try place.lab.change(
      #"{"oauth_discovery_omits":["jwks_uri"],"openid_discovery_omits":["jwks_uri"],"id_token_fault":"unknown-kid"}"#)
    let outcome = try logIn(place)
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(try place.lab.count("jwks") == 0)
  }

  @Test("jwks in [endpoints] goes before what the server says")
  func ownEndpoint() throws {
    let place = try Workplace()
    try place.makeProfile(
      "work", "scope = [\"openid\"]", tables: "[endpoints]\njwks = \"\(place.lab.origin)/nowhere\"\n")
    let outcome = try place.run(["login", "work", "--password-stdin"], input: .text(Workplace.password))
    #expect(outcome.status == 6, "\(outcome.error)")
    #expect(outcome.error.contains("/nowhere"), "\(outcome.error)")
  }

  @Test("openid was asked for and no ID token came: a warning")
  func absent() throws {
    let place = try Workplace()
    try place.lab.change(#"{"id_token_fault":"absent"}"#)
    let outcome = try logIn(place)
    #expect(outcome.status == 0)
    #expect(outcome.error.contains("no ID token"), "\(outcome.error)")
  }

  @Test("a renewal whose ID token is another person's is refused, and the stored pair stays (section 12.2)")
  func refresh() throws {
    let place = try Workplace.loggedIn("scope = [\"openid\"]")
    #expect(try place.run("refresh").status == 0)
    let pair = try place.pair()
    try place.lab.change(#"{"id_token_fault":"wrong-subject"}"#)
    let outcome = try place.run("refresh")
    #expect(outcome.status == 6, "\(outcome.error)")
    #expect(outcome.error.contains("a different person"), "\(outcome.error)")
    #expect(try place.pair().string("access_token") == pair.string("access_token"))
  }
}
