/// Counts and delays the retries of a request whose proof requires another nonce.
///
/// A server may accept each nonce only a few times. If many clients send at the same time, the nonce is then valid only
/// for the first ones. A new nonce is therefore used immediately. A client that still fails waits a random time, which
/// grows each time, requests a nonce again and uses it immediately.
struct NonceRetries {
  private var count = 0

  /// The maximum number of retries.
  static let limit = 19
  private static let longestPause = Duration.seconds(1)

  /// Whether the request has not been retried yet.
  var isUnused: Bool { count == 0 }

  /// Returns the pause before the next retry; nil if the limit is reached.
  ///
  /// - Parameter chance: a random number from 0 to 1.
  mutating func pause(chance: Double = .random(in: 0...1)) -> Duration? {
    guard count < NonceRetries.limit else { return nil }
    defer { count += 1 }
    guard count % 2 == 1 else { return .zero }
    return min(.milliseconds(100 << (count / 2)), NonceRetries.longestPause) * chance
  }

  /// The reason why the limit is reached, for messages.
  static let reason = "the server asked for another DPoP nonce \(limit + 1) times in a row"
}
