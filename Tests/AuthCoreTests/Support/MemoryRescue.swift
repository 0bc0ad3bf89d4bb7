import Synchronization

@testable import AuthCore

/// A rescue in memory, which refuses on demand.
final class MemoryRescue: TokenRescue {
  let place = "a safe place"
  private let secrets = Mutex<[String: Secret]>([:])
  private let refusal: RescueFailure?

  init(refusing refusal: RescueFailure? = nil) { self.refusal = refusal }

  /// A rescue that holds `pair`, got for `former`, of the session `work`.
  convenience init(_ pair: TokenPair, over former: TokenPair) throws {
    self.init()
    try hold(try RescuedPair(pair, over: former).stored(), for: "work")
  }

  func hold(_ secret: Secret, for profile: String) throws(RescueFailure) {
    if let refusal { throw refusal }
    secrets.withLock { $0[profile] = secret }
  }

  func held(for profile: String) throws(RescueFailure) -> Secret? { secrets.withLock { $0[profile] } }

  func drop(for profile: String) throws(RescueFailure) { secrets.withLock { $0[profile] = nil } }

  /// The pair that is held of the session `work`, without the process that obtained it.
  var pair: TokenPair? {
    get throws { try held(for: "work").map { try RescuedPair(stored: $0).pair.uncounted } }
  }
}
