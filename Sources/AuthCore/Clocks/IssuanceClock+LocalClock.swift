import FoundationEssentials

extension IssuanceClock {
  /// Judges the local clock by what has become of it since the issuance.
  func localClock(at now: ClockReading) -> LocalClock {
    guard let elapsed = now.elapsed(since: reading) else { return afterRestart(now) }
    let offset = serverOffset ?? 0
    // What the local clock has gained on the one that nobody sets. A suspend counts in both and so in neither.
    let change = now.time.timeIntervalSince(reading.time) - elapsed
    guard abs(change) > IssuanceClock.tolerance else { return .init(off: offset) }
    let ahead = offset - change
    // Set back, or put right: neither can be seen in any other way. Set forward is also what it looks like when a machine
    // was halted for a while and its clock then put right.
    if change < 0 || abs(ahead) <= IssuanceClock.tolerance { return .init(off: ahead) }
    return .doubtful(least: ahead, most: offset)
  }

  /// Since another start of the machine, or on another machine, there is the local clock alone; but the issuance is past.
  private func afterRestart(_ now: ClockReading) -> LocalClock {
    let offset = serverOffset ?? 0
    let missing = issuedAt.timeIntervalSince(now.time)
    guard missing - max(0, offset) <= IssuanceClock.tolerance else { return .setBack(atLeast: missing) }
    return offset == 0 ? .right : .doubtful(least: min(0, offset), most: max(0, offset))
  }
}

extension LocalClock {
  /// A clock that is off by something, or by too little to matter.
  init(off seconds: Double) {
    self = abs(seconds) > IssuanceClock.tolerance ? .off(by: seconds) : .right
  }
}
