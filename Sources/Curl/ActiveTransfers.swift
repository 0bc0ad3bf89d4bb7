import AuthCore
import CCurl

/// The running transfers of one thread, and the results that their tasks have not got yet.
final class ActiveTransfers {
  /// The multi handle that runs them and keeps their connections.
  let multi: CurlMulti

  private var underWay: [CurlMulti.ID: (session: CurlSession, exchange: TransferState)] = [:]
  private var idle: [CurlSession] = []
  private let latest = LatestHeader()
  private var results: [(task: TransferTask, result: Result<TransferResponse, any Error>)] = []

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
    guard !order.job.isCancelled else {
      results.append((order.job, .failure(CancellationError())))
      return
    }
    let exchange = TransferState(
      order.transfer, gate: CredentialGate(holding: order.fields), job: order.job, after: latest)
    do throws(TransportError) {
      let session = try handle()
      order.job.use(session)
      guard let failed = session.begin(order.settings, for: exchange) else {
        underWay[session.id] = (session, exchange)
        return
      }
      finish(exchange, failed)
    } catch {
      results.append((order.job, .failure(error)))
    }
  }

  /// Does the work that needs no waiting, and ends the transfers that are complete or must stop.
  ///
  /// - Returns: how long the others may wait for the network, in milliseconds; nil if there are none.
  func step() -> Int? {
    guard multi.perform() != nil else {
      for id in underWay.keys { end(id, CURLE_FAILED_INIT) }
      return nil
    }
    while let (id, code) = multi.finished() { end(id, code) }
    let now = ContinuousClock.now
    var patience: Int?
    for (id, transfer) in underWay {
      if let own = transfer.exchange.patience(at: now) {
        patience = min(own, patience ?? own)
      } else {
        end(id, CURLE_ABORTED_BY_CALLBACK)
      }
    }
    return patience
  }

  /// Passes results to their tasks: not while more are about to arrive, so that as few threads as possible are woken.
  ///
  /// - Parameter group: the number of results that are not kept back.
  /// - Returns: false if there was none.
  func deliver(group: Int) -> Bool {
    guard !results.isEmpty else { return false }
    guard results.count >= group || multi.wait(atMost: 0) ?? 0 == 0 else { return true }
    for (task, result) in results { task.finish(result) }
    results.removeAll(keepingCapacity: true)
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

  private func end(_ id: CurlMulti.ID, _ code: CURLcode) {
    guard let (session, exchange) = underWay.removeValue(forKey: id) else { return }
    let ending = session.end(code)
    // Not after a failure, whose state libcurl keeps in the handle: it breaks the next transfer.
    if ending.isSuccess { idle.append(session) }
    finish(exchange, ending)
  }

  private func finish(_ exchange: TransferState, _ ending: CurlResult) {
    exchange.job.use(nil)
    results.append((exchange.job, Result { try exchange.response(after: ending) }))
  }
}
