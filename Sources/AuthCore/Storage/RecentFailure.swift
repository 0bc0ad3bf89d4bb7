import FoundationEssentials
import SystemPackage

/// A transient failure of a refresh, left in the lock's file for the processes that wait for the lock. They then do not
/// all send the same request to the server. It contains no secret.
struct RecentFailure: Codable, Sendable {
  /// What failed.
  let error: AuthError
  /// When it failed.
  let failedAt: BootTime
  /// How long after the failure no request is sent, in seconds.
  let rest: Double
  /// When the last response was lost with which the server may have refreshed. Measured by the clock; nil if none was
  /// lost since the last success.
  let lostResponse: Date?

  /// Describes a failure of now; nil where the machine does not say how long it has been running.
  init?(_ error: AuthError, rest: Double, lostResponse: Date?) {
    guard let now = BootTime.now else { return nil }
    self.error = error
    self.rest = rest
    self.lostResponse = lostResponse
    failedAt = now
  }

  /// Reads what the last holder of a lock has left; nil where that is no failure.
  init?(leftIn lock: LockHandle) {
    guard let note = lock.note, let failure = try? JSONDecoder().decode(RecentFailure.self, from: note) else {
      return nil
    }
    self = failure
  }

  /// Leaves it to the next holders of the lock.
  ///
  /// - Throws: what encoding or the file system has against it; each of those who wait then asks for itself.
  func leave(in lock: LockHandle) throws {
    try lock.leave(try JSONEncoder().encode(self))
  }

  /// Removes the recorded failure: the server has responded since, or another session begins.
  static func forget(in lock: LockHandle, telling events: EventSink) {
    do throws(Errno) { try lock.leave(nil) } catch {
      events(.warning("a past failure can't be removed: \(error)"))
    }
  }

  /// The failure as an error of this process; nil if a request may be sent to the server.
  ///
  /// - Parameter begin: when this process started to wait. A process that waited for this attempt shares its result;
  ///   one that started later shares it only until `rest` is over.
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
