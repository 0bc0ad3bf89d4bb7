import AuthCore
import Synchronization

/// How the lines of a batch have ended.
final class BatchTally: Sendable {
  private struct Count {
    var lines = 0
    var failed = 0
    var worst = ExitStatus.ok
    var warned: Set<ProfileName> = []
  }

  private let count = Mutex(Count())

  /// Takes note of the end of a line.
  func add(_ status: ExitStatus) {
    count.withLock { count in
      count.lines += 1
      if status != .ok { count.failed += 1 }
      count.worst = [count.worst, status].worst
    }
  }

  /// Whether this is the first warning about a profile.
  func isFirstWarning(about profile: ProfileName) -> Bool {
    count.withLock { $0.warned.insert(profile).inserted }
  }

  /// What is to be told at the end; nil where nothing has failed.
  var report: ErrorReport? {
    count.withLock { count in
      guard count.worst != .ok else { return nil }
      var report = ErrorReport(
        count.worst, "the batch: \(count.failed) of \(count.lines) requests failed",
        "see their lines, members 'status' and 'error'")
      report.isOfTransfer = [.http, .tryLater, .failed].contains(count.worst)
      return report
    }
  }
}
