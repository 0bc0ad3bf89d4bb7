import Dispatch
import Synchronization

/// The thread on which a store talks to the Secret Service.
///
/// GLib delivers answers to the thread that asked. The connection, and the key that was agreed on for it, are kept from
/// one operation to the next: making them takes four times as long as reading a secret does.
final class ConversationThread: Sendable {
  /// What is done on the thread, with the connection that is kept; nil while there is none.
  typealias Job = @Sendable (inout ServiceConnection?) -> Void

  private final class Mailbox: Sendable {
    struct Content {
      var jobs: [Job] = []
      var isStarted = false
      var isClosed = false
    }

    let content = Mutex(Content())
    let arrivals = DispatchSemaphore(value: 0)

    /// Waits for the next job; nil when there will be none any more.
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

  /// Has a job done after those that were given before.
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
    DispatchQueue(label: "keyring").async {
      var connection: ServiceConnection?
      while let job = mailbox.next() { job(&connection) }
      connection?.close()
    }
  }
}
