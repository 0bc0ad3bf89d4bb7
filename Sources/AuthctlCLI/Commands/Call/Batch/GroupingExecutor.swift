import AuthCore
import Dispatch
import Synchronization

/// Runs tasks one after the other on a thread of their own: all that became ready in the meantime, then what is to be
/// done once for all of them.
///
/// A pool would wake a thread for each response of a batch, which takes longer than formatting it. So does a queue for
/// each group, whose threads take turns.
final class GroupingExecutor: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var isRunning = false
    var isWaiting = false
  }

  private let state = Mutex(State())
  private let arrival = DispatchSemaphore(value: 0)
  private let afterGroup: @Sendable () -> Void

  /// - Parameter afterGroup: called after each group of tasks.
  init(afterGroup: @escaping @Sendable () -> Void) {
    self.afterGroup = afterGroup
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let (mustStart, mustWake) = state.withLock { state in
      state.jobs.append(job)
      defer { (state.isRunning, state.isWaiting) = (true, false) }
      return (!state.isRunning, state.isWaiting)
    }
    if mustStart { WorkerThread.start("tasks") { self.run() } }
    if mustWake { arrival.signal() }
  }

  private func run() {
    while true {
      let group = group()
      for job in group { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
      if !group.isEmpty {
        afterGroup()
      } else if arrival.wait(timeout: .now() + .seconds(1)) == .timedOut, hasEnded() {
        return
      }
    }
  }

  /// Returns the tasks that are ready; if there is none, the next one wakes the thread.
  private func group() -> [UnownedJob] {
    state.withLock { state in
      state.isWaiting = state.jobs.isEmpty
      defer { state.jobs = [] }
      return state.jobs
    }
  }

  private func hasEnded() -> Bool {
    state.withLock { state in
      state.isRunning = !state.jobs.isEmpty
      return !state.isRunning
    }
  }
}
