import Foundation
import TestSupport
import Testing

@testable import AuthCore

@Suite("BoundSecret")
struct BoundSecretTests {
  private let server = samplePair().server

  @Test("an item names the server and the client, and is read again")
  func item() throws {
    let bound = BoundSecret(Secret("s\"h\nh/é"), to: server)
    let stored = try bound.stored()
    #expect(
      stored.exposed
        == #"{"secret":"s\"h\nh/é","server":{"client_id":"cli","issuer":"https://id.example","#
        + #""revocation_endpoint":"https://id.example/revoke","token_endpoint":"https://id.example/token"},"version":1}"#
    )
    #expect(BoundSecret(stored: stored, tokensOf: nil) == bound)
  }

  @Test(
    "a bare secret of an earlier version, a JSON Web Key too, belongs to the server of the stored tokens",
    arguments: ["shh", #"{"kty":"EC","d":"x"}"#, #"{"version":2,"secret":"x","server":{"client_id":"a"}}"#, "1"])
  func bare(text: String) {
    #expect(BoundSecret(stored: Secret(text), tokensOf: server) == BoundSecret(Secret(text), to: server))
    #expect(BoundSecret(stored: Secret(text), tokensOf: nil).server == nil)
  }

  private func login(_ secrets: MemorySecrets, endpoint: String) async throws -> Secret? {
    let profile = try sampleProfile {
      $0.clientAuthentication = .basic
      $0.endpoints.token = nil
    }
    let server = AuthorizationServer(profile: profile, connection: connection(ScriptedTransport()), secrets: secrets)
    let document = #"{"issuer":"https://id.example","token_endpoint":"\#(endpoint)"}"#
    let metadata = try ServerMetadata(JSONValue(parsing: Array(document.utf8)), issuer: "https://id.example")
    return try await server.clientSecret(for: metadata)
  }

  @Test(
    "a login uses a stored secret only at the token endpoint's origin for which it was given", arguments: [true, false])
  func login(isBare: Bool) async throws {
    let secrets = try MemorySecrets(samplePair())
    secrets.put(isBare ? Secret("shh") : try BoundSecret(Secret("shh"), to: server).stored(), as: .workClientSecret)
    #expect(try await login(secrets, endpoint: "https://id.example/t") == Secret("shh"))
    let error = await #expect(throws: AuthError.self) {
      try await login(secrets, endpoint: "https://evil.example/t")
    }
    #expect(
      error
        == .loginRequired(
          .init(
            "profile work", why: "the stored client secret was given for https://id.example (client cli)",
            remedy: .giveClientSecret(session: "work"))))
  }

  @Test("a bare secret without tokens beside it belongs to no server")
  func orphan() async throws {
    let secrets = MemorySecrets([.workClientSecret: Secret("shh")])
    await #expect(throws: AuthError.self) { try await login(secrets, endpoint: "https://id.example/t") }
  }
}
