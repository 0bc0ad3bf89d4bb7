import FoundationEssentials
import Glibc
public import SystemPackage

/// A lock for all processes of a user: `flock` on a file, which the kernel frees when its holder dies.
///
/// The file is never removed: its being there means nothing.
public struct FileLock: RefreshLock {
  private let path: FilePath

  /// Names the file; it and its folder are made when needed.
  public init(_ path: FilePath) {
    self.path = path
  }

  public func withLock<Result: Sendable>(
    _ access: LockAccess, deadline: Duration, _ body: @Sendable (LockHandle) async throws(AuthError) -> Result
  ) async throws(AuthError) -> Result? {
    let file = try open()
    let held = LockHandle(file: file)
    // Closing frees the lock, also when `body` throws, unless another process holds the same file.
    defer { held.release() }
    guard try await take(file, access, deadline: deadline) else { return nil }
    return try await body(held)
  }

  private func open() throws(AuthError) -> FileDescriptor {
    do throws(Errno) {
      do throws(Errno) {
        return try create()
      } catch {
        guard error == .noSuchFileOrDirectory else { throw error }
        try PrivateFolder.make(path.removingLastComponent())
        return try create()
      }
    } catch {
      throw LockRefusal(path, error).failure
    }
  }

  /// Not through a symbolic link, by which two profiles could have one lock, or one profile two.
  private func create() throws(Errno) -> FileDescriptor {
    do {
      return try FileDescriptor.open(
        path, .readWrite, options: [.create, .closeOnExec, .noFollow], permissions: [.ownerRead, .ownerWrite])
    } catch let error as Errno {
      throw error
    } catch {
      throw .ioError
    }
  }

  /// Tries again and again, since `flock` can't wait with a deadline: first after 2 ms, then after an eighth of the
  /// time that it has been waiting, half a second at the most. A thousand that try more often keep the machine from
  /// what they are waiting for.
  private func take(_ file: FileDescriptor, _ access: LockAccess, deadline: Duration) async throws(AuthError) -> Bool {
    let clock = ContinuousClock()
    let begin = clock.now
    let end = begin.advanced(by: deadline)
    let operation = (access == .exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB
    while true {
      if flock(file.rawValue, operation) == 0 { return true }
      let error = Errno(rawValue: errno)
      guard error == .wouldBlock || error == .interrupted else { throw LockRefusal(path, error).failure }
      guard clock.now < end else { return false }
      let pause = min(max(.milliseconds(2), begin.duration(to: clock.now) / 8), .milliseconds(500))
      do {
        // Random, so that many waiters don't come in step.
        try await clock.sleep(for: pause * Double.random(in: 0.5...1.5))
      } catch {
        return false
      }
    }
  }
}

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
    case .isDirectory: ("\(path) is a folder", "remove it: rmdir \(ShellWord.quoted(path.string))")
    case .tooManySymbolicLinkLevels: ("\(path) is a symbolic link", "remove it: rm \(ShellWord.quoted(path.string))")
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
        let word = ShellWord.quoted(part.string)
        guard owner != geteuid() else { return ("\(part): \(error)", "open it: chmod u+rwX \(word)") }
        let name = owner == 0 ? "root" : "user \(owner)"
        return ("\(part) belongs to \(name)", "run: sudo chown -R \(geteuid()) \(word)")
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
