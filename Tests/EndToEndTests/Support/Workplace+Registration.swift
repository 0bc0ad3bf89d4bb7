import Foundation
import Glibc
import TestSupport

/// Clients that authctl has registered.
extension Workplace {
  /// Runs a login that may register a client, with the scripted browser as the person's.
  ///
  /// It listens on one of three fixed ports: one such login at a time on this machine, in whatever process.
  func logIn(
    at url: String, _ more: [String] = [], input: ProgramInput = .nothing, action: String = "approve",
    password: String
  ) throws -> Outcome {
    let lock = unsafe open("/tmp/authctl-tests-registered-ports", O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard lock >= 0, flock(lock, LOCK_EX) == 0 else { throw SessionError("no lock for the registered ports") }
    defer { close(lock) }
    return try run(["login", url] + more, input: input, environment: browser(action, password: password))
  }

  /// The stored client that was registered at an issuer; nil if there is none.
  func registration(at issuer: String) throws -> JSONObject? {
    let words = ["application", "authctl", "kind", "registration", "issuer", issuer]
    guard try session.run("secret-tool", ["search"] + words).isEmpty == false else { return nil }
    return try JSONObject(Data(session.run("secret-tool", ["lookup"] + words).utf8))
  }

  /// The addresses that the scripted browser has opened, in order.
  func visited() throws -> [String] {
    try String(contentsOf: session.directory.appending(path: "browser.log"), encoding: .utf8)
      .split(separator: "\n").compactMap { try JSONObject(Data($0.utf8)).string("url") }
  }
}
