import Foundation
import TestSupport

/// A running server from the Python package index, canaille or django-oauth-toolkit, or another script that needs it.
enum PythonServer {
  /// Starts one and waits until it serves.
  ///
  /// - Parameter script: `canaille_server.py` or `django_server.py`.
  /// - Throws: `SessionError` where it does not.
  static func start(_ script: String, name: String) throws -> MatrixServer {
    let process = try run(script)
    let running = Running(process: process)
    guard let facts = try JSONSerialization.jsonObject(with: process.waitUntilItServes(name)) as? [String: Any],
      let issuer = facts["issuer"] as? String, let password = facts["password"] as? String,
      let scopes = facts["scopes"] as? [String], let uris = facts["redirect_uris"] as? [String],
      let origin = URL(string: "/", relativeTo: URL(string: issuer))?.absoluteString
    else { throw SessionError("\(script) says less than it should") }
    return MatrixServer(
      name: name, issuer: issuer, api: (origin + "api", "me"), scope: scopes,
      redirectURIs: uris, password: password, clients: clients(facts), cannot: reasons(facts),
      deviceAuthorization: facts["device_authorization"] as? String,
      assertionAudience: facts["assertion_audience"] as? String,
      initialAccessToken: facts["initial_access_token"] as? String, process: running)
  }

  /// Starts a script of Tests/Servers with the Python that has the servers' packages.
  /// - Throws: `SessionError` if the packages are missing.
  static func run(_ script: String, _ arguments: [String] = [], input: ProgramInput = .held) throws -> ProgramRun {
    let python = Workplace.servers.appending(path: "../../.build/python-servers/bin/python").standardized.path
    guard FileManager.default.isExecutableFile(atPath: python) else {
      throw SessionError("no \(python): run Tests/Servers/install.sh")
    }
    return try ProgramRun(
      python, ["-B", Workplace.servers.appending(path: script).path] + arguments, input: input,
      environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"], folder: FileManager.default.temporaryDirectory)
  }

  private static func clients(_ facts: [String: Any]) -> [String: [String: MatrixServer.Client]] {
    let flows = facts["clients"] as? [String: [String: [String: String]]] ?? [:]
    return flows.mapValues { methods in
      methods.mapValues { client in
        MatrixServer.Client(
          id: client["id"] ?? "", secret: client["secret"],
          key: client["key"].map { (file: $0, id: client["key_id"] ?? "") })
      }
    }
  }

  private static func reasons(_ facts: [String: Any]) -> [String: [String: String]] {
    let flows = facts["cannot"] as? [String: Any] ?? [:]
    return flows.mapValues { reason in
      (reason as? [String: String]) ?? ["*": reason as? String ?? ""]
    }
  }

  /// Ends the server when no test needs it any more.
  private final class Running: Sendable {
    let process: ProgramRun

    init(process: ProgramRun) { self.process = process }

    deinit {
      process.send(SIGTERM)
      _ = try? process.wait(seconds: 600)
    }
  }
}
