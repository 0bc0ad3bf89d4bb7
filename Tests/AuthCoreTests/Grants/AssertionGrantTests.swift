import Foundation
import TestSupport
import Testing

@testable import AuthCore

@Suite("the grants by assertion and by exchange")
struct AssertionGrantTests {
  private static let success = ScriptedTransport.Step.response(200, #"{"access_token":"a","expires_in":60}"#)

  private func login(
    _ steps: [ScriptedTransport.Step], _ change: (inout Profile) throws -> Void = { _ in }
  ) throws -> (Login, ScriptedTransport) {
    let transport = ScriptedTransport(steps)
    let server = AuthorizationServer(
      profile: try sampleProfile(change), connection: connection(transport), secrets: MemorySecrets())
    return (Login(server, metadata: nil, clientSecret: nil), transport)
  }

  private func claims(_ form: [String]) throws -> JSONValue {
    let field = try #require(form.first { $0.hasPrefix("assertion=") })
    return try #require(JSONWebToken(unverified: Secret(String(field.dropFirst(10))))).claims
  }

  @Test("the client signs for the profile's user, with its further claims (RFC 7523, section 2.1)")
  func signed() async throws {
    let (login, transport) = try login([AssertionGrantTests.success]) {
      $0.flow = .jwtBearer
      $0.username = "alice"
      $0.scope = ["a", "b"]
      $0.resource = ["https://api.example"]
      $0.parameters.assertion = ["scope": "x", "iss": "robot@example"]
    }
    let pair = try await login.jwtBearer(key: Secret(SampleKeys.p256JWK))
    #expect(pair.flow == "jwt-bearer")
    let form = try #require(transport.requests.first?.form)
    #expect(
      form.filter { !$0.hasPrefix("assertion=") } == [
        "grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer", "scope=a b", "resource=https://api.example",
        "client_id=cli",
      ])
    let claims = try claims(form)
    #expect(claims["iss"]?.string == "robot@example")
    #expect(claims["sub"]?.string == "alice")
    #expect(claims["aud"]?.string == "https://id.example")
    #expect(claims["scope"]?.string == "x")
  }

  @Test("a token of an assertion grant is refreshed by signing again, with a new assertion each time")
  func refreshed() async throws {
    let transport = ScriptedTransport([.response(503), AssertionGrantTests.success])
    let secrets = MemorySecrets([.workKey: Secret(SampleKeys.p256JWK)])
    // Time is no limit here, however slow the machine.
    let profile = try sampleProfile {
      $0.flow = .jwtBearer
      $0.network.timeout = .seconds(3600)
    }
    let server = AuthorizationServer(profile: profile, connection: connection(transport), secrets: secrets)
    let refresher = OAuthRefresher(server, pause: .milliseconds(1))
    var pair = samplePair(refresh: nil)
    pair.flow = "jwt-bearer"
    #expect(refresher.canRefresh(pair))
    #expect(try await refresher.refresh(pair).flow == "jwt-bearer")
    let sent = try transport.requests.map { try claims($0.form) }
    #expect(sent.map { $0["sub"]?.string } == ["cli", "cli"])
    #expect(Set(sent.map { $0["jti"]?.string }).count == 2)
  }

  @Test("a refresh token is used as usual")
  func refreshesWithToken() async throws {
    let transport = ScriptedTransport([AssertionGrantTests.success])
    let server = AuthorizationServer(
      profile: try sampleProfile { $0.flow = .jwtBearer }, connection: connection(transport), secrets: MemorySecrets())
    var pair = samplePair()
    pair.flow = "jwt-bearer"
    _ = try await OAuthRefresher(server).refresh(pair)
    #expect(transport.requests.first?.form.first == "grant_type=refresh_token")
  }

  @Test("an assertion that was given goes as it is, and can't be repeated")
  func given() async throws {
    let (login, transport) = try login([AssertionGrantTests.success]) { $0.flow = .jwtBearer }
    let pair = try await login.jwtBearer(assertion: Secret("x.y.z"))
    #expect(transport.requests.first?.form.contains("assertion=x.y.z") == true)
    #expect(pair.flow == "assertion")
    #expect(!OAuthRefresher(login.server).canRefresh(pair))
  }

  @Test("a token exchange has the fields of RFC 8693, section 2.1")
  func exchange() async throws {
    let (login, transport) = try login([AssertionGrantTests.success]) {
      $0.flow = .tokenExchange
      $0.scope = ["a"]
      $0.audience = "aud"
      $0.resource = ["https://api.example"]
    }
    let type = try #require(TokenExchange.typeURN("access_token"))
    let pair = try await login.exchange(
      TokenExchange(
        subject: .init(Secret("S"), type: type), actor: .init(Secret("A"), type: "urn:x:y"), requestedType: type))
    #expect(pair.flow == "token-exchange")
    #expect(
      transport.requests.map(\.form) == [
        [
          "grant_type=urn:ietf:params:oauth:grant-type:token-exchange", "subject_token=S",
          "subject_token_type=urn:ietf:params:oauth:token-type:access_token", "actor_token=A",
          "actor_token_type=urn:x:y", "requested_token_type=urn:ietf:params:oauth:token-type:access_token", "scope=a",
          "audience=aud", "resource=https://api.example", "client_id=cli",
        ]
      ])
  }

  @Test("a token that is not an access token is refused (RFC 8693, section 2.2.1)", arguments: ["N_A", "n_a"])
  func noAccessToken(type: String) async throws {
    let response =
      #"{"access_token":"a","token_type":"\#(type)","issued_token_type":"urn:ietf:params:oauth:token-type:id_token"}"#
    let (login, _) = try login([.response(200, response)]) { $0.flow = .tokenExchange }
    await #expect(
      throws: AuthError.refused(
        .init(
          "logging in to work",
          why: "the server issued a token that is not an access token (urn:ietf:params:oauth:token-type:id_token)",
          hint: "nothing was stored; request a token of type access_token"))
    ) { try await login.exchange(TokenExchange(subject: .init(Secret("S"), type: "urn:x:y"))) }
  }

  @Test(
    "a type of token is a short word or a URI",
    arguments: [
      ("jwt", "urn:ietf:params:oauth:token-type:jwt"), ("saml2", "urn:ietf:params:oauth:token-type:saml2"),
      ("urn:example:x", "urn:example:x"), ("https://example.com/t", "https://example.com/t"), ("JWT", nil), ("", nil),
      ("urn:x y", nil),
    ] as [(String, String?)])
  func types(text: String, expected: String?) {
    #expect(TokenExchange.typeURN(text) == expected)
  }
}
