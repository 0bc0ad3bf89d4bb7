import AuthCore
import Synchronization

/// Remembers which profile a command has turned to.
final class ChosenProfile: Sendable {
  private let name = Mutex<ProfileName?>(nil)

  /// The profile of the last session that was opened.
  var last: ProfileName? { name.withLock { $0 } }

  /// Takes note of a profile.
  func note(_ name: ProfileName) {
    self.name.withLock { $0 = name }
  }
}
