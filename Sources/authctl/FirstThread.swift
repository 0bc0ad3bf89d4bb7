import Dispatch
import Synchronization

/// Runs tasks on the first thread of the process, which would otherwise only wait for its end.
///
/// A command that does one thing after the other so needs no thread of the pool. The pool would start three for it, and
/// each has its own memory.
final class FirstThread: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let arrival = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    arrival.signal()
  }

  /// Runs tasks until the process ends. The first thread must call it.
  func run() -> Never {
    while true {
      arrival.wait()
      let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      if let job { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }
}
