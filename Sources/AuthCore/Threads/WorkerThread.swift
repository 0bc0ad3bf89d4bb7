import Dispatch
import Glibc

/// A thread for work that blocks, which the threads of Swift's tasks must not do.
///
/// A queue of libdispatch would do as well, but the first one of a process starts two more threads for its own use.
package enum WorkerThread {
  private final class Work: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs work on a new thread, as ``start(_:_:)`` does, and returns its outcome.
  package static func outcome<Value: Sendable, Failure: Error>(
    _ name: String, of work: @escaping @Sendable () throws(Failure) -> Value
  ) async -> Result<Value, Failure> {
    await withCheckedContinuation { continuation in
      start(name) { continuation.resume(returning: Result(catching: work)) }
    }
  }

  /// Runs work on a new thread, which handles no signals that are sent to the process.
  package static func start(_ name: String, _ work: @escaping @Sendable () -> Void) {
    var (blocked, former) = (sigset_t(), sigset_t())
    unsafe sigfillset(&blocked)
    // Those that the thread itself causes.
    for signal in [SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGSYS] { unsafe sigdelset(&blocked, signal) }
    var thread = pthread_t()
    let context = unsafe Unmanaged.passRetained(Work(work))
    // A new thread begins with the mask of the one that creates it.
    unsafe pthread_sigmask(SIG_SETMASK, &blocked, &former)
    let failure = unsafe pthread_create(
      &thread, nil,
      { context in
        if let context = unsafe context { unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, context.toOpaque())
    unsafe pthread_sigmask(SIG_SETMASK, &former, nil)
    guard failure != 0 else {
      pthread_detach(thread)
      return
    }
    unsafe context.release()
    // It tries until there is a thread.
    DispatchQueue(label: name).async(execute: work)
  }
}
