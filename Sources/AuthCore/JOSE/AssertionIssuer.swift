import FoundationEssentials

/// Makes the assertions of a client (RFC 7523, section 3): each is good for one request.
struct AssertionIssuer: Sendable {
  var settings: AssertionSettings
  /// `aud`: the server's issuer, or its token endpoint where no issuer is known.
  var audience: String
  let now: @Sendable () -> Date

  /// How long an assertion is good, in seconds.
  static let lifetime = 60

  /// What an assertion says, beside its times and its `jti`.
  struct Claims: Sendable {
    /// `iss`
    var issuer: String
    /// `sub`
    var subject: String
    /// Where the assertion goes.
    var endpoint: WebURL
    /// Further claims, which go before the others of the same name.
    var further: [String: String] = [:]
  }

  /// Signs a fresh assertion.
  ///
  /// - Parameter name: what the key is called in messages.
  /// - Throws: ``AuthError/usage(_:)`` where the key is unusable or does not fit the algorithm of the profile.
  func assertion(_ claims: Claims, key text: Secret, named name: String) async throws(AuthError) -> Secret {
    try await signed(
      claims, try AssertionIssuer.key(text, settings, named: name), settings.algorithm, named: name)
  }

  /// Signs a fresh assertion with a client's secret (OpenID Connect Core, section 9, `client_secret_jwt`).
  func assertion(_ claims: Claims, secret: Secret) async throws(AuthError) -> Secret {
    // The algorithm of the profile may be that of the key of a jwt-bearer grant.
    let algorithm = settings.algorithm.flatMap { $0.isSymmetric ? $0 : nil }
    return try await signed(claims, AssertionKey(secret: secret), algorithm, named: "the client's secret")
  }

  /// Reads a key and proves that it can sign as the profile says.
  ///
  /// - Throws: ``AuthError/usage(_:)`` where it can't.
  static func key(_ text: Secret, _ settings: AssertionSettings, named name: String) throws(AuthError) -> AssertionKey {
    do throws(AssertionKey.Unusable) {
      let key = try AssertionKey(text, keyID: settings.keyID)
      _ = try key.algorithm(settings.algorithm)
      return key
    } catch {
      throw unusable(name, error)
    }
  }

  private func signed(
    _ claims: Claims, _ key: AssertionKey, _ algorithm: AssertionAlgorithm?, named name: String
  ) async throws(AuthError) -> Secret {
    let issuedAt = Int64(now().timeIntervalSince1970.rounded(.down))
    var all: [String: JSONValue] = [
      "iss": .string(claims.issuer), "sub": .string(claims.subject), "aud": .string(audience(at: claims.endpoint)),
    ]
    for (claim, value) in claims.further { all[claim] = .string(value) }
    all["jti"] = .string(SystemRandomText.make())
    all["iat"] = .integer(issuedAt)
    all["exp"] = .integer(issuedAt + Int64(AssertionIssuer.lifetime))
    do throws(AssertionKey.Unusable) {
      return try await key.sign(all, algorithm: algorithm, keyID: settings.keyID)
    } catch {
      throw AssertionIssuer.unusable(name, error)
    }
  }

  private func audience(at endpoint: WebURL) -> String {
    settings.audience == AssertionSettings.endpointAudience ? endpoint.string : settings.audience ?? audience
  }

  private static func unusable(_ name: String, _ error: AssertionKey.Unusable) -> AuthError {
    .usage(.init(name, why: error.reason, hint: error.remedy))
  }
}

/// How a profile's client signs: its assertions at the token endpoint (RFC 7523, section 2.2), and those that are a
/// grant themselves (section 2.1).
package struct AssertionSettings: Sendable, Equatable {
  /// The absolute path of the file with the private key; nil where the key is in the keyring.
  package var key: String?
  /// `kid` of the assertions' header; nil takes that of a JWK.
  package var keyID: String?
  /// The algorithm; nil takes what fits the key, and `HS256` for a client's secret.
  package var algorithm: AssertionAlgorithm?
  /// `aud`; nil takes the issuer, and the token endpoint where no issuer is known. Several servers want the latter, and
  /// some the very address that is asked: ``endpointAudience``.
  package var audience: String?

  /// The word for an audience that is the URL of whichever endpoint an assertion is sent to (RFC 9126, section 2).
  package static let endpointAudience = "endpoint"

  /// Makes settings in which all is left to the key and the server.
  package init() {}
}
