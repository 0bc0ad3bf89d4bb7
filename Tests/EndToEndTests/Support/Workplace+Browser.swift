import Foundation
import TestSupport

/// Logins in a browser.
extension Workplace {
  /// The variables that make the scripted browser the person's.
  func browser(_ action: String = "approve", password: String = Workplace.password) -> [String: String?] {
    [
      "BROWSER": Workplace.servers.appending(path: "browser.py").path, "BROWSER_USER": "alice",
      "BROWSER_PASSWORD": password, "BROWSER_ACTION": action,
      "BROWSER_LOG": session.directory.appending(path: "browser.log").path,
    ]
  }

  /// What the scripted browser has noted.
  /// - Throws: `CocoaError` if it was never started.
  func browserLog() throws -> String {
    try String(contentsOf: session.directory.appending(path: "browser.log"), encoding: .utf8)
  }

  /// The arguments of a first browser login at the server.
  func browserLogin(_ more: [String] = []) -> [String] {
    ["login", "work", "--issuer", lab.origin, "--client-id", "cli", "--api", lab.origin + "/api"]
      + ["--scope", "openid", "--scope", "api"] + more
  }

  /// Starts a login without a browser and waits for the address that it prints.
  func startLogin(_ more: [String] = []) throws -> (run: ProgramRun, request: AuthorizationURL) {
    let run = try start(browserLogin(["--no-browser"] + more))
    try run.waitUntilError(contains: "/authorize?")
    try Waiting.until("the whole address") { run.errorSoFar.hasSuffix("\n") }
    return (run, try AuthorizationURL(in: run.errorSoFar))
  }

  /// The server's response to an authorization request without a page: the address that the browser would go to.
  func redirect(of request: AuthorizationURL) throws -> String {
    try lab.change(#"{"grant_without_page":true}"#)
    guard let location = try lab.send("GET", request.target).header("location") else {
      throw SessionError("the server does not redirect")
    }
    return location
  }
}
