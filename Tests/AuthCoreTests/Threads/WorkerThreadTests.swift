import Glibc
import Testing

@testable import AuthCore

@Suite("WorkerThread")
struct WorkerThreadTests {
  private struct Facts: Sendable {
    let thread: pthread_t
    let blocked: [Int32]
  }

  @Test("work runs on another thread, which handles the signals that it causes and no others")
  func start() async {
    let facts = await withCheckedContinuation { continuation in
      WorkerThread.start("test") {
        var mask = sigset_t()
        unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
        let signals = [SIGINT, SIGTERM, SIGCHLD, SIGPIPE, SIGSEGV, SIGBUS, SIGILL]
        let blocked = signals.filter { unsafe sigismember(&mask, $0) == 1 }
        continuation.resume(returning: Facts(thread: pthread_self(), blocked: blocked))
      }
    }
    #expect(facts.blocked == [SIGINT, SIGTERM, SIGCHLD, SIGPIPE])
    #expect(pthread_equal(facts.thread, pthread_self()) == 0)
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
