import AuthCore
import CCurl

/// The transfers that one thread has under way.
final class ActiveTransfers {
  /// Where they are under way, and the connections that are kept.
  let multi: CurlMulti

  private let environment: [String: String]
  private var underWay: [CurlMulti.ID: (session: CurlSession, exchange: TransferState)] = [:]
  private var idle: [CurlSession] = []

  /// Starts with none.
  ///
  /// - Throws: ``TransportError/unusable(detail:)``.
  init(environment: [String: String]) throws(TransportError) {
    self.environment = environment
    multi = try CurlMulti()
  }

  /// Begins a transfer.
  func begin(_ order: QueuedTransfer) {
    let exchange = TransferState(order.transfer, gate: CredentialGate(holding: order.fields), job: order.job)
    do throws(TransportError) {
      let session = try handle()
      order.job.use(session)
      let settings = TransferSettings(transfer: order.transfer, environment: environment).all
      guard let failed = session.begin(settings, for: exchange) else {
        underWay[session.id] = (session, exchange)
        return
      }
      finish(exchange, failed)
    } catch {
      order.job.finish(.failure(error))
    }
  }

  /// Does what can be done without waiting, and ends what is at its end or must not go on.
  ///
  /// - Returns: how long the others may wait for the network, in milliseconds; nil where there are none.
  func step() -> Int? {
    guard multi.perform() != nil else {
      for id in underWay.keys { end(id, CURLE_FAILED_INIT) }
      return nil
    }
    while let (id, code) = multi.finished() { end(id, code) }
    var patience: Int?
    for (id, transfer) in underWay {
      if let own = transfer.exchange.patience() {
        patience = min(own, patience ?? own)
      } else {
        end(id, CURLE_ABORTED_BY_CALLBACK)
      }
    }
    return patience
  }

  /// Waits for the network.
  func wait(atMost milliseconds: Int) {
    // Where libcurl can't wait, the next step says so of each transfer.
    _ = multi.wait(atMost: milliseconds)
  }

  private func handle() throws(TransportError) -> CurlSession {
    if let session = idle.popLast() { return session }
    return try CurlSession(sharing: multi)
  }

  private func end(_ id: CurlMulti.ID, _ code: CURLcode) {
    guard let (session, exchange) = underWay.removeValue(forKey: id) else { return }
    let ending = session.end(code)
    // Not after a failure: what libcurl keeps of it in the handle spoils the next transfer.
    if ending.isSuccess { idle.append(session) }
    finish(exchange, ending)
  }

  private func finish(_ exchange: TransferState, _ ending: CurlResult) {
    exchange.job.use(nil)
    exchange.job.finish(Result { try exchange.response(after: ending) })
  }
}
