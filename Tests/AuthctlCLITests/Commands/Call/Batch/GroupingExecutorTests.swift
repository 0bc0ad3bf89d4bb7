import Synchronization
import Testing

@testable import AuthctlCLI

@Suite("GroupingExecutor") struct GroupingExecutorTests {
  @Test("tasks run one at a time, and each group is followed by what is done once for it")
  func groups() async {
    let counts = Mutex((running: 0, most: 0, ended: 0))
    // What had ended when a group was over.
    let groups = Mutex<[Int]>([])
    let executor = GroupingExecutor { groups.withLock { $0.append(counts.withLock { $0.ended }) } }
    let work: @Sendable () async -> Void = {
      counts.withLock { counts in
        counts.running += 1
        counts.most = max(counts.most, counts.running)
      }
      counts.withLock { counts in
        counts.running -= 1
        counts.ended += 1
      }
      await Task.yield()
    }
    await withTaskExecutorPreference(executor) {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<1000 { group.addTask(operation: work) }
      }
    }
    // The last group is over soon after its tasks.
    while groups.withLock({ $0.last }) != 1000 { await Task.yield() }
    #expect(counts.withLock { $0.most } == 1)
    // All tasks were ready when the first of them ran, and again after they yielded.
    #expect(groups.withLock { $0.count } < 100)
  }
}
