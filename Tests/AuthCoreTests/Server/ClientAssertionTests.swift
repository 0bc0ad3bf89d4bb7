import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import AuthCore

@Suite("client authentication by assertion and certificate")
struct ClientAssertionTests {
  private static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

  private func server(
    _ transport: ScriptedTransport = ScriptedTransport(), _ secrets: MemorySecrets = MemorySecrets(),
    _ change: (inout Profile) throws -> Void
  ) throws -> AuthorizationServer {
    AuthorizationServer(profile: try sampleProfile(change), connection: connection(transport), secrets: secrets)
  }

  private func claims(_ form: [String]) throws -> JSONValue {
    let field = try #require(form.first { $0.hasPrefix("client_assertion=") })
    return try #require(JSONWebToken(unverified: Secret(String(field.dropFirst(17))))).claims
  }

  @Test(
    "iss and sub are the client, aud is the issuer, else the token endpoint (RFC 7523, section 3)",
    arguments: [
      (ClientAuthentication.privateKeyJWT, SampleKeys.p256JWK, nil, "https://id.example"),
      (.secretJWT, "shh", nil, "https://id.example"),
      (.privateKeyJWT, SampleKeys.rsaPKCS8, "https://other.example", "https://other.example"),
      (.privateKeyJWT, SampleKeys.rsaPKCS8, "endpoint", "https://id.example/x"),
      (.secretJWT, "shh", "", "https://id.example/token"),
    ])
  func assertion(authentication: ClientAuthentication, secret: String, audience: String?, expected: String) async throws
  {
    let server = try server {
      $0.clientAuthentication = authentication
      if audience == "" { $0.issuer = nil } else { $0.assertion.audience = audience }
    }
    var form: [(name: String, value: String)] = []
    var fields: HTTPFields = [:]
    try await server.client(Secret(secret)).authenticate(&form, &fields, at: try WebURL("https://id.example/x"))
    #expect(form.map(\.name) == ["client_id", "client_assertion_type", "client_assertion"])
    #expect(form[0].value == "cli")
    #expect(form[1].value == ClientAssertionTests.type)
    #expect(fields.isEmpty)
    let claims = try claims(form.map { "\($0.name)=\($0.value)" })
    #expect(claims["iss"]?.string == "cli")
    #expect(claims["sub"]?.string == "cli")
    #expect(claims["aud"]?.string == expected)
  }

  @Test("a client with a certificate names itself only (RFC 8705, section 2)")
  func certificate() async throws {
    let server = try server { $0.clientAuthentication = .tls }
    var form: [(name: String, value: String)] = []
    var fields: HTTPFields = [:]
    try await server.client(nil).authenticate(&form, &fields, at: try WebURL("https://id.example/x"))
    #expect(form.map { "\($0.name)=\($0.value)" } == ["client_id=cli"])
    #expect(fields.isEmpty)
  }

  @Test("each attempt of a refresh has an assertion of its own")
  func eachAttempt() async throws {
    // Time is no limit here, however slow the machine.
    let transport = ScriptedTransport([.response(500), .response(503), .response(200, #"{"access_token":"A2"}"#)])
    let secrets = MemorySecrets([.workKey: Secret(SampleKeys.ed25519JWK)])
    let server = try server(transport, secrets) {
      $0.clientAuthentication = .privateKeyJWT
      $0.network.timeout = .seconds(3600)
    }
    _ = try await OAuthRefresher(server, pause: .milliseconds(1)).refresh(samplePair())
    let ids = try transport.requests.map { try claims($0.form)["jti"]?.string }
    #expect(ids.count == 3)
    #expect(Set(ids).count == 3)
  }

  @Test("revocation authenticates in the same way")
  func revocation() async throws {
    let transport = ScriptedTransport([.response(200), .response(200)])
    let secrets = MemorySecrets([.workKey: Secret(SampleKeys.p256SEC1)])
    let server = try server(transport, secrets) { $0.clientAuthentication = .privateKeyJWT }
    #expect(try await server.revoke(samplePair()))
    let ids = try transport.requests.map { try claims($0.form)["jti"]?.string }
    #expect(Set(ids).count == 2)
  }

  @Test("a key that is missing in the keyring is reported, with the remedy")
  func missing() async throws {
    let server = try server { $0.clientAuthentication = .privateKeyJWT }
    await #expect(
      throws: AuthError.loginRequired(
        .init(
          "profile work", why: "the client's private key is not stored",
          remedy: .giveClientKey(session: "work")))
    ) { try await server.clientSecret(for: nil) }
  }

  @Test("a key that can't be used is a mistake of the profile, before anything is sent")
  func unusable() async throws {
    let transport = ScriptedTransport()
    let secrets = MemorySecrets([.workKey: Secret(SampleKeys.p256SEC1)])
    let server = try server(transport, secrets) {
      $0.clientAuthentication = .privateKeyJWT
      $0.assertion.algorithm = .rs256
    }
    guard case .other(.usage(let explanation)) = await failure(OAuthRefresher(server)) else {
      Issue.record("it is no mistake of the profile")
      return
    }
    #expect(explanation.what == "the private key of work")
    #expect(transport.requests.isEmpty)
  }

  private func failure(_ refresher: OAuthRefresher) async -> RefreshFailure? {
    do throws(RefreshFailure) {
      _ = try await refresher.refresh(samplePair())
      return nil
    } catch {
      return error
    }
  }

  @Test("the endpoints of mtls_endpoint_aliases are those of a client with a certificate (RFC 8705, section 5)")
  func aliases() throws {
    let text = """
      {"issuer":"https://id.example","token_endpoint":"https://id.example/t","revocation_endpoint":"https://id.example/r",
      "mtls_endpoint_aliases":{"token_endpoint":"https://mtls.id.example/t","issuer":"https://evil.example"}}
      """
    let document = try JSONValue(parsing: Array(text.utf8))
    let plain = try ServerMetadata(document, issuer: "https://id.example")
    #expect(plain.tokenEndpoint?.string == "https://id.example/t")
    let mtls = try ServerMetadata(document.forClient(usingMTLS: true), issuer: "https://id.example")
    #expect(mtls.tokenEndpoint?.string == "https://mtls.id.example/t")
    #expect(mtls.revocationEndpoint?.string == "https://id.example/r")
  }
}
