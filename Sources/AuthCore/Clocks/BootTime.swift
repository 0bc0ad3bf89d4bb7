import FoundationEssentials

/// A point in the time since the machine was started: no change of the clock touches it, and sleep counts.
package struct BootTime: Sendable, Equatable, Codable {
  /// Tells this start of the machine from all others.
  package let id: String
  /// Seconds since then.
  package let seconds: Double

  /// Makes a point in time.
  package init(id: String, seconds: Double) {
    self.id = id
    self.seconds = seconds
  }

  /// Now, to a hundredth of a second; nil where the kernel does not say (proc(5): `random/boot_id`, `uptime`).
  package static var now: BootTime? {
    // `ContinuousClock` counts by the same clock, but tells differences only.
    guard let id = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8),
      let uptime = try? String(contentsOfFile: "/proc/uptime", encoding: .utf8),
      let seconds = Double(uptime.prefix { $0 != " " })
    else { return nil }
    return BootTime(id: String(id.prefix { $0 != "\n" }), seconds: seconds)
  }

  /// Returns the seconds from an earlier point to this one; nil if the machine was restarted in between.
  func seconds(since earlier: BootTime) -> Double? {
    id == earlier.id ? seconds - earlier.seconds : nil
  }
}
