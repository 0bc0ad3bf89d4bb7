package import FoundationEssentials

/// The times of this machine's clocks at one moment.
package struct ClockReading: Sendable, Equatable {
  /// The local clock, which may be wrong and may be set at any time.
  package var time: Date
  /// The time since the machine was started; nil if unknown.
  package var boot: BootTime?

  /// Creates a reading.
  package init(time: Date, boot: BootTime?) {
    self.time = time
    self.boot = boot
  }

  /// Returns the current reading.
  package static func system() -> ClockReading { ClockReading(time: Date(), boot: .now) }

  /// Returns the seconds since an earlier reading; nil if unknown, because the machine was restarted. They are measured
  /// by the boot-time clock, which cannot be set.
  func elapsed(since former: ClockReading) -> Double? {
    guard let now = boot, let then = former.boot, let seconds = now.seconds(since: then), seconds >= 0 else {
      return nil
    }
    return seconds
  }
}
