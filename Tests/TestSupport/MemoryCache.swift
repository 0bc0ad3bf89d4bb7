package import AuthCore
import Synchronization

/// A cache in memory that counts its reads and refuses on demand. Its secrets expire by a clock of the tests.
package final class MemoryCache: VolatileMemory {
  private struct Kept {
    let secret: Secret
    let end: Double
  }

  private struct State {
    var kept: [String: Kept] = [:]
    var reads = 0
    var lifetimes: [Int] = []
    var refusal: RescueFailure?
    var refusesReads = true
  }

  package let place = "a quick place"
  private let uptime: @Sendable () -> Double
  private let state = Mutex(State())

  /// Creates a memory whose secrets expire by a clock.
  package init(uptime: @escaping @Sendable () -> Double = { 0 }) { self.uptime = uptime }

  /// How often a secret was looked for.
  package var reads: Int { state.withLock { $0.reads } }
  /// How long each secret was to be kept, in seconds.
  package var lifetimes: [Int] { state.withLock { $0.lifetimes } }
  /// The names of the secrets.
  package var names: [String] { state.withLock { Array($0.kept.keys) } }
  /// The secrets, whether or not they have expired.
  package var secrets: [String] { state.withLock { $0.kept.values.map(\.secret.exposed) } }

  /// Makes every operation fail from now on; nil ends it.
  ///
  /// - Parameter readsToo: whether reads fail, too.
  package func refuse(_ refusal: RescueFailure?, readsToo: Bool = true) {
    state.withLock { ($0.refusal, $0.refusesReads) = (refusal, readsToo) }
  }

  /// Replaces the text of each secret, as another program of the user can.
  package func overwrite(_ change: (String) -> String) {
    state.withLock { state in
      state.kept = state.kept.mapValues { Kept(secret: Secret(change($0.secret.exposed)), end: $0.end) }
    }
  }

  package func keep(_ secret: Secret, as name: String, for seconds: Int) throws(RescueFailure) {
    let refusal = state.withLock { state in
      guard state.refusal == nil else { return state.refusal }
      state.kept[name] = Kept(secret: secret, end: uptime() + Double(seconds))
      state.lifetimes.append(seconds)
      return nil
    }
    if let refusal { throw refusal }
  }

  package func kept(as name: String) throws(RescueFailure) -> Secret? {
    let (refusal, kept) = state.withLock { state in
      state.reads += 1
      return (state.refusesReads ? state.refusal : nil, state.kept[name])
    }
    if let refusal { throw refusal }
    return kept.flatMap { uptime() < $0.end ? $0.secret : nil }
  }

  package func discard(_ name: String) throws(RescueFailure) {
    let refusal = state.withLock { state in
      if state.refusal == nil { state.kept[name] = nil }
      return state.refusal
    }
    if let refusal { throw refusal }
  }
}
