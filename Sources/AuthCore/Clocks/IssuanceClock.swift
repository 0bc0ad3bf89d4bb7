package import FoundationEssentials

/// The clock readings when the request for a pair was sent. They keep the pair's dates correct even if the local clock
/// is changed later.
package struct IssuanceClock: Sendable, Equatable {
  /// The clocks of this machine, with at most millisecond precision.
  package var reading: ClockReading
  /// How far the server's clock was ahead of the local one, in seconds. If set, the pair's dates follow the server's
  /// clock. It is nil if the two agreed within a minute, or if the server did not send its time.
  package var serverOffset: Double?

  /// The largest difference that is ignored, in seconds.
  static let tolerance = 60.0

  /// Creates a record.
  package init(_ reading: ClockReading, serverOffset: Double? = nil) {
    self.reading = reading
    self.serverOffset = serverOffset
  }

  /// Creates a record of a request, and checks the local clock against the `Date` of the response.
  ///
  /// The server created its `Date` at some time between the two readings; only a difference that this can't explain
  /// counts.
  package init(sent: ClockReading, received: ClockReading, serverDate: Date?) {
    self.init(sent)
    // A date outside the years 1970 to 2286 is ignored.
    guard let serverDate, (0..<1e10).contains(serverDate.timeIntervalSince1970) else { return }
    let latency = received.elapsed(since: sent) ?? max(0, received.time.timeIntervalSince(sent.time))
    let ahead = serverDate.timeIntervalSince(sent.time)
    // `Date` has whole seconds: the server's clock may have been up to one second later.
    let (least, most) = ((ahead - latency).rounded(.down), ahead + 1)
    guard least > IssuanceClock.tolerance || most < -IssuanceClock.tolerance else { return }
    // The smallest difference, so that dates calculated with it are never in the future at the server.
    serverOffset = least
  }

  /// When the pair was requested, according to the clock that its dates follow.
  var issuedAt: Date { reading.time.addingTimeInterval(serverOffset ?? 0) }
}

extension IssuanceClock: Encodable {
  enum CodingKeys: String, CodingKey {
    case bootID = "boot_id"
    case uptime
    case time
    case serverOffset = "server_offset"
  }

  /// Creates a record from its stored members.
  init(time: Date, bootID: String?, uptime: Double?, serverOffset: Double?) {
    // A value that this library did not write, or that would overflow, is ignored.
    let boot = bootID.flatMap { id in uptime.flatMap { $0 >= 0 ? BootTime(id: id, seconds: $0) : nil } }
    self.init(ClockReading(time: time, boot: boot), serverOffset: serverOffset.flatMap { abs($0) < 1e12 ? $0 : nil })
  }

  /// Writes the stored form.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(reading.boot?.id, forKey: .bootID)
    try values.encodeIfPresent(reading.boot.map { ($0.seconds * 1000).rounded() / 1000 }, forKey: .uptime)
    try values.encode(reading.time.rfc3339, forKey: .time)
    try values.encodeIfPresent(serverOffset, forKey: .serverOffset)
  }
}

extension IssuanceClock {
  /// Determines the state of the local clock from its change since the issuance.
  func localClock(at now: ClockReading) -> LocalClock {
    guard let elapsed = now.elapsed(since: reading) else { return afterRestart(now) }
    let offset = serverOffset ?? 0
    // The change of the local clock relative to the boot-time clock. A suspend affects both equally.
    let change = now.time.timeIntervalSince(reading.time) - elapsed
    guard abs(change) > IssuanceClock.tolerance else { return .init(off: offset) }
    let ahead = offset - change
    // The clock was set back or corrected: nothing else looks like this. A clock that was set forward, however, looks
    // the same as a machine that was halted for a while and whose clock was then corrected.
    if change < 0 || abs(ahead) <= IssuanceClock.tolerance { return .init(off: ahead) }
    return .doubtful(least: ahead, most: offset)
  }

  /// Determines the state after a restart or on another machine: only the local clock is available, but the issuance is
  /// in the past.
  private func afterRestart(_ now: ClockReading) -> LocalClock {
    let offset = serverOffset ?? 0
    let missing = issuedAt.timeIntervalSince(now.time)
    guard missing - max(0, offset) <= IssuanceClock.tolerance else { return .setBack(atLeast: missing) }
    return offset == 0 ? .right : .doubtful(least: min(0, offset), most: max(0, offset))
  }
}

extension LocalClock {
  /// Creates the state of a clock that is off by a number of seconds. A small difference counts as right.
  package init(off seconds: Double) {
    self = abs(seconds) > IssuanceClock.tolerance ? .off(by: seconds) : .right
  }
}
