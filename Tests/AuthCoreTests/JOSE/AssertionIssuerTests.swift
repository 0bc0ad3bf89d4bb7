import Foundation
import TestSupport
import Testing

@testable import AuthCore

@Suite("AssertionIssuer")
struct AssertionIssuerTests {
  private let endpoint: WebURL

  init() throws { endpoint = try WebURL("https://id.example/t") }

  private func issuer(_ change: (inout AssertionSettings) -> Void = { _ in }) -> AssertionIssuer {
    var settings = AssertionSettings()
    change(&settings)
    return AssertionIssuer(settings: settings, audience: "https://id.example", now: { .sample })
  }

  private func claims(_ assertion: Secret) throws -> JSONValue {
    try #require(JSONWebToken(unverified: assertion)).claims
  }

  @Test("an assertion has the claims of RFC 7523, section 3, and lives for a minute")
  func claims() async throws {
    let claims = try claims(
      await issuer().assertion(
        .init(issuer: "c", subject: "s", endpoint: endpoint), key: Secret(SampleKeys.p256JWK), named: "k"))
    let id = try #require(claims["jti"]?.string)
    #expect(id.utf8.count == 43)
    #expect(
      claims
        == .object([
          "iss": .string("c"), "sub": .string("s"), "aud": .string("https://id.example"), "jti": .string(id),
          "iat": .integer(1_767_323_045), "exp": .integer(1_767_323_105),
        ]))
  }

  @Test("no two assertions are the same")
  func fresh() async throws {
    let key = Secret(SampleKeys.ed25519JWK)
    let one = try await issuer().assertion(.init(issuer: "c", subject: "c", endpoint: endpoint), key: key, named: "k")
    let other = try await issuer().assertion(.init(issuer: "c", subject: "c", endpoint: endpoint), key: key, named: "k")
    #expect(one != other)
  }

  @Test("further claims and the profile's audience go before ours, times and jti do not")
  func further() async throws {
    let further = ["sub": "bob", "scope": "a b", "exp": "never", "jti": "mine"]
    let issuer = issuer { $0.audience = "https://id.example/token" }
    let claims = try claims(
      await issuer.assertion(
        .init(issuer: "c", subject: "s", endpoint: endpoint, further: further), key: Secret(SampleKeys.p256JWK),
        named: "k"))
    #expect(claims["sub"]?.string == "bob")
    #expect(claims["scope"]?.string == "a b")
    #expect(claims["aud"]?.string == "https://id.example/token")
    #expect(claims["exp"] == .integer(1_767_323_105))
    #expect(claims["jti"]?.string != "mine")
  }

  @Test(
    "a client's secret signs with HMAC, also where the profile's algorithm is that of a key",
    arguments: [(nil, "HS256"), (.hs512, "HS512"), (.es256, "HS256")] as [(AssertionAlgorithm?, String)])
  func secret(algorithm: AssertionAlgorithm?, expected: String) async throws {
    let assertion = try await issuer { $0.algorithm = algorithm }.assertion(
      .init(issuer: "c", subject: "c", endpoint: endpoint), secret: Secret("shh"))
    let header = try #require(Base64URL.decode(assertion.exposed.prefix { $0 != "." }))
    #expect(try JSONValue(parsing: header)["alg"]?.string == expected)
  }

  @Test("an unusable key is reported by its name, as an error in the profile")
  func unusable() async throws {
    await #expect(
      throws: AuthError.usage(
        .init(
          "the key /k.pem", why: "it can't sign with RS256",
          hint: "remove assertion_algorithm, or set it to one of: ES256"))
    ) {
      try await issuer { $0.algorithm = .rs256 }.assertion(
        .init(issuer: "c", subject: "c", endpoint: endpoint), key: Secret(SampleKeys.p256JWK), named: "the key /k.pem")
    }
  }
}
