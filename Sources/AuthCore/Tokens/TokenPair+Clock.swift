public import FoundationEssentials

extension TokenPair {
  /// What was found out about the local clock when a pair was read.
  ///
  /// It does not count as part of the pair: two readings of one item are equal, whenever they were taken.
  struct ClockFinding: Sendable, Equatable {
    /// What was found out; nil where the pair was not read from a store.
    var localClock: LocalClock?

    static func == (one: ClockFinding, other: ClockFinding) -> Bool { true }
  }

  /// What is known of the local clock, with which the pair's dates are compared.
  package var localClock: LocalClock { clockFinding.localClock ?? LocalClock(off: clock?.serverOffset ?? 0) }

  /// The pair as it is to be taken when the clocks show this. Every storage gives out pairs so.
  package func read(at reading: ClockReading) -> TokenPair {
    var pair = self
    // A pair of an earlier version says at least when it was issued.
    let clock = clock ?? IssuanceClock(ClockReading(time: issuedAt, boot: nil))
    pair.clockFinding.localClock = clock.localClock(at: reading)
    return pair
  }

  /// Seconds until the access token expires; nil if unknown, negative after expiry. Zero or less if the local clock
  /// is not reliable at all.
  public func remaining(at now: Date) -> Double? {
    guard let left = expiresAt?.timeIntervalSince(now) else { return nil }
    return localClock.most.map { left - $0 } ?? min(0, left - localClock.least)
  }

  /// Seconds until the refresh token expires; nil when unknown, negative once it has.
  public func refreshRemaining(at now: Date) -> Double? {
    refreshExpiresAt.map { $0.timeIntervalSince(now) - localClock.least }
  }
}
