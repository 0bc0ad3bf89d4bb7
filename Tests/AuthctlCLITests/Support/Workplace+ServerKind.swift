import Foundation
import TestSupport

/// Profiles of the five kinds of server.
extension Workplace {
  /// Creates a workplace with the profile `work` of a kind that has not been logged in to.
  convenience init(kind: ServerKind, top: String = "", tables: String = "", lab arguments: [String] = []) throws {
    try self.init(lab: arguments)
    try makeProfile(kind, top: top, tables: tables)
  }

  /// Writes the profile `work` of a kind.
  func makeProfile(_ kind: ServerKind, top: String = "", tables: String = "") throws {
    try write(kind.profile(lab.origin, top: top, tables: tables))
  }

  /// Logs in to the profile `work` of a kind.
  func logIn(_ kind: ServerKind, _ more: [String] = []) async throws -> Outcome {
    try await run(["login", "work"] + kind.options + more, input: .text(Workplace.password))
  }

  /// A workplace with the profile `work` of a kind, logged in to, and with fresh counters.
  static func loggedIn(
    _ kind: ServerKind, top: String = "", tables: String = "", lab arguments: [String] = []
  ) async throws -> Workplace {
    let place = try Workplace(kind: kind, top: top, tables: tables, lab: arguments)
    let outcome = try await place.logIn(kind)
    guard outcome.status == 0 else { throw SessionError("no login: \(outcome.error)") }
    try await place.lab.reset()
    return place
  }
}
