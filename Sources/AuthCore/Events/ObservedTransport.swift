import Synchronization

/// Starts to observe a request; returns nil if it is not observed.
package typealias TransferObserver = @Sendable (ObservedTransfer) -> TransferView?

/// What an observer does at the moments of one request. It is called from any thread and must not block.
package struct TransferView: Sendable {
  /// The request is complete, its token included: only the network delays it now.
  var ready: @Sendable (TransferRecord) -> Void = { _ in }
  /// A header line was sent or received; nil if the observer needs nothing of what is on the wire.
  var line: (@Sendable (WireLine) -> Void)?
  /// The last header line of the request was sent: the server processes it. A proxy may require that it is sent again.
  var sent: @Sendable (TransferRecord) -> Void = { _ in }
  /// The response has arrived, or there is none.
  let ended: @Sendable (TransferRecord) -> Void
}

extension TransferView {
  /// Creates a view of the response only.
  package init(ended: @escaping @Sendable (TransferRecord) -> Void) { self.init(ready: { _ in }, ended: ended) }
}

/// Sends requests by another transport, and lets an observer see each.
package struct ObservedTransport: HTTPTransport {
  private let transport: any HTTPTransport
  private let observer: TransferObserver

  /// Wraps a transport.
  package init(_ transport: any HTTPTransport, _ observer: @escaping TransferObserver) {
    self.transport = transport
    self.observer = observer
  }

  package var connectsFirst: Bool { transport.connectsFirst }

  /// Sends one request; see ``HTTPTransport/send(_:)``.
  ///
  /// - Throws: the errors of the wrapped transport.
  package func send(_ transfer: Transfer) async throws -> TransferResponse {
    let observed = ObservedTransfer(transfer)
    guard let view = observer(observed) else { return try await transport.send(transfer) }
    do {
      let response = try await transport.send(observed.watched(by: view))
      view.ended(observed.change { $0.outcome = .success(response) })
      return response
    } catch {
      view.ended(observed.change { $0.outcome = .failure(error) })
      throw error
    }
  }
}

/// A request that is being sent, and its record.
package final class ObservedTransfer: Sendable {
  /// The request.
  package let transfer: Transfer
  private let state: Mutex<TransferRecord>

  fileprivate init(_ transfer: Transfer) {
    self.transfer = transfer
    state = Mutex(TransferRecord(transfer))
  }

  /// What is known now.
  var record: TransferRecord { state.withLock(\.self) }

  /// Changes the record, and returns it.
  fileprivate func change(_ body: (inout TransferRecord) -> Void) -> TransferRecord {
    state.withLock { record in
      body(&record)
      return record
    }
  }

  /// Returns the request with observers. Those that it already has are called, too.
  fileprivate func watched(by view: TransferView) -> Transfer {
    var watched = transfer
    if let credential = transfer.credential {
      watched.credential = { [self] in
        do {
          let fields = try await credential()
          view.ready(change { ($0.credential, $0.ready) = (fields, $0.ready ?? .now) })
          return fields
        } catch {
          _ = change { $0.isWithheld = true }
          throw error
        }
      }
    } else {
      view.ready(record)
    }
    guard let show = view.line else { return watched }
    watched.trace = { [self] line in
      show(line)
      // A view of the whole request is made here, because another thread would take longer to start.
      if let sent = state.withLock({ $0.take(line) ? $0 : nil }) { view.sent(sent) }
      transfer.trace?(line)
    }
    watched.received = { [self] part in
      let isKept = state.withLock { $0.take(part) }
      let isRead = transfer.received?(part) ?? false
      return isRead || isKept
    }
    watched.report = { [self] report in
      state.withLock { $0.report = report }
      transfer.report?(report)
    }
    return watched
  }
}
