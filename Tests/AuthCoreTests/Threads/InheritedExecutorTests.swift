import Dispatch
import Testing

@testable import AuthCore

@Suite("InheritedExecutor")
struct InheritedExecutorTests {
  private final class Queue: TaskExecutor {
    static let key = DispatchSpecificKey<Bool>()
    private let queue = DispatchQueue(label: "test")

    init() { queue.setSpecific(key: Queue.key, value: true) }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
  }

  private func startsOnQueue() async -> Bool {
    await Task(executorPreference: InheritedExecutor.current) { Queue.isCurrent }.value
  }

  @Test("a task that is not a child runs on the executor of the task that starts it")
  func inherited() async {
    #expect(await withTaskExecutorPreference(Queue()) { await startsOnQueue() })
  }

  @Test("without an executor, it runs on the pool")
  func pool() async {
    #expect(InheritedExecutor.current == nil)
    #expect(await !startsOnQueue())
  }
}
