import FoundationEssentials

/// Works out when an access token expires.
enum Expiry {
  /// The end of the year 9999, in seconds: RFC 3339 has no later date, and what a server says must not make us fail.
  private static let lastDate = 253_402_300_799.0

  /// In this order: `expires_in` from the moment of sending; the JWT's `exp`, moved by what the server's clock differs
  /// from ours; the life that the profile states; else unknown.
  static func accessToken(
    _ response: TokenResponse, sentAt: Date, serverDate: Date?, lifetime: Duration?
  ) -> Date? {
    if let seconds = response.expiresIn { return sentAt.addingTimeInterval(seconds) }
    if let exp = JSONWebToken(unverified: response.accessToken)?.claims["exp"]?.lenientNumber, lastDate > exp, exp > 0 {
      let expiry = Date(timeIntervalSince1970: exp)
      // `Date` has whole seconds only: a smaller difference is no difference.
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
/// Enough to learn when a token of our own expires, and for an ID token that came straight from the token endpoint over
/// TLS (OpenID Connect Core, section 3.1.3.7, item 6); never a proof of anything else.
struct JSONWebToken {
  /// The payload, a JSON object.
  let claims: JSONValue

  /// Takes a compact serialization apart; nil where the text is none.
  init?(unverified token: Secret) {
    let parts = token.exposed.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let payload = Base64URL.decode(parts[1]),
      let claims = try? JSONValue(parsing: payload), case .object = claims
    else { return nil }
    self.claims = claims
  }
}
