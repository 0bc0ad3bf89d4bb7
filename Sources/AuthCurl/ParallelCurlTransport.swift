public import AuthCore

/// Sends many requests concurrently with libcurl, on one thread and over kept connections: for bodies in memory.
///
/// - A request whose body is a file or a pipe, and one that must be sent only once, has a separate thread, as in
///   ``CurlTransport``. A ``Transfer/destination`` should collect: while a response is written to a file, all others
///   wait.
/// - A request that must wait for others starts as soon as one of them ends, without its task being asked. Tasks get
///   their responses in groups while many arrive.
/// - The credential is fetched before that wait; neither counts against ``NetworkOptions/timeout``.
public struct ParallelCurlTransport: HTTPTransport {
  private let variables: CurlVariables
  private let loop: TransferLoop
  private let single: CurlTransport

  /// Creates a transport with its own kept connections.
  ///
  /// - Parameters:
  ///   - environment: the environment, from which curl's own variables are used, as in ``CurlTransport``.
  ///   - limit: the number of concurrent requests; further ones wait.
  public init(environment: [String: String], limit: Int = .max) {
    variables = CurlVariables(environment)
    loop = TransferLoop(limit: limit)
    single = CurlTransport(environment: environment)
  }

  /// A request with ``Transfer/beforeSending`` has a separate thread.
  public var connectsFirst: Bool { true }

  /// Sends one request; see ``HTTPTransport/send(_:)``.
  public func send(_ transfer: Transfer) async throws -> TransferResponse {
    guard !transfer.isSentOnce, transfer.beforeSending == nil, transfer.body.map(\.isInMemory) ?? true else {
      return try await single.send(transfer)
    }
    try Task.checkCancellation()
    let fields = try await transfer.credential?() ?? []
    return try await loop.send(transfer, variables, gate: CredentialGate(holding: fields))
  }
}

extension RequestBody {
  fileprivate var isInMemory: Bool { if case .bytes = self { true } else { false } }
}
