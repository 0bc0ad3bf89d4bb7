import Foundation
import TestSupport

/// Waits for what happens elsewhere.
enum Waiting {
  /// How long anything is waited for at the most: it bounds a test that fails, and must not fail one on a machine that
  /// is busy.
  static let limit: Duration = .seconds(120)

  /// Looks every five milliseconds whether something has happened.
  /// - Throws: `SessionError` when it has not within `limit`.
  static func until(_ what: @autoclosure () -> String, _ condition: () throws -> Bool) throws {
    let end = ContinuousClock.now.advanced(by: limit)
    while ContinuousClock.now < end {
      if try condition() { return }
      usleep(5000)
    }
    throw SessionError("gave up waiting for \(what())")
  }
}
