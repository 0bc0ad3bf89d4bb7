import AuthCore
import Dispatch
import HTTPTypes
import Synchronization

/// Carries many transfers side by side on one thread, which is there as long as there is something to do.
final class TransferLoop: Sendable {
  private struct State {
    var orders: [QueuedTransfer] = []
    var isRunning = false
    // Set while the thread waits for the network and may be woken.
    var sleeper: CurlMulti?
  }

  private let environment: [String: String]
  private let state = Mutex(State())
  // Kept from one run of the thread to the next, with its connections.
  private let carrier = Mutex<ActiveTransfers?>(nil)

  /// - Parameter environment: the variables of which curl's own are honoured.
  init(environment: [String: String]) {
    self.environment = environment
  }

  /// Has a transfer carried beside all others.
  func carry(_ order: QueuedTransfer) {
    let (isFirst, sleeper) = state.withLock { state in
      state.orders.append(order)
      defer { (state.isRunning, state.sleeper) = (true, nil) }
      return (!state.isRunning, state.sleeper)
    }
    // A queue of its own gets a thread of its own: it blocks, which the threads of Swift's tasks must not.
    if isFirst { DispatchQueue(label: "transfers").async { self.run() } }
    sleeper?.wake()
  }

  private func run() {
    carrier.withLock { kept in
      do throws(TransportError) {
        if kept == nil { kept = try ActiveTransfers(environment: environment) }
        while let carrier = kept, goOn(carrier) {}
      } catch {
        repeat {
          for order in taken() { order.job.finish(.failure(error)) }
        } while !hasEnded()
      }
    }
  }

  /// One round: what has been ordered, what the network has brought, and a wait for more of either.
  ///
  /// - Returns: false when nothing was to be done for a second.
  private func goOn(_ carrier: ActiveTransfers) -> Bool {
    for order in taken() { carrier.begin(order) }
    let patience = carrier.step()
    let mayWait = state.withLock { state in
      state.sleeper = state.orders.isEmpty ? carrier.multi : nil
      return state.orders.isEmpty
    }
    guard mayWait else { return true }
    carrier.wait(atMost: patience ?? 1000)
    state.withLock { $0.sleeper = nil }
    return patience != nil || !hasEnded()
  }

  private func taken() -> [QueuedTransfer] {
    state.withLock { state in
      defer { state.orders = [] }
      return state.orders
    }
  }

  private func hasEnded() -> Bool {
    state.withLock { state in
      state.isRunning = !state.orders.isEmpty
      return !state.isRunning
    }
  }
}

/// A transfer that is to be carried beside others.
struct QueuedTransfer: Sendable {
  /// The request.
  let transfer: Transfer
  /// What is added to its header: the token and what belongs to it.
  let fields: [HTTPField]
  /// Who waits for the response.
  let job: TransferTask
}
