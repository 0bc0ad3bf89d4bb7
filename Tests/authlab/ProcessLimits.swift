import Foundation

/// The limits of the process.
enum ProcessLimits {
  /// Allows as many open files as the system lets us have: each connection is one.
  static func raiseOpenFiles() {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    // Where it is refused, the limit of before still serves a thousand connections.
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
