import FoundationEssentials
import SystemPackage

/// How a renewal failed for now, left in the lock's file for those who wait behind it: the server is not asked once more
/// by each of them. There is nothing secret in it.
struct SharedFailure: Codable, Sendable {
  /// What failed.
  let error: AuthError
  /// When it failed.
  let failedAt: BootTime
  /// Seconds from then for which nobody asks again.
  let rest: Double
  /// When an answer was lost with which the server may have renewed, by the clock; nil where none was since the last
  /// success.
  let lostAnswer: Date?

  /// Describes a failure of now; nil where the machine does not say how long it has been running.
  init?(_ error: AuthError, rest: Double, lostAnswer: Date?) {
    guard let now = BootTime.now else { return nil }
    self.error = error
    self.rest = rest
    self.lostAnswer = lostAnswer
    failedAt = now
  }

  /// Reads what the last holder of a lock has left; nil where that is no failure.
  init?(leftIn lock: HeldLock) {
    guard let note = lock.note, let failure = try? JSONDecoder().decode(SharedFailure.self, from: note) else {
      return nil
    }
    self = failure
  }

  /// Leaves it to the next holders of the lock.
  ///
  /// - Throws: what encoding or the file system has against it; each of those who wait then asks for itself.
  func leave(in lock: HeldLock) throws {
    try lock.leave(try JSONEncoder().encode(self))
  }

  /// Takes away what was left: the server has answered since, or another session begins.
  static func forget(in lock: HeldLock, telling events: EventSink) {
    do throws(Errno) { try lock.leave(nil) } catch {
      events(.warning("a past failure can't be removed: \(error)"))
    }
  }

  /// The failure as one's own; nil where the server is to be asked.
  ///
  /// - Parameter begin: since when one has been waiting: whoever waited for this very attempt shares its end, whoever
  ///   comes later does so only while the rest lasts.
  func shared(since begin: BootTime?) -> AuthError? {
    guard let age = BootTime.now?.seconds(since: failedAt), age >= 0 else { return nil }
    let hasWaited = begin.flatMap { failedAt.seconds(since: $0) }.map { $0 >= 0 } ?? false
    guard hasWaited || age < rest else { return nil }
    return error.explained {
      $0.why += " (asked \(age < 1 ? "just now" : DurationText.describe(age) + " ago"))"
      // The wait counts from the failure on.
      if case .tryAgain(let seconds?) = $0.remedy { $0.remedy = .tryAgain(after: max(1, seconds - age.rounded(.down))) }
    }
  }
}
