import AuthCore
import Dispatch
import Synchronization
import SystemPackage

/// Writes the responses of a batch; on a separate thread if their reader may be slow.
final class BatchOutput: Sendable {
  private struct State {
    var window: BatchWindow
    var isWriting = false
    var failure: (any Error)?
    // The waiting task, and the condition that it waits for.
    var waiting: (arrival: OneShot<Void>, isOver: @Sendable (BatchWindow) -> Bool)?

    /// Takes out the waiting task if its condition is met or writing has failed.
    mutating func released() -> OneShot<Void>? {
      guard let (arrival, isOver) = waiting, failure != nil || isOver(window) else { return nil }
      waiting = nil
      return arrival
    }
  }

  /// The number of bytes at which a write begins although more responses are due.
  private static let size = 256 << 10

  private let file: FileDescriptor
  /// Whether a write may wait for a reader: not one to a file or to `/dev/null`.
  private let hasReader: Bool
  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "batch output")
  /// A stream that ends with the first write error.
  let failures: AsyncThrowingStream<Never, any Error>
  private let failing: AsyncThrowingStream<Never, any Error>.Continuation

  /// Creates an output that writes to an open file.
  init(_ file: FileDescriptor, _ window: BatchWindow) {
    self.file = file
    let status = try? file.stat()
    let isNull = status.map { $0.specialDeviceID == (try? FilePath("/dev/null").stat())?.specialDeviceID } ?? false
    hasReader = status?.type != .regular && !isNull
    state = Mutex(State(window: window))
    (failures, failing) = AsyncThrowingStream.makeStream()
  }

  /// Waits until there is room for a line, begins the line, and returns its position.
  ///
  /// - Throws: the error of an earlier write; `CancellationError`.
  nonisolated(nonsending) func begin() async throws -> Int {
    try await wait { $0.hasRoom }
    return state.withLock { $0.window.begin() }
  }

  /// Accepts the response to the line at a position; it may be empty. It is written after the next ``flush()``.
  func end(_ place: Int, _ response: [UInt8]) {
    let released = state.withLock { state in
      state.window.end(place, response)
      return state.released()
    }
    released?.settle(.success(()))
  }

  /// Starts to write the responses that are due.
  func flush() {
    let mustStart = state.withLock { state in
      guard !state.isWriting, state.failure == nil, state.window.isDue else { return false }
      state.isWriting = true
      return true
    }
    guard mustStart else { return }
    if hasReader { queue.async { self.write() } } else { write() }
  }

  /// Waits until everything is written.
  ///
  /// - Throws: the same errors as ``begin()``.
  func finish() async throws {
    try await wait { $0.isEmpty }
  }

  private func wait(until isOver: @escaping @Sendable (BatchWindow) -> Bool) async throws {
    let mustWait = try state.withLock { state in
      if let failure = state.failure { throw failure }
      return !isOver(state.window)
    }
    guard mustWait else { return }
    let arrival = OneShot<Void>()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        arrival.begin(continuation)
        let released = state.withLock { state in
          state.waiting = (arrival, isOver)
          return state.released()
        }
        released?.settle(.success(()))
      }
    } onCancel: {
      arrival.settle(.failure(CancellationError()))
    }
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  private func write() {
    while let due = due() {
      var failure: (any Error)?
      do {
        if !due.bytes.isEmpty { _ = try file.writeAll(due.bytes) }
      } catch {
        failure = error
      }
      let released = state.withLock { state in
        state.failure = state.failure ?? failure
        state.window.wrote(due.count, size: due.bytes.count)
        return state.released()
      }
      if let failure { failing.finish(throwing: failure) }
      released?.settle(.success(()))
    }
  }

  private func due() -> (count: Int, bytes: [UInt8])? {
    state.withLock { state in
      guard state.failure == nil, state.window.isDue else {
        state.isWriting = false
        return nil
      }
      return state.window.next(size: BatchOutput.size)
    }
  }
}
