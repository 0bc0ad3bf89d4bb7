import FoundationEssentials

/// An access token in the cache, with the conditions under which it is valid. Its times are those of the boot-time
/// clock, in seconds, because the local clock can be set.
struct CachedToken: Sendable {
  /// The access token.
  let token: Secret
  /// The generation with which it was cached.
  let generation: String
  /// Identifies the text of the profile for which it was cached.
  let binding: String
  /// When it was cached.
  let filled: Double
  /// When it is no longer used.
  let until: Double
  /// When it expires; nil if unknown.
  var expires: Double?
  /// Its lifetime in seconds; nil if unknown.
  var lifetime: Double?

  /// Creates an entry for a pair's access token.
  ///
  /// - Parameters:
  ///   - remaining: the seconds until the token expires; nil if unknown.
  ///   - seconds: how long it is used.
  init(
    _ pair: TokenPair, remaining: Double?, _ generation: Generation, binding: String, at uptime: Double,
    for seconds: Int
  ) {
    token = pair.accessToken
    self.generation = generation.text
    self.binding = binding
    filled = uptime
    until = uptime + Double(seconds)
    expires = remaining.map { uptime + $0 }
    lifetime = pair.expiresAt.map { $0.timeIntervalSince(pair.issuedAt) }
  }

  /// Reads the text of ``stored()``; nil if it is anything else.
  init?(stored secret: Secret) {
    // Other programs of the user may have written anything there.
    guard let entry = try? JSONValue(parsing: secret.exposed.utf8), entry["version"] == .integer(CachedToken.version),
      let token = entry["access_token"]?.string, !token.isEmpty, token.isVisibleASCII,
      let generation = entry["generation"]?.string, let binding = entry["profile"]?.string,
      let filled = entry["filled"]?.lenientNumber, let until = entry["until"]?.lenientNumber
    else { return nil }
    self.token = Secret(token)
    self.generation = generation
    self.binding = binding
    self.filled = filled
    self.until = until
    expires = entry["expires"]?.lenientNumber
    lifetime = entry["lifetime"]?.lenientNumber
  }

  /// Returns the entry as a secret for a ``VolatileMemory``.
  ///
  /// - Throws: `EncodingError` for a time that is not a number.
  func stored() throws -> Secret {
    var members: [String: JSONValue] = [
      "version": .integer(CachedToken.version), "access_token": .string(token.exposed),
      "generation": .string(generation), "profile": .string(binding), "filled": .number(filled),
      "until": .number(until),
    ]
    members["expires"] = expires.map { .number($0) }
    members["lifetime"] = lifetime.map { .number($0) }
    return Secret(try JSONValue.object(members).text())
  }

  private static let version: Int64 = 1

  /// Whether the token may be used at a time.
  ///
  /// - Parameter limit: how long a token may be used after it was cached, in seconds.
  func isUsable(at uptime: Double, within limit: Double) -> Bool {
    let age = uptime - filled
    return age >= 0 && age < limit && uptime < until
  }

  /// Whether the token is valid for at least this many seconds; true if its expiry is unknown.
  func isValid(for seconds: Double, at uptime: Double) -> Bool { expires.map { $0 - uptime >= seconds } ?? true }

  /// Returns the token as a pair, whose dates are by the local clock.
  func pair(at now: Date, uptime: Double) -> TokenPair {
    let expiresAt = expires.map { now.addingTimeInterval($0 - uptime) }
    let issuedAt = expiresAt.flatMap { date in lifetime.map { date.addingTimeInterval(-$0) } }
    var pair = TokenPair(token, issuedAt: issuedAt ?? now)
    pair.expiresAt = expiresAt
    return pair
  }
}
