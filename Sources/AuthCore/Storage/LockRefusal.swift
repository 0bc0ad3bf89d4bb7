import Glibc
import SystemPackage

/// What is in the way of a lock, and how to get it out of the way.
struct LockRefusal {
  private let path: FilePath
  private let error: Errno

  /// Describes a lock file that can't be opened or locked.
  init(_ path: FilePath, _ error: Errno) {
    self.path = path
    self.error = error
  }

  /// What to tell the caller.
  var failure: AuthError {
    let (why, hint) = reason
    return .failed(.init("the lock of the profile", why: why, hint: hint))
  }

  private var reason: (why: String, hint: String) {
    switch error {
    case .isDirectory: ("\(path) is a folder", "remove it: rmdir \(path)")
    case .tooManySymbolicLinkLevels: ("\(path) is a symbolic link", "remove it: rm \(path)")
    case .permissionDenied: denial
    case .noSpace, .diskQuotaExceeded:
      ("\(path): \(error)", "free some space, or set XDG_STATE_HOME to a folder on another local disk")
    case .noLocks, .notSupported, .noFunction, .invalidArgument:
      ("\(path): the file system does not lock files (\(error))", "set XDG_STATE_HOME to a folder on a local disk")
    default:
      (
        "\(path): \(error)",
        "set XDG_STATE_HOME to a folder on a local disk that can be written to"
      )
    }
  }

  /// The innermost part of the path that can be seen is what denies: another user's (root's, after a sudo), or closed.
  private var denial: (why: String, hint: String) {
    var part = path
    while true {
      if let owner = LockRefusal.owner(of: part) {
        guard owner != geteuid() else { return ("\(part): \(error)", "open it: chmod u+rwX \(part)") }
        let name = owner == 0 ? "root" : "user \(owner)"
        return ("\(part) belongs to \(name)", "run: sudo chown -R \(geteuid()) \(part)")
      }
      guard part.removeLastComponent() else {
        return ("\(path): \(error)", "set XDG_STATE_HOME to a folder that is yours, on a local disk")
      }
    }
  }

  private static func owner(of path: FilePath) -> uid_t? {
    // A part that can't be looked at has no owner to name.
    (try? path.stat())?.userID.rawValue
  }
}
