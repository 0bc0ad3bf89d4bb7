import Foundation
import TestSupport

/// Profiles of the five kinds of server.
extension Workplace {
  /// Starts the session and the server, with the profile `work` of a kind that has not been logged in to.
  convenience init(
    kind: ServerKind, top: String = "", tables: String = "", lab arguments: [String] = [], over wire: Wire = .http1
  ) throws {
    try self.init(lab: arguments, over: wire)
    try makeProfile(kind, top: top, tables: tables)
  }

  /// Writes the profile `work` of a kind.
  func makeProfile(_ kind: ServerKind, top: String = "", tables: String = "") throws {
    try write(kind.profile(origin, top: top, tables: tables + network))
  }

  /// Writes the file of the profile `work`.
  func write(_ text: String) throws {
    try FileManager.default.createDirectory(
      at: file().deletingLastPathComponent(), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try Data(text.utf8).write(to: file())
  }

  /// Logs in to the profile `work` of a kind.
  func logIn(_ kind: ServerKind, _ more: [String] = []) throws -> Outcome {
    try run(["login", "work"] + kind.options + more, input: .text(Workplace.password))
  }

  /// A workplace with the profile `work` of a kind, logged in to, and with fresh counters.
  static func loggedIn(
    _ kind: ServerKind, top: String = "", tables: String = "", lab arguments: [String] = [], over wire: Wire = .http1
  ) throws -> Workplace {
    let place = try Workplace(kind: kind, top: top, tables: tables, lab: arguments, over: wire)
    let outcome = try place.logIn(kind)
    guard outcome.status == 0 else { throw SessionError("no login: \(outcome.error)") }
    try place.lab.reset()
    return place
  }
}
