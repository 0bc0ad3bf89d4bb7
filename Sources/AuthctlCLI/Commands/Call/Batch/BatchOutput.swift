import AuthCore
import Dispatch
import Synchronization
import SystemPackage

/// Writes the answers of a batch, each in one piece, on a thread of its own: who reads them may be slow.
final class BatchOutput: Sendable {
  private struct State {
    var window: BatchWindow
    var isWriting = false
    var failure: (any Error)?
    // Whoever waits for something, and for what.
    var waiting: (arrival: Arrival<Void>, isOver: @Sendable (BatchWindow) -> Bool)?

    /// Takes out who has waited long enough.
    mutating func released() -> Arrival<Void>? {
      guard let (arrival, isOver) = waiting, failure != nil || isOver(window) else { return nil }
      waiting = nil
      return arrival
    }
  }

  private let file: FileDescriptor
  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "batch output")
  /// Ends with the first failure of writing.
  let failures: AsyncThrowingStream<Never, any Error>
  private let failing: AsyncThrowingStream<Never, any Error>.Continuation

  /// Writes to an open file.
  init(_ file: FileDescriptor, _ window: BatchWindow) {
    self.file = file
    state = Mutex(State(window: window))
    (failures, failing) = AsyncThrowingStream.makeStream()
  }

  /// Begins a line when there is room for it; its place.
  ///
  /// - Throws: the failure of an earlier writing; `CancellationError`.
  func begin() async throws -> Int {
    try await wait { $0.hasRoom }
    return state.withLock { $0.window.begin() }
  }

  /// Takes the answer to the line at a place; it may be empty.
  func end(_ place: Int, _ answer: [UInt8]) {
    let (mustStart, released) = state.withLock { state in
      state.window.end(place, answer)
      defer { state.isWriting = true }
      return (!state.isWriting, state.released())
    }
    if mustStart { queue.async { self.write() } }
    released?.settle(.success(()))
  }

  /// Waits until everything is written.
  ///
  /// - Throws: as ``begin()``.
  func finish() async throws {
    try await wait { $0.isEmpty }
  }

  private func wait(until isOver: @escaping @Sendable (BatchWindow) -> Bool) async throws {
    let mustWait = try state.withLock { state in
      if let failure = state.failure { throw failure }
      return !isOver(state.window)
    }
    guard mustWait else { return }
    let arrival = Arrival<Void>()
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
    while let answer = due() {
      var failure: (any Error)?
      do {
        if !answer.isEmpty { _ = try file.writeAll(answer) }
      } catch {
        failure = error
      }
      let released = state.withLock { state in
        state.failure = state.failure ?? failure
        state.window.wrote(answer)
        return state.released()
      }
      if let failure { failing.finish(throwing: failure) }
      released?.settle(.success(()))
    }
  }

  private func due() -> [UInt8]? {
    state.withLock { state in
      let answer = state.failure == nil ? state.window.next() : nil
      if answer == nil { state.isWriting = false }
      return answer
    }
  }
}
