import FoundationEssentials

/// Works out when an access token expires.
enum Expiry {
  /// In this order: `expires_in` from the moment of sending; the JWT's `exp`, moved by what the server's clock differs
  /// from ours; the life that the profile states; else unknown.
  static func accessToken(
    _ response: TokenResponse, sentAt: Date, serverDate: Date?, lifetime: Duration?
  ) -> Date? {
    if let seconds = response.expiresIn { return sentAt.addingTimeInterval(seconds) }
    if let exp = JSONWebToken(unverified: response.accessToken)?.claims["exp"]?.lenientNumber {
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
