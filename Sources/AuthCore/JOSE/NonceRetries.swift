/// Counts how often a request was sent again because the server asks for another nonce in its proof, and paces that.
///
/// A server may let each nonce be used a few times only. Of many clients that send at the same time, only the first
/// then have a nonce that is still good. A new nonce is therefore used at once; a client that fails even so waits a
/// random time, longer each time, asks for a nonce again and uses that one at once.
struct NonceRetries {
  private var count = 0

  /// How often a request is sent again at the most.
  static let limit = 13
  private static let longestPause = Duration.seconds(1)

  /// Whether nothing has been sent again yet.
  var isUnused: Bool { count == 0 }

  /// How long to wait before the request is sent again; nil if it is not to be sent again.
  ///
  /// - Parameter chance: a random number from 0 to 1.
  mutating func pause(chance: Double = .random(in: 0...1)) -> Duration? {
    guard count < NonceRetries.limit else { return nil }
    defer { count += 1 }
    guard count % 2 == 1 else { return .zero }
    return min(.milliseconds(100 << (count / 2)), NonceRetries.longestPause) * chance
  }

  /// Why there is nothing more to try, for messages.
  static let reason = "the server asked for another DPoP nonce \(limit + 1) times in a row"
}
