import AuthCore
import Synchronization

/// Sends requests by another transport, and reports to the trace of each which proxy it uses, once for each origin.
final class ProxyTrace: HTTPTransport {
  /// What is known when the program starts.
  struct Source: Sendable {
    /// The environment.
    let environment: [String: String]
    /// Whether the option `--proxy` is given.
    let hasOption: Bool
  }

  private let transport: any HTTPTransport
  private let source: Source
  private let shown: ShownOnce

  /// - Parameter shown: what has been shown by other transports of this process.
  init(_ transport: any HTTPTransport, _ source: Source, shown: ShownOnce) {
    self.transport = transport
    self.source = source
    self.shown = shown
  }

  func send(_ transfer: Transfer) async throws -> TransferResponse {
    if let trace = transfer.trace, let text = text(transfer), shown.isFirst(text) { trace(.proxy(text)) }
    return try await transport.send(transfer)
  }

  /// Returns the proxy of a request in words; nil if none is set.
  private func text(_ transfer: Transfer) -> String? {
    // It takes the place of the connection to host or proxy.
    guard transfer.network.unixSocket == nil else { return nil }
    let settings = ProxySettings(network: transfer.network, environment: source.environment)
    let origin = transfer.url.origin
    if let proxy = settings.proxy(of: origin) { return "proxy for \(origin): \(proxy.url) (\(place(proxy)))" }
    guard let exception = settings.exception(of: origin) else { return nil }
    let proxy = exception.proxy
    return "no proxy for \(origin): \(exception.variable ?? "--noproxy") contains \(exception.entry), so "
      + "\(proxy.url) (\(place(proxy))) is not used"
  }

  private func place(_ proxy: ProxySettings.Proxy) -> String {
    proxy.variable == nil && source.hasOption ? "--proxy" : proxy.source
  }
}

/// Remembers what `-v` has shown, for lines that are shown once.
final class ShownOnce: Sendable {
  private let keys = Mutex<Set<String>>([])

  /// Returns whether a key is new, and remembers it.
  func isFirst(_ key: String) -> Bool { keys.withLock { $0.insert(key).inserted } }
}
