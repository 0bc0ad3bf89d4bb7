public import AuthCore
import FoundationEssentials

/// Sends requests with libcurl, as curl does: HTTP/1.1 and HTTP/2, proxies, kept connections.
///
/// - The credential is fetched while the connection is being opened. The time spent waiting for it does not count
///   against ``NetworkOptions/timeout``. If the wait takes more than a second, the connection is checked again, and
///   reopened if the server has closed it. If both the connection and the credential fail, the credential's error is
///   thrown, whichever comes first.
/// - Connecting times out after 30 s unless ``NetworkOptions/connectTimeout`` is set.
/// - A cancelled `send` returns at once. If its thread is blocked in a read or a write of a local file at that moment,
///   that one call may still complete afterwards; no other call follows.
/// - A connection that the server has closed sends the process no `SIGPIPE`, whatever the process does with it.
public struct CurlTransport: HTTPTransport {
  private let variables: CurlVariables
  private let pool = LoopPool()

  /// Creates a transport with its own kept connections.
  ///
  /// - Parameter environment: the environment, from which curl's own variables are used: `http_proxy`, `https_proxy`,
  ///   `all_proxy`, `no_proxy`, `CURL_CA_BUNDLE`, `SSL_CERT_FILE`, `SSL_CERT_DIR`; nil for the process's own.
  public init(environment: [String: String]? = nil) {
    variables = CurlVariables(environment ?? ProcessInfo.processInfo.environment)
  }

  /// Starts to load libcurl on another thread, for a program that is going to send a request. Takes about 5 ms.
  public static func preload() {
    CurlSession.preload()
  }

  public var connectsFirst: Bool { true }

  /// Sends one request; see ``HTTPTransport/send(_:)``.
  public func send(_ transfer: Transfer) async throws -> TransferResponse {
    try Task.checkCancellation()
    let loop = pool.take()
    let response = try await loop.send(transfer, variables, gate: CredentialGate(transfer.credential))
    // Not after a failure: libcurl keeps state of a connection that was never opened, which breaks the next transfer.
    pool.put(loop)
    return response
  }
}
