import AuthCore
import Synchronization

/// Sends requests by another transport, and reports to the trace of each which proxy it uses, once for each origin. An
/// error names the proxy, too.
struct ProxyTrace: HTTPTransport {
  let transport: any HTTPTransport
  /// The environment of the program.
  let environment: [String: String]
  /// Whether the option `--proxy` is given.
  let hasOption: Bool
  /// Whether errors name the proxy.
  let isInErrors: Bool
  /// What has been shown by other transports of this process.
  let shown: ShownOnce

  var connectsFirst: Bool { transport.connectsFirst }

  func send(_ transfer: Transfer) async throws -> TransferResponse {
    if let trace = transfer.trace, let text = text(transfer), shown.isFirst(text) { trace(.proxy(text)) }
    do { return try await transport.send(transfer) } catch let error as TransportError {
      throw named(error, transfer)
    }
  }

  /// Adds the proxy, and where it is set, to the error of a connection.
  private func named(_ error: TransportError, _ transfer: Transfer) -> TransportError {
    let settings = ProxySettings(network: transfer.network, environment: environment)
    guard isInErrors, transfer.network.unixSocket == nil, let proxy = settings.proxy(of: transfer.url.origin)
    else { return error }
    let name = "\(proxy.url) (\(place(proxy)))"
    return switch error {
    case .unresolved("the proxy", let detail): .unresolved(host: "the proxy \(name)", detail: detail)
    case .unreachable(let detail): .unreachable(detail: "\(detail), through the proxy \(name)")
    case .timedOut(let detail): .timedOut(detail: "\(detail), through the proxy \(name)")
    default: error
    }
  }

  /// Returns the proxy of a request in words; nil if none is set.
  private func text(_ transfer: Transfer) -> String? {
    // It takes the place of the connection to host or proxy.
    guard transfer.network.unixSocket == nil else { return nil }
    let settings = ProxySettings(network: transfer.network, environment: environment)
    let origin = transfer.url.origin
    if let proxy = settings.proxy(of: origin) { return "proxy for \(origin): \(proxy.url) (\(place(proxy)))" }
    guard let exception = settings.exception(of: origin) else { return nil }
    let proxy = exception.proxy
    return "no proxy for \(origin): \(exception.variable ?? "--noproxy") contains \(exception.entry), so "
      + "\(proxy.url) (\(place(proxy))) is not used"
  }

  private func place(_ proxy: ProxySettings.Proxy) -> String {
    proxy.variable == nil && hasOption ? "--proxy" : proxy.source
  }
}

/// Remembers what `-v` has shown, for lines that are shown once.
final class ShownOnce: Sendable {
  private let keys = Mutex<Set<String>>([])

  /// Returns whether a key is new, and remembers it.
  func isFirst(_ key: String) -> Bool { keys.withLock { $0.insert(key).inserted } }
}
