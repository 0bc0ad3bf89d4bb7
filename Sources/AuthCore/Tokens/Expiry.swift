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
