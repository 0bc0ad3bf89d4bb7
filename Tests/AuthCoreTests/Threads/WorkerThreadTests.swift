import Glibc
import Testing

@testable import AuthCore

@Suite("WorkerThread")
struct WorkerThreadTests {
  private struct Facts: Sendable {
    let isOther: Bool
    let blocked: [Int32]
  }

  @Test("work runs on another thread, which handles the signals that it causes and no others")
  func start() async {
    let facts = await withCheckedContinuation { continuation in
      // Compared while both exist: a new thread may have the identifier of one that has ended.
      let starter = pthread_self()
      WorkerThread.start("test") {
        var mask = sigset_t()
        unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
        let signals = [SIGINT, SIGTERM, SIGCHLD, SIGPIPE, SIGSEGV, SIGBUS, SIGILL]
        let blocked = signals.filter { unsafe sigismember(&mask, $0) == 1 }
        continuation.resume(returning: Facts(isOther: pthread_equal(starter, pthread_self()) == 0, blocked: blocked))
      }
    }
    #expect(facts.blocked == [SIGINT, SIGTERM, SIGCHLD, SIGPIPE])
    #expect(facts.isOther)
  }

  @Test("the thread that starts another one keeps its signals")
  func former() async {
    let isBlocked = await withCheckedContinuation { continuation in
      // On a thread of its own, because a task can change its thread.
      WorkerThread.start("outer") {
        var mask = sigset_t()
        unsafe sigemptyset(&mask)
        unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
        WorkerThread.start("inner") {}
        unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
        continuation.resume(returning: unsafe sigismember(&mask, SIGTERM) == 1)
      }
    }
    #expect(!isBlocked)
  }
}
