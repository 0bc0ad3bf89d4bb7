import Foundation
import TestSupport
import Testing

/// The table flow × client authentication × server. A new flow or method is one more word in a list here, and clients
/// for it in ``MatrixServer`` and in the servers' scripts.
@Suite("the table of flows, client authentications and servers")
struct ServerMatrixTests {
  static let flows = [
    "browser", "device", "password", "client-credentials", "jwt-bearer", "token-exchange", "token",
  ]
  static let methods = [
    "none", "client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt", "tls_client_auth",
  ]

  enum Kind: String, CaseIterable {
    case authlab, glewlwyd, canaille
    case django = "django-oauth-toolkit"

    func start() throws -> MatrixServer {
      switch self {
      case .authlab: try MatrixServer.authlab()
      case .glewlwyd: try MatrixServer.glewlwyd()
      case .canaille: try PythonServer.start("canaille_server.py", name: rawValue)
      case .django: try PythonServer.start("django_server.py", name: rawValue)
      }
    }
  }

  @Test("every cell works, or the message says why the server cannot", arguments: Kind.allCases)
  func cells(of kind: Kind) throws {
    let (server, place) = (try kind.start(), try Workplace())
    var lines: [String] = []
    for flow in Self.flows {
      for method in Self.methods { lines.append(line(of: flow, method, server, place)) }
    }
    #expect(lines.count == Self.flows.count * Self.methods.count)
    print(
      (["server                flow                client authentication  outcome"] + lines).joined(separator: "\n"))
  }

  /// Runs a cell and describes its end; one that fails is an issue, and keeps no other from its turn.
  private func line(of flow: String, _ method: String, _ server: MatrixServer, _ place: Workplace) -> String {
    let name = [(server.name, 22), (flow, 20), (method, 23)].map {
      $0.padding(toLength: $1, withPad: " ", startingAt: 0)
    }
    .joined()
    // Tokens from elsewhere are those of a login in the browser.
    let (client, reason) = server.client(flow: flow == "token" ? "browser" : flow, method: method)
    guard let client else {
      #expect(!reason.isEmpty, "\(name): no client, and no reason why")
      return name + "server cannot: " + reason
    }
    do {
      let note = try MatrixCell(server: server, place: place, flow: flow, method: method, client: client).run()
      return name + (note.isEmpty ? "ok" : "ok; " + note)
    } catch {
      Issue.record("\(name): \(error)")
      return name + "FAILED: \(error)"
    }
  }
}
