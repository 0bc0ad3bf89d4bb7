import Foundation
import TestSupport
import Testing

@Suite("IDTokenRun") struct IDTokenRunTests {
  private func logIn(_ place: Workplace) async throws -> Outcome {
    try await place.run(place.browserLogin(), browser: place.browser())
  }

  @Test(
    "an ID token that fails a check ends the login with status 6 and its reason; nothing is stored, nothing is quoted",
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
  func refused(settings: String, reason: String) async throws {
    let place = try Workplace()
    try await place.lab.change(settings)
    let outcome = try await logIn(place)
    outcome.expect(6)
    #expect(outcome.error.contains(reason), "\(outcome.error)")
    #expect(!outcome.error.contains("eyJ"))
    #expect(try place.stored() == nil)
    #expect(!FileManager.default.fileExists(atPath: place.file().path))
  }

  @Test("HS256 is verified with the client's secret if the server says that it signs so")
  func sharedSecret() async throws {
    let place = try Workplace()
    try await place.lab.change(#"{"id_token_algorithm":"HS256"}"#)
    try place.makeProfile(
      "work", "client_id = \"svc\"\nscope = [\"openid\"]\nclient_authentication = \"client_secret_post\"")
    let file = try place.secretFile("svc-secret")
    let outcome = try await place.run(
      ["login", "work", "--password-stdin", "--client-secret-file", file], input: .text(Workplace.password))
    outcome.expect(0)
    #expect(try place.pair().string("subject") == "alice")
    #expect(try await place.lab.count("jwks") == 0)
  }

  @Test("keys without names, a token without one, and keys that have just been changed")
  func rotation() async throws {
    for (settings, fetches) in [
      (#"{"id_token_fault":"no-kid"}"#, 1), (#"{"key_names":false}"#, 1), (#"{"stale_key_sets":1}"#, 2),
    ] {
      let place = try Workplace()
      #expect(try await place.lab.send("POST", "/control/rotate-keys").status == 200)
      try await place.lab.change(settings)
      let outcome = try await logIn(place)
      #expect(outcome.status == 0, "\(settings): \(outcome.error)")
      #expect(try await place.lab.count("jwks") == fetches, "\(settings)")
    }
  }

  @Test("keys that can't be fetched for now: status 5 with their address, nothing stored")
  func unavailable() async throws {
    let place = try Workplace()
    try await place.lab.fail(#"{"endpoint":"jwks","kind":"status","status":503,"count":9}"#)
    let outcome = try await logIn(place)
    outcome.expect(5)
    #expect(outcome.error.contains("/jwks") && outcome.error.contains("nothing was stored"), "\(outcome.error)")
    #expect(try place.stored() == nil)
  }

  @Test("a server that names no keys: the direct connection identifies the sender of the token")
  func noKeys() async throws {
    let place = try Workplace()
    try await place.lab.change(
      #"{"oauth_discovery_omits":["jwks_uri"],"openid_discovery_omits":["jwks_uri"],"id_token_fault":"unknown-kid"}"#)
    let outcome = try await logIn(place)
    outcome.expect(0)
    #expect(try await place.lab.count("jwks") == 0)
  }

  @Test("jwks in [endpoints] goes before what the server says")
  func ownEndpoint() async throws {
    let place = try Workplace()
    try place.makeProfile(
      "work", "scope = [\"openid\"]", tables: "[endpoints]\njwks = \"\(place.lab.origin)/nowhere\"\n")
    let outcome = try await place.run(["login", "work", "--password-stdin"], input: .text(Workplace.password))
    outcome.expect(6, error: "/nowhere")
  }

  @Test("openid was asked for and no ID token came: a warning")
  func absent() async throws {
    let place = try Workplace()
    try await place.lab.change(#"{"id_token_fault":"absent"}"#)
    let outcome = try await logIn(place)
    #expect(outcome.status == 0)
    #expect(outcome.error.contains("no ID token"), "\(outcome.error)")
  }

  @Test("a refresh whose ID token is another user's is refused, and the stored pair stays (section 12.2)")
  func refresh() async throws {
    let place = try await Workplace.loggedIn("scope = [\"openid\"]")
    #expect(try await place.run("refresh").status == 0)
    let pair = try place.pair()
    try await place.lab.change(#"{"id_token_fault":"wrong-subject"}"#)
    let outcome = try await place.run("refresh")
    outcome.expect(6, error: "a different person")
    #expect(try place.pair().string("access_token") == pair.string("access_token"))
  }
}
