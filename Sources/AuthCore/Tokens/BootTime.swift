import FoundationEssentials

/// A point in the time since the machine was started: no change of the clock touches it, and sleep counts.
struct BootTime: Sendable, Equatable, Codable {
  /// Tells this start of the machine from all others.
  let boot: String
  /// Seconds since then.
  let seconds: Double

  /// Now, to a hundredth of a second; nil where the kernel does not say (proc(5): `random/boot_id`, `uptime`).
  static var now: BootTime? {
    guard let boot = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8),
      let uptime = try? String(contentsOfFile: "/proc/uptime", encoding: .utf8),
      let seconds = Double(uptime.prefix { $0 != " " })
    else { return nil }
    return BootTime(boot: String(boot.prefix { $0 != "\n" }), seconds: seconds)
  }

  /// Seconds from an earlier point to this one; nil where the machine was started anew in between.
  func seconds(since earlier: BootTime) -> Double? {
    boot == earlier.boot ? seconds - earlier.seconds : nil
  }
}
