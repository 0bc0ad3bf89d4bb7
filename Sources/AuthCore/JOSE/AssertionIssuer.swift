import FoundationEssentials

/// Creates the assertions of a client (RFC 7523, section 3); each is valid for one request.
struct AssertionIssuer: Sendable {
  var settings: AssertionSettings
  /// `aud`: the server's issuer, or its token endpoint if no issuer is known.
  var audience: String
  let now: @Sendable () -> Date

  /// The lifetime of an assertion in seconds.
  static let lifetime = 60

  /// The claims of an assertion, except its times and its `jti`.
  struct Claims: Sendable {
    /// `iss`
    var issuer: String
    /// `sub`
    var subject: String
    /// The URL to which the assertion is sent.
    var endpoint: WebURL
    /// Further claims, which replace others of the same name.
    var further: [String: String] = [:]
  }

  /// Signs a new assertion.
  ///
  /// - Parameter name: the name of the key in messages.
  /// - Throws: ``AuthError/usage(_:)`` if the key is unusable or does not fit the algorithm of the profile.
  func assertion(_ claims: Claims, key text: Secret, named name: String) async throws(AuthError) -> Secret {
    try await signed(
      claims, try AssertionIssuer.key(text, settings, named: name), settings.algorithm, named: name)
  }

  /// Signs a new assertion with a client secret (OpenID Connect Core, section 9, `client_secret_jwt`).
  func assertion(_ claims: Claims, secret: Secret) async throws(AuthError) -> Secret {
    // The algorithm of the profile may belong to the key of a jwt-bearer grant.
    let algorithm = settings.algorithm.flatMap { $0.isSymmetric ? $0 : nil }
    return try await signed(claims, AssertionKey(secret: secret), algorithm, named: "the client's secret")
  }

  /// Reads a key and checks that it can sign with the profile's algorithm.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if it can't.
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
    .usage(name, why: error.reason, hint: error.remedy)
  }
}

/// Settings for the assertions of a profile's client: those that authenticate it at the token endpoint (RFC 7523,
/// section 2.2), and those that are a grant themselves (section 2.1).
package struct AssertionSettings: Sendable, Equatable {
  /// The absolute path of the file with the private key; nil if the key is in the keyring.
  package var key: String?
  /// `kid` of the assertions' header; nil uses that of a JWK.
  package var keyID: String?
  /// The algorithm; nil uses one that fits the key, or `HS256` for a client secret.
  package var algorithm: AssertionAlgorithm?
  /// `aud`; nil uses the issuer, or the token endpoint if no issuer is known. Several servers require the latter, and
  /// some the URL of the endpoint that receives the request: ``endpointAudience``.
  package var audience: String?

  /// The keyword for an audience that is the URL of the endpoint to which an assertion is sent (RFC 9126, section 2).
  package static let endpointAudience = "endpoint"

  /// Creates settings that all follow from the key and the server.
  package init() {}
}
