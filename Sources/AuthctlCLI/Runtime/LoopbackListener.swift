import AuthCore
import HTTPServer
import Synchronization
import SystemPackage

/// Waits on the loopback interface for the redirect of a browser login (RFC 8252, section 7.3).
struct LoopbackListener: Sendable {
  /// The redirect URI, with the port of the listener.
  let redirectURI: String
  /// What `ssh -L` needs to bring a browser on another machine to the listener: `PORT:127.0.0.1:PORT`.
  let forwarding: String
  private let path: String
  private let socket: FileDescriptor
  private let patience: Duration

  /// Listens at the first of the URIs whose port is free.
  ///
  /// - Parameter patience: the maximum time that the browser waits for the page with the outcome.
  /// - Throws: ``AuthError/tryLater(_:)`` if all ports are in use, ``AuthError/failed(_:)`` if one can't be used.
  init(_ uris: [RedirectURI], patience: Duration = .seconds(10)) throws(AuthError) {
    self.patience = patience
    var reasons: [String] = []
    var areInUse = true
    for uri in uris {
      do throws(Errno) {
        let (socket, number) = try ListeningSocket.tcp(
          LoopbackListener.isIP6(uri) ? .ip6 : .ip4, port: UInt16(uri.port ?? 0))
        self.socket = socket
        let port = Int(number)
        redirectURI = uri.string(port: port)
        forwarding = "\(port):\(LoopbackListener.isIP6(uri) ? uri.host : "127.0.0.1"):\(port)"
        path = uri.path.isEmpty ? "/" : uri.path
        return
      } catch {
        areInUse = areInUse && error == .addressInUse
        reasons.append("\(uri.host):\(uri.port ?? 0): \(LoopbackListener.reason(error))")
      }
    }
    let explanation = AuthError.Explanation(
      "listening for the browser's response", why: reasons.joined(separator: "; "),
      hint: "free the port, or set other URIs in redirect_uri (they must be registered at the server)")
    throw areInUse ? .tryLater(explanation) : .failed(explanation)
  }

  /// Stops listening, if it has not been served.
  func close() {
    // Nothing depends on it: the program's end closes it, too.
    try? socket.close()
  }

  private static func reason(_ error: Errno) -> String {
    error == .addressInUse ? "the port is in use" : "error \(error.rawValue)"
  }

  private static func isIP6(_ uri: RedirectURI) -> Bool { uri.host == "[::1]" }

  /// The result of checking a request to the redirect URI.
  enum Verdict<Response: Sendable>: Sendable {
    /// Ends the wait.
    case accepted(Response)
    /// Continues the wait; the browser shows the page.
    case ignored(LoopbackPage)
  }

  /// Serves the browser while `body` waits for its response, handles it, and shows the page with the outcome.
  ///
  /// - Parameter verdict: checks the fields of a request to the redirect URI.
  /// - Throws: the error of `body`, or `Errno` if the process lacks resources.
  func serve<Response: Sendable, Value: Sendable>(
    _ verdict: @escaping @Sendable ([FormField]) -> Verdict<Response>,
    _ body: (LoopbackVisit<Response>) async throws -> Value
  ) async throws -> Value {
    let visit = LoopbackVisit<Response>()
    let server = HTTPServer([socket]) { await respond(to: $0, verdict, visit) }
    try await server.start()
    let outcome: Result<Value, any Error>
    do { outcome = .success(try await body(visit)) } catch { outcome = .failure(error) }
    // To browsers that still wait, because the login was cancelled.
    await visit.show(.late)
    await server.stop(grace: .seconds(2))
    return try outcome.get()
  }

  private func respond<Response: Sendable>(
    to exchange: ServerExchange, _ verdict: @Sendable ([FormField]) -> Verdict<Response>,
    _ visit: LoopbackVisit<Response>
  ) async {
    // A broken connection is not the browser with the response; the wait continues.
    guard let request = try? await LoopbackRequest(exchange) else { return exchange.abort() }
    guard request.path == path else { return LoopbackPage.notFound.send(to: exchange) }
    guard request.isNavigation else { return LoopbackPage.noNavigation.send(to: exchange) }
    guard let fields = request.fields else { return LoopbackPage.methodNotAllowed.send(to: exchange) }
    switch verdict(fields) {
    case .ignored(let page): page.send(to: exchange)
    case .accepted(let response): await visit.take(response, of: fields, in: exchange, patience: patience)
    }
  }
}

/// A name and a value from a query or form.
typealias FormField = (name: String, value: String)

/// Checks whether the ports of redirect URIs are free, one profile after the other: two may have the same port.
final class PortCheck: Sendable {
  private let turn = Mutex(())

  /// Returns why no login can wait at any of the URIs; nil if one can.
  func failure(of uris: [RedirectURI]) -> AuthError? {
    turn.withLock { _ in
      do throws(AuthError) {
        try LoopbackListener(uris).close()
        return nil
      } catch {
        return error
      }
    }
  }
}
