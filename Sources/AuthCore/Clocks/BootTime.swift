import FoundationEssentials
import Glibc

/// A point in the time since the machine was started: no change of the clock touches it, and sleep counts.
public struct BootTime: Sendable, Equatable, Codable {
  /// Tells this start of the machine from all others.
  public let id: String
  /// Seconds since then.
  public let seconds: Double

  /// Makes a point in time.
  public init(id: String, seconds: Double) {
    self.id = id
    self.seconds = seconds
  }

  /// Now; nil where the kernel does not say which start this is.
  public static var now: BootTime? {
    guard let id = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8) else { return nil }
    var time = timespec()
    // Not `/proc/uptime`, which some containers fake; `ContinuousClock` counts by the same but tells differences only.
    guard unsafe clock_gettime(CLOCK_BOOTTIME, &time) == 0 else { return nil }
    return BootTime(id: String(id.prefix { $0 != "\n" }), seconds: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
  }

  /// Seconds from an earlier point to this one; nil where the machine was started anew in between.
  func seconds(since earlier: BootTime) -> Double? {
    id == earlier.id ? seconds - earlier.seconds : nil
  }
}
