import Dispatch
import Synchronization

/// Runs tasks one after the other on a thread of their own: all that became ready in the meantime, then what is to be
/// done once for all of them.
///
/// A pool would wake a thread for each response of a batch, which takes longer than formatting it.
final class GroupingExecutor: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var isRunning = false
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "tasks")
  private let afterGroup: @Sendable () -> Void

  /// - Parameter afterGroup: called after each group of tasks.
  init(afterGroup: @escaping @Sendable () -> Void) {
    self.afterGroup = afterGroup
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let mustStart = state.withLock { state in
      state.jobs.append(job)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if mustStart { queue.async { self.run() } }
  }

  private func run() {
    while let group = group() {
      for job in group { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
      afterGroup()
    }
  }

  /// Returns the tasks that are ready; nil if there is none, and the thread ends.
  private func group() -> [UnownedJob]? {
    state.withLock { state in
      state.isRunning = !state.jobs.isEmpty
      guard state.isRunning else { return nil }
      defer { state.jobs = [] }
      return state.jobs
    }
  }
}
