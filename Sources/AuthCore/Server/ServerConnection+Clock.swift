extension ServerConnection {
  /// What the clocks of this machine show.
  var reading: ClockReading { ClockReading(time: now(), boot: boot()) }

  /// Takes down the clocks of an exchange that has just been answered, and tells where the local one is wrong.
  func clock(of answer: HTTPAnswer, sent: ClockReading) -> IssuanceClock {
    let clock = IssuanceClock(sent: sent, received: reading, serverDate: answer.date)
    if let offset = clock.serverOffset { events(.clockDiffers(by: offset)) }
    return clock
  }
}
