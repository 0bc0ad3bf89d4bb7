import FoundationEssentials
import Glibc

/// The time zone of this machine or of `TZ`.
///
/// From the C library, because FoundationEssentials knows no time zones and Foundation's tables are megabytes.
enum LocalTimeZone {
  /// Returns the offset of local time from UTC at a time, in seconds; 0 if it is unknown.
  static func offset(at time: Date) -> Int {
    var seconds = time_t(max(-1e12, min(1e12, time.timeIntervalSince1970)))
    var fields = unsafe tm()
    guard unsafe localtime_r(&seconds, &fields) != nil else { return 0 }
    return unsafe fields.tm_gmtoff
  }
}
