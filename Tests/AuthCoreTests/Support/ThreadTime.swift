// Of all modules in the build, this is the one that timespec comes from.
import CoreFoundation
import Glibc

/// The processor time of this thread: what else the machine does is no part of it.
enum ThreadTime {
  /// Returns the least time that work takes, of three times.
  static func of(_ work: () -> Void) -> Duration {
    (0..<3).map { _ in
      let start = now
      work()
      return now - start
    }.min() ?? .zero
  }

  private static var now: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
