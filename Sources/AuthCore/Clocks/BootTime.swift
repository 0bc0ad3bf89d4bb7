import FoundationEssentials

/// A point in time relative to the start of the machine. Clock changes do not affect it; suspended time counts.
package struct BootTime: Sendable, Equatable, Codable {
  /// Identifies this start of the machine.
  package let id: String
  /// Seconds since the start of the machine.
  package let seconds: Double

  /// Creates a point in time.
  package init(id: String, seconds: Double) {
    self.id = id
    self.seconds = seconds
  }

  /// The current time, to a hundredth of a second; nil if the kernel does not provide it (proc(5): `random/boot_id`,
  /// `uptime`).
  package static var now: BootTime? {
    // `ContinuousClock` uses the same clock, but provides differences only.
    guard let id = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8),
      let uptime = try? String(contentsOfFile: "/proc/uptime", encoding: .utf8),
      let seconds = Double(uptime.prefix(upToAny: " "))
    else { return nil }
    return BootTime(id: String(id.prefix(upToAny: "\n")), seconds: seconds)
  }

  /// The seconds since the start of the machine, by the same clock; costs no file.
  package static var uptime: Double {
    let clock = ContinuousClock()
    return clock.systemEpoch.duration(to: clock.now).seconds
  }

  /// Returns the seconds from an earlier point to this one; nil if the machine was restarted in between.
  func seconds(since earlier: BootTime) -> Double? {
    id == earlier.id ? seconds - earlier.seconds : nil
  }
}
