/// The time for which the result of an operation is waited for.
package enum TimeLimit {
  /// Runs an operation and returns its result; nil if it has not ended in time, or the current task is cancelled.
  ///
  /// The operation is then cancelled. One that can't be interrupted goes on, and its result is dropped.
  package static func run<Value: Sendable>(
    _ limit: Duration, _ operation: @escaping @Sendable () async -> Value
  ) async -> Value? {
    // Not a task group: it would wait for the operation, even if the time is over.
    let (results, continuation) = AsyncStream.makeStream(of: Value?.self)
    let work = Task { continuation.yield(await operation()) }
    let timer = Task {
      // Ends early only when it is no longer needed.
      try? await ContinuousClock().sleep(for: limit)
      continuation.yield(nil)
    }
    defer {
      work.cancel()
      timer.cancel()
    }
    for await result in results { return result }
    return nil
  }
}
