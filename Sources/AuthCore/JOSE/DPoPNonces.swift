import Synchronization

/// The nonces that servers have given for the next proofs, by origin, for as long as the process lives (RFC 9449,
/// section 8).
final class DPoPNonces: Sendable {
  private let nonces = Mutex<[Origin: String]>([:])

  /// Starts without any.
  init() {}

  /// The newest nonce of an origin.
  subscript(origin: Origin) -> String? {
    get { nonces.withLock { $0[origin] } }
    set { nonces.withLock { $0[origin] = newValue } }
  }
}
