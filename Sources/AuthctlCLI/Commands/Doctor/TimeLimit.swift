/// The time that the checks of `doctor` may take.
enum TimeLimit {
  /// Runs an operation that can't be interrupted; nil if it has not ended in time. It then goes on unobserved.
  static func run<Value: Sendable>(
    _ limit: Duration, _ operation: @escaping @Sendable () async -> Value
  ) async -> Value? {
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
