import AuthCore
import Synchronization

/// Runs one transfer or many concurrently on one thread, which exists as long as there are transfers.
final class TransferLoop: Sendable {
  /// The number of results that are kept back at most while others are about to arrive.
  private static let group = 16

  private struct State {
    var queue: [QueuedTransfer] = []
    var isRunning = false
    // Set while the thread waits for the network and may be woken.
    var sleeper: CurlMulti?
  }

  private let limit: Int
  private let state = Mutex(State())
  // Kept from one run of the thread to the next, with their connections.
  private let transfers = Mutex<ActiveTransfers?>(nil)

  /// - Parameter limit: the number of transfers that run concurrently.
  init(limit: Int) {
    self.limit = limit
  }

  /// Sends one request, and returns when the whole response has arrived.
  func send(_ transfer: Transfer, _ variables: CurlVariables, gate: CredentialGate) async throws -> TransferResponse {
    // If the transfer ends before the credential arrives, the credential is no longer needed.
    defer { gate.cancel() }
    let settings = TransferSettings(transfer: transfer, variables: variables).all
    let job = TransferTask()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        job.begin(continuation)
        enqueue(QueuedTransfer(transfer: transfer, settings: settings, gate: gate, job: job))
      }
    } onCancel: {
      gate.cancel()
      job.cancel()
    }
  }

  private func enqueue(_ queued: QueuedTransfer) {
    let (isFirst, sleeper) = state.withLock { state in
      state.queue.append(queued)
      defer { (state.isRunning, state.sleeper) = (true, nil) }
      return (!state.isRunning, state.sleeper)
    }
    if isFirst { WorkerThread.start("transfers") { self.run() } }
    sleeper?.wake()
  }

  private func run() {
    transfers.withLock { kept in
      do throws(TransportError) {
        if kept == nil { kept = try ActiveTransfers() }
        while let transfers = kept, goOn(transfers) {}
      } catch {
        repeat {
          for queued in taken(atMost: .max) { queued.job.finish(.failure(error)) }
        } while !hasEnded()
      }
    }
  }

  /// Runs one round: starts the queued transfers, processes network events, and waits for more of either.
  ///
  /// - Returns: false if there was nothing to do for a second.
  private func goOn(_ transfers: ActiveTransfers) -> Bool {
    for queued in taken(atMost: limit - transfers.count) { transfers.begin(queued) }
    let patience = transfers.step()
    guard !transfers.deliver(group: min(TransferLoop.group, limit)) else { return true }
    let isFull = transfers.count >= limit
    let mayWait = state.withLock { state in
      // What can't begin need not wake it.
      if !isFull, state.queue.isEmpty { state.sleeper = transfers.multi }
      return isFull || state.queue.isEmpty
    }
    guard mayWait else { return true }
    transfers.wait(atMost: patience ?? 1000)
    state.withLock { $0.sleeper = nil }
    return patience != nil || !hasEnded()
  }

  private func taken(atMost count: Int) -> [QueuedTransfer] {
    state.withLock { state in
      let taken = Array(state.queue.prefix(count))
      state.queue.removeFirst(taken.count)
      return taken
    }
  }

  private func hasEnded() -> Bool {
    state.withLock { state in
      state.isRunning = !state.queue.isEmpty
      return !state.isRunning
    }
  }
}

/// A transfer that waits to run concurrently with others; a class, because a ``Transfer`` takes long to copy.
final class QueuedTransfer: Sendable {
  /// The request.
  let transfer: Transfer
  /// The request in libcurl's options, made by its task: the thread of the transfers has the most to do.
  let settings: [Setting]
  /// Holds it back until its token is known.
  let gate: CredentialGate
  /// The task that waits for the response.
  let job: TransferTask

  init(transfer: Transfer, settings: [Setting], gate: CredentialGate, job: TransferTask) {
    self.transfer = transfer
    self.settings = settings
    self.gate = gate
    self.job = job
  }
}
