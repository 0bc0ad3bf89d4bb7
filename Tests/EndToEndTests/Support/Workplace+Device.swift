import Foundation
import TestSupport

/// Logins on another device.
extension Workplace {
  /// The arguments of a first device login at the server.
  func deviceLogin(_ more: [String] = [], client: String = "cli") -> [String] {
    ["login", "work", "--flow", "device", "--issuer", lab.origin, "--client-id", client, "--api", lab.origin + "/api"]
      + ["--scope", "api"] + more
  }

  /// Starts a login and waits until it has shown the code.
  func startDeviceLogin(_ more: [String] = [], environment: [String: String?] = [:]) throws -> ProgramRun {
    let run = try start(deviceLogin(more), environment: environment)
    try run.waitUntilError(contains: "?user_code=")
    return run
  }

  /// Does with a page what a person at another device would.
  func visit(_ page: String, _ action: String = "approve", password: String = Workplace.password) throws -> Outcome {
    let environment = session.environment.merging(browser(action, password: password).compactMapValues { $0 }) { $1 }
    return try ProgramRun(
      Workplace.servers.appending(path: "browser.py").path, [page], environment: environment, folder: session.directory
    ).wait()
  }
}
