import Synchronization

/// Delivers every event to all observers, each at its own pace.
package final class EventBroadcast: Sendable {
  private struct State {
    var watchers: [Int: AsyncStream<AuthEvent>.Continuation] = [:]
    var lastNumber = 0
  }

  private let state = Mutex(State())

  /// Creates a broadcast without observers.
  package init() {}

  deinit {
    for watcher in state.withLock({ Array($0.watchers.values) }) { watcher.finish() }
  }

  /// A handler that delivers events to all observers.
  package var handler: EventHandler {
    { [weak self] event in self?.send(event) }
  }

  /// Returns a stream of the events from now on. It ends with the broadcast; a terminated stream is removed.
  ///
  /// - Parameter limit: how many events are kept for a slow observer; if there are more, the oldest are dropped.
  package func stream(limit: Int = 256) -> AsyncStream<AuthEvent> {
    let (stream, watcher) = AsyncStream.makeStream(of: AuthEvent.self, bufferingPolicy: .bufferingNewest(limit))
    let number = state.withLock { state in
      state.lastNumber += 1
      state.watchers[state.lastNumber] = watcher
      return state.lastNumber
    }
    watcher.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.watchers.removeValue(forKey: number) }
    }
    return stream
  }

  /// The current number of observers.
  package var watcherCount: Int { state.withLock { $0.watchers.count } }

  private func send(_ event: AuthEvent) {
    for watcher in state.withLock({ Array($0.watchers.values) }) { watcher.yield(event) }
  }
}
