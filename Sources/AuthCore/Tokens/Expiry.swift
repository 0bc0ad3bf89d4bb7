import FoundationEssentials

/// Calculates when an access token expires.
enum Expiry {
  /// The end of the year 9999, in seconds: RFC 3339 has no later date, and a server's value must not cause a failure.
  private static let lastDate = 253_402_300_799.0

  /// Returns the expiry of an access token; nil if it is unknown.
  ///
  /// In this order: `expires_in`, counted from the time of sending; the JWT's `exp`, corrected by the difference
  /// between the server's clock and the local one; the lifetime in the profile.
  static func accessToken(
    _ response: TokenResponse, sentAt: Date, serverDate: Date?, lifetime: Duration?
  ) -> Date? {
    if let seconds = response.expiresIn { return sentAt.addingTimeInterval(seconds) }
    if let exp = JSONWebToken(unverified: response.accessToken)?.claims["exp"]?.lenientNumber, lastDate > exp, exp > 0 {
      let expiry = Date(timeIntervalSince1970: exp)
      // `Date` has whole seconds only, so a smaller difference is ignored.
      let ahead = serverDate.map { $0.timeIntervalSince(sentAt) } ?? 0
      return abs(ahead) > 2 ? expiry.addingTimeInterval(-ahead) : expiry
    }
    return lifetime.map { sentAt.addingTimeInterval($0.seconds) }
  }
}

extension Duration {
  /// The duration in seconds.
  public var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}

/// The claims of a JSON Web Token (RFC 7519), read without verifying its signature.
///
/// Sufficient to find out when one of the client's own tokens expires, and for an ID token received directly from the
/// token endpoint over TLS (OpenID Connect Core, section 3.1.3.7, item 6). It proves nothing else.
struct JSONWebToken {
  /// The payload, a JSON object.
  let claims: JSONValue

  /// The largest claims that are stored, in bytes: with the tokens they must fit into the kernel's memory.
  private static let limit = 8 << 10

  /// The claims as JSON for the stored pair; nil if they are too large.
  var storedClaims: String? {
    // Claims that were parsed from JSON can be written as JSON.
    (try? claims.text()).flatMap { $0.utf8.count <= JSONWebToken.limit ? $0 : nil }
  }

  /// Parses a compact serialization; nil if the text is not one.
  init?(unverified token: Secret) {
    let parts = token.exposed.split(atAny: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let claims = JSONValue(objectInBase64URL: parts[1]) else { return nil }
    self.claims = claims
  }
}
