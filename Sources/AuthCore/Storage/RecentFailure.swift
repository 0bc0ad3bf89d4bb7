import FoundationEssentials
package import SystemPackage

/// A transient failure of a refresh, stored in the lock file for the processes that wait for the lock. They then do not
/// all send the same request to the server. It contains no secret.
package struct RecentFailure: Codable, Sendable {
  /// The failure.
  package let error: AuthError
  /// When it failed.
  package let failedAt: BootTime
  /// The time after the failure in which no request is sent, in seconds.
  let rest: Double
  /// The time, by the local clock, of the last lost response that may have contained new tokens; nil if none was lost
  /// since the last success.
  let lostResponse: Date?
  /// The process that tried to refresh, or for which it was tried; nil if an earlier version has recorded the failure.
  package let process: Int32?

  /// Creates a record of a failure that occurs now; nil if the time since the machine's start is unknown.
  init?(_ error: AuthError, rest: Double, lostResponse: Date?, process: Int32? = nil) {
    guard let now = BootTime.now else { return nil }
    self.process = process
    self.error = error
    self.rest = rest
    self.lostResponse = lostResponse
    failedAt = now
  }

  /// Reads the failure that the last holder of a lock left; nil if there is none.
  init?(leftIn lock: LockHandle) {
    guard let note = lock.note, let failure = try? JSONDecoder().decode(RecentFailure.self, from: note) else {
      return nil
    }
    self = failure
  }

  /// Reads the failure that is recorded in a lock file, without the lock; nil if there is none.
  package init?(in file: FilePath) {
    // A file that can't be read records no failure.
    guard let content = try? ProtectedFile(file, .protectedBySystem).contents(),
      let failure = try? JSONDecoder().decode(RecentFailure.self, from: Generation.rest(of: content))
    else { return nil }
    self = failure
  }

  /// The seconds since the failure; nil if the machine was started since.
  package var age: Double? {
    BootTime.now?.seconds(since: failedAt).flatMap { $0 >= 0 ? $0 : nil }
  }

  /// Stores the failure for the next holders of the lock.
  ///
  /// - Throws: the error of encoding or of the file system. Each waiting process then sends its own request.
  func leave(in lock: LockHandle) throws {
    try lock.leave(try JSONEncoder().encode(self))
  }

  /// Removes the recorded failure: the server has responded since, or another session begins.
  static func forget(in lock: LockHandle, reportingTo events: EventHandler) {
    do throws(Errno) { try lock.leave(nil) } catch {
      events(.warning("a past failure can't be removed: \(error)"))
    }
  }

  /// Returns the failure as an error of this process; nil if a request may be sent to the server.
  ///
  /// - Parameter begin: when this process started to wait. A process that waited for this attempt shares its result;
  ///   one that started later shares it only until `rest` is over.
  func shared(since begin: BootTime?) -> AuthError? {
    guard let age = BootTime.now?.seconds(since: failedAt), age >= 0 else { return nil }
    let hasWaited = begin.flatMap { failedAt.seconds(since: $0) }.map { $0 >= 0 } ?? false
    guard hasWaited || age < rest else { return nil }
    return error.explained {
      $0.why += " (asked \(age < 1 ? "just now" : DurationText.describe(age) + " ago"))"
      // The wait counts from the failure.
      if case .tryAgain(let seconds?) = $0.remedy { $0.remedy = .tryAgain(after: max(1, seconds - age.rounded(.down))) }
    }
  }
}
