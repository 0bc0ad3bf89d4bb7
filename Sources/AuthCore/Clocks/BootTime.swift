import FoundationEssentials
import Glibc
import SystemPackage

/// How long this machine has been up: a clock that nobody can set, and that goes on while the machine is suspended.
public struct BootTime: Sendable, Equatable {
  /// Tells one start of the machine from another.
  public var id: String
  /// The time since that start, in seconds.
  public var seconds: Double

  /// Makes a time.
  public init(id: String, seconds: Double) {
    self.id = id
    self.seconds = seconds
  }

  private static let idFile: FilePath = "/proc/sys/kernel/random/boot_id"

  /// What the kernel says; nil where it does not, as in a sandbox without `/proc`.
  ///
  /// Not `/proc/uptime`, which some containers fake.
  public static func system() -> BootTime? {
    var time = timespec()
    // The one way to this clock that says a number: `ContinuousClock` counts by it too, but only tells differences.
    guard unsafe clock_gettime(CLOCK_BOOTTIME, &time) == 0, let id = bootID() else { return nil }
    return BootTime(id: id, seconds: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
  }

  private static func bootID() -> String? {
    var bytes = [UInt8](repeating: 0, count: 64)
    do {
      let file = try FileDescriptor.open(idFile, .readOnly, options: .closeOnExec)
      let count = try file.closeAfter { try unsafe bytes.withUnsafeMutableBytes { try unsafe file.read(into: $0) } }
      let id = String(decoding: bytes.prefix(count), as: UTF8.self).trimmingWhitespace()
      return id.isEmpty ? nil : id
    } catch {
      return nil
    }
  }
}
