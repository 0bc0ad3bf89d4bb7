import FoundationEssentials

/// What the clocks showed when the request for a pair was sent: by it the pair's dates hold whatever becomes of the
/// local clock.
package struct IssuanceClock: Sendable, Equatable {
  /// The clocks of this machine, to the millisecond at the best.
  package var reading: ClockReading
  /// By how much the server's clock was ahead of the local one, in seconds; nil where the two agreed, to a minute, or
  /// where the server did not say its time. The pair's dates are then by the server's clock.
  package var serverOffset: Double?

  /// A difference that is none, in seconds.
  static let tolerance = 60.0

  /// Makes a record.
  package init(_ reading: ClockReading, serverOffset: Double? = nil) {
    self.reading = reading
    self.serverOffset = serverOffset
  }

  /// Makes a record of an exchange, and finds out by the `Date` of its response whether the local clock is right.
  ///
  /// The server has written its `Date` at some moment between the two readings; only what that leaves no room for
  /// counts as a difference.
  init(sent: ClockReading, received: ClockReading, serverDate: Date?) {
    self.init(sent)
    // A date that makes no sense, beyond the years 1970 to 2286, is none.
    guard let serverDate, (0..<1e10).contains(serverDate.timeIntervalSince1970) else { return }
    let latency = received.elapsed(since: sent) ?? max(0, received.time.timeIntervalSince(sent.time))
    let ahead = serverDate.timeIntervalSince(sent.time)
    // `Date` has whole seconds: the server's clock may have been up to one second further.
    let (least, most) = ((ahead - latency).rounded(.down), ahead + 1)
    guard least > IssuanceClock.tolerance || most < -IssuanceClock.tolerance else { return }
    // The least: what is dated by it is never of the future at the server.
    serverOffset = least
  }

  /// When the pair was asked for, by the clock by which its dates count.
  var issuedAt: Date { reading.time.addingTimeInterval(serverOffset ?? 0) }
}

extension IssuanceClock: Codable {
  enum CodingKeys: String, CodingKey {
    case bootID = "boot_id"
    case uptime
    case time
    case serverOffset = "server_offset"
  }

  /// Reads the stored form.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let id = try values.decodeIfPresent(String.self, forKey: .bootID)
    let uptime = try values.decodeIfPresent(Double.self, forKey: .uptime)
    // A value that this library has not written, and one that would overflow, is ignored.
    let boot = id.flatMap { id in uptime.flatMap { $0 >= 0 ? BootTime(id: id, seconds: $0) : nil } }
    reading = ClockReading(time: try values.decode(Date.self, forKey: .time), boot: boot)
    serverOffset = try values.decodeIfPresent(Double.self, forKey: .serverOffset).flatMap { abs($0) < 1e12 ? $0 : nil }
  }

  /// Writes the stored form.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(reading.boot?.id, forKey: .bootID)
    try values.encodeIfPresent(reading.boot.map { ($0.seconds * 1000).rounded() / 1000 }, forKey: .uptime)
    try values.encode(reading.time, forKey: .time)
    try values.encodeIfPresent(serverOffset, forKey: .serverOffset)
  }
}

extension IssuanceClock {
  /// Judges the local clock by what has become of it since the issuance.
  func localClock(at now: ClockReading) -> LocalClock {
    guard let elapsed = now.elapsed(since: reading) else { return afterRestart(now) }
    let offset = serverOffset ?? 0
    // What the local clock has gained on the boot-time clock. A suspend counts in both and so in neither.
    let change = now.time.timeIntervalSince(reading.time) - elapsed
    guard abs(change) > IssuanceClock.tolerance else { return .init(off: offset) }
    let ahead = offset - change
    // Set back, or put right: neither can be seen in any other way. Set forward is also what it looks like when a
    // machine was halted for a while and its clock then put right.
    if change < 0 || abs(ahead) <= IssuanceClock.tolerance { return .init(off: ahead) }
    return .doubtful(least: ahead, most: offset)
  }

  /// Since another start of the machine, or on another machine, there is the local clock alone; but the issuance is
  /// past.
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
