import AuthCore
import FlyingSocks
import FoundationEssentials
import Glibc

/// Waits on the loopback interface for the redirect of a browser login (RFC 8252, section 7.3).
struct LoopbackListener: Sendable {
  /// The redirect URI, with the port of the listener.
  let redirectURI: String
  private let path: String
  private let socket: Socket

  /// Listens at the first of the URIs whose port is free.
  ///
  /// - Throws: ``AuthError/tryLater(_:)`` if all ports are in use, ``AuthError/failed(_:)`` if one can't be used.
  init(_ uris: [RedirectURI]) throws(AuthError) {
    var reasons: [String] = []
    var areInUse = true
    for uri in uris {
      do {
        let (socket, port) = try LoopbackListener.listen(uri)
        self.socket = socket
        redirectURI = uri.string(port: port)
        path = uri.path.isEmpty ? "/" : uri.path
        return
      } catch {
        areInUse = areInUse && LoopbackListener.isInUse(error)
        reasons.append("\(uri.host):\(uri.port ?? 0): \(LoopbackListener.reason(error))")
      }
    }
    let explanation = AuthError.Explanation(
      "listening for the browser's response", why: reasons.joined(separator: "; "),
      hint: "free the port, or set other URIs in redirect_uri (they must be registered at the server)")
    throw areInUse ? .tryLater(explanation) : .failed(explanation)
  }

  private static func isInUse(_ error: any Error) -> Bool {
    if case .failed(_, EADDRINUSE, _) = error as? SocketError { true } else { false }
  }

  private static func reason(_ error: any Error) -> String {
    if isInUse(error) { return "the port is in use" }
    if case .failed(_, let errno, _) = error as? SocketError { return "error \(errno)" }
    return "the port can't be used"
  }

  private static func listen(_ uri: RedirectURI) throws -> (Socket, port: Int) {
    let isIP6 = uri.host == "[::1]"
    let socket = try Socket(domain: isIP6 ? AF_INET6 : AF_INET)
    do {
      try socket.setValue(true, for: .localAddressReuse)
      let port = UInt16(uri.port ?? 0)
      if isIP6 {
        try socket.bind(to: sockaddr_in6.inet6(ip6: "::1", port: port))
      } else {
        try socket.bind(to: sockaddr_in.inet(ip4: "127.0.0.1", port: port))
      }
      try socket.listen()
      switch try socket.sockname() {
      case .ip4(_, let port), .ip6(_, let port): return (socket, Int(port))
      case .unix: throw SocketError.unsupportedAddress
      }
    } catch {
      try? socket.close()
      throw error
    }
  }

  /// The result of checking a request to the redirect URI.
  enum Verdict<Answer: Sendable>: Sendable {
    /// Ends the wait.
    case accepted(Answer)
    /// Continues the wait; the browser shows the page.
    case ignored(LoopbackPage)
  }

  /// Serves requests until one is the expected response.
  ///
  /// - Parameter verdict: checks the fields of a request to the redirect URI.
  /// - Throws: `CancellationError`, or the error of a socket.
  func wait<Answer: Sendable>(for verdict: @escaping @Sendable ([FormField]) -> Verdict<Answer>) async throws -> Answer
  {
    let pool: some AsyncSocketPool = .make()
    try await pool.prepare()
    defer { try? socket.close() }
    let listening = try AsyncSocket(socket: socket, pool: pool)
    return try await withThrowingTaskGroup(of: Answer?.self) { group in
      group.addTask {
        try await pool.run()
        return nil
      }
      group.addTask {
        await serve(listening, verdict)
      }
      defer { group.cancelAll() }
      while let result = try await group.next() {
        if let result { return result }
      }
      throw CancellationError()
    }
  }

  /// Accepts connections and serves each in its own task, because browsers also open connections that stay silent.
  private func serve<Answer: Sendable>(
    _ listening: AsyncSocket, _ verdict: @escaping @Sendable ([FormField]) -> Verdict<Answer>
  ) async -> Answer? {
    let (responses, found) = AsyncStream<Answer>.makeStream()
    return await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await withTaskGroup(of: Void.self) { connections in
          while !Task.isCancelled, let connection = try? await listening.accept() {
            connections.addTask {
              if let response = await answered(connection, verdict) { found.yield(response) }
            }
          }
        }
      }
      defer { group.cancelAll() }
      for await response in responses { return response }
      return nil
    }
  }

  private func answered<Answer: Sendable>(
    _ connection: AsyncSocket, _ verdict: @Sendable ([FormField]) -> Verdict<Answer>
  ) async -> Answer? {
    defer { try? connection.close() }
    // A broken or malformed connection is not the browser with the response; the wait continues.
    guard let request = try? await LoopbackRequest(connection) else { return nil }
    guard request.path == path else {
      try? await connection.write(LoopbackPage.notFound.response)
      return nil
    }
    guard request.isNavigation else {
      try? await connection.write(LoopbackPage.noNavigation.response)
      return nil
    }
    guard let fields = request.fields else {
      try? await connection.write(LoopbackPage.methodNotAllowed.response)
      return nil
    }
    switch verdict(fields) {
    case .accepted(let response):
      try? await connection.write(LoopbackPage.received.response)
      return response
    case .ignored(let page):
      try? await connection.write(page.response)
      return nil
    }
  }
}

/// A name and a value from a query or form.
typealias FormField = (name: String, value: String)
