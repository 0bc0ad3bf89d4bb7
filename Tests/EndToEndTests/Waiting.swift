import Foundation
import TestSupport

/// Waits for what happens elsewhere.
enum Waiting {
  /// Looks every five milliseconds whether something has happened.
  /// - Throws: `SessionError` when it has not within ten seconds.
  static func until(_ what: @autoclosure () -> String, _ condition: () throws -> Bool) throws {
    let end = ContinuousClock.now.advanced(by: .seconds(10))
    while ContinuousClock.now < end {
      if try condition() { return }
      usleep(5000)
    }
    throw SessionError("gave up waiting for \(what())")
  }
}
