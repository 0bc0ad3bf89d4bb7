import AuthCore
import Dispatch
import Synchronization

/// The thread on which a store communicates with the Secret Service.
///
/// GLib delivers responses to the thread that sent the request. The connection and its negotiated key are kept from one
/// operation to the next: creating them takes four times as long as reading a secret.
final class ConnectionThread: Sendable {
  /// Work for the thread.
  typealias Job = @Sendable (inout Kept) -> Void

  /// The state that is kept from one operation to the next.
  struct Kept {
    /// The connection, with its key or while that is negotiated; nil while there is none.
    var connection: ServiceConnection?
    /// The failure of the preparation, for the next operation: a second wait of the same length would not help.
    var failure: ServiceFailure?
  }

  private final class Mailbox: Sendable {
    struct Content {
      var jobs: [Job] = []
      var isStarted = false
      var isClosed = false
    }

    let content = Mutex(Content())
    let arrivals = DispatchSemaphore(value: 0)

    /// Waits for the next job; nil if no more jobs follow.
    func next() -> Job? {
      arrivals.wait()
      return content.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
    }
  }

  private let mailbox = Mailbox()

  deinit {
    mailbox.content.withLock { $0.isClosed = true }
    mailbox.arrivals.signal()
  }

  /// Runs a job after those added before.
  func perform(_ job: @escaping Job) {
    let isFirst = mailbox.content.withLock { content in
      content.jobs.append(job)
      defer { content.isStarted = true }
      return !content.isStarted
    }
    if isFirst { start() }
    mailbox.arrivals.signal()
  }

  private func start() {
    let mailbox = mailbox
    WorkerThread.start("keyring") {
      var kept = Kept()
      while let job = mailbox.next() { job(&kept) }
      kept.connection?.close()
    }
  }
}
