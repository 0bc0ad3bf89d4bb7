import Glibc

/// The processor time that work takes, whatever else the machine does.
enum CPUTime {
  /// What an input of 64 KB may take: 50 ms, and five times that with sanitizers and checks.
  static let limit = Duration.milliseconds(250)

  /// Measures work on this thread.
  static func of(_ work: () -> Void) -> Duration {
    let start = now
    work()
    return now - start
  }

  private static var now: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
