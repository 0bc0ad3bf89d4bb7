import FoundationEssentials
import Glibc

/// A point in the time since the machine was started: no change of the clock touches it, and sleep counts.
struct BootTime: Sendable, Equatable, Codable {
  /// Tells this start of the machine from all others.
  let boot: String
  /// Seconds since then.
  let seconds: Double

  /// Now; nil where the kernel does not say which start this is.
  static var now: BootTime? {
    guard let boot = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8) else { return nil }
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_BOOTTIME, &time) == 0 else { return nil }
    return BootTime(boot: String(boot.prefix { $0 != "\n" }), seconds: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
  }

  /// Seconds from an earlier point to this one; nil where the machine was started anew in between.
  func seconds(since earlier: BootTime) -> Double? {
    boot == earlier.boot ? seconds - earlier.seconds : nil
  }
}
