import AuthCore
import CAuthCurl

/// The running transfers of one thread, and the results that their tasks have not got yet.
final class ActiveTransfers {
  /// The multi handle that runs them and keeps their connections.
  let multi: CurlMulti

  // Searched one by one, as each step visits all of them: the first dictionary of a process takes longer to create.
  private var underWay: [RunningTransfer] = []
  private var idle: [CurlSession] = []
  private let latest = LatestHeader()
  private var ended: [RunningTransfer] = []

  /// Creates the list without transfers.
  ///
  /// - Throws: ``TransportError/unusable(detail:)``.
  init() throws(TransportError) {
    multi = try CurlMulti()
  }

  /// The number of running transfers.
  var count: Int { underWay.count }

  /// Starts a transfer.
  func begin(_ order: QueuedTransfer) {
    guard !order.job.isCancelled else { return order.job.finish(.failure(CancellationError())) }
    do throws(TransportError) {
      let exchange = TransferState(order.transfer, gate: order.gate, job: order.job, after: latest)
      begin(RunningTransfer(order, try handle(), exchange))
    } catch {
      order.job.finish(.failure(error))
    }
  }

  private func begin(_ transfer: RunningTransfer) {
    transfer.order.job.use(transfer.session)
    if let failed = transfer.session.begin(transfer.order.settings, for: transfer.exchange) {
      finish(transfer, failed)
    } else {
      underWay.append(transfer)
    }
  }

  /// Does the work that needs no waiting, and ends the transfers that are complete or must stop.
  ///
  /// - Returns: how long the others may wait for the network, in milliseconds; nil if there are none.
  func step() -> Int? {
    for transfer in underWay where transfer.exchange.takesUpBody() { transfer.session.resume() }
    guard multi.perform() != nil else {
      for transfer in underWay { end(transfer, CURLE_FAILED_INIT) }
      return nil
    }
    while let (id, code) = multi.finished() {
      if let transfer = underWay.first(where: { $0.session.id == id }) { end(transfer, code) }
    }
    let now = ContinuousClock.now
    var patience: Int?
    for transfer in underWay {
      if let own = transfer.exchange.patience(at: now) {
        patience = min(own, patience ?? own)
        if transfer.exchange.isProgressDue() { transfer.order.transfer.progress?(transfer.session.progress) }
      } else {
        end(transfer, CURLE_ABORTED_BY_CALLBACK)
      }
    }
    return patience
  }

  /// Passes results to their tasks: not while more are about to arrive, so that as few threads as possible are woken.
  ///
  /// - Parameter group: the number of results that are not kept back.
  /// - Returns: false if there was none.
  func deliver(group: Int) -> Bool {
    guard !ended.isEmpty else { return false }
    guard ended.count >= group || multi.wait(atMost: 0) ?? 0 == 0 else { return true }
    for transfer in ended { if let result = transfer.result { transfer.order.job.finish(result) } }
    ended.removeAll(keepingCapacity: true)
    return true
  }

  /// Waits for the network.
  func wait(atMost milliseconds: Int) {
    // If libcurl can't wait, the next step fails every transfer.
    _ = multi.wait(atMost: milliseconds)
  }

  private func handle() throws(TransportError) -> CurlSession {
    if let session = idle.popLast() { return session }
    return try CurlSession(sharing: multi)
  }

  private func end(_ transfer: RunningTransfer, _ code: CURLcode) {
    underWay.removeAll { $0 === transfer }
    let ending = transfer.session.end(code)
    if transfer.exchange.isStale {
      transfer.exchange.isStale = false
      return begin(transfer)
    }
    // Not after a failure, whose state libcurl keeps in the handle: it breaks the next transfer.
    if ending.isSuccess { idle.append(transfer.session) }
    finish(transfer, ending)
  }

  private func finish(_ transfer: RunningTransfer, _ ending: CurlResult) {
    transfer.order.job.use(nil)
    transfer.result = Result { try transfer.exchange.response(after: ending) }
    ended.append(transfer)
  }
}

/// A transfer that runs, or has ended.
private final class RunningTransfer {
  let order: QueuedTransfer
  let session: CurlSession
  let exchange: TransferState
  /// The response, or why there is none; nil until the transfer has ended.
  var result: Result<TransferResponse, any Error>?

  init(_ order: QueuedTransfer, _ session: CurlSession, _ exchange: TransferState) {
    (self.order, self.session, self.exchange) = (order, session, exchange)
  }
}
