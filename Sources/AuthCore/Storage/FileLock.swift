import Dispatch
public import FoundationEssentials
import Glibc
package import SystemPackage

/// A lock for all processes of a user: `flock` on a file, which the kernel releases when its holder dies.
///
/// The file is never removed: its existence means nothing.
public struct FileLock: RefreshLock {
  private let path: FilePath

  /// Creates a lock on a file; the file and its folder are created when needed.
  public init(_ file: URL) {
    self.init(FilePath(file.path))
  }

  /// Creates a lock on a file; the file and its folder are created when needed.
  package init(_ path: FilePath) {
    self.path = path
  }

  public func withLock<Result: Sendable>(
    _ access: LockAccess, deadline: Duration, _ body: @Sendable (LockHandle) async throws(AuthError) -> Result
  ) async throws(AuthError) -> Result? {
    let file = try open()
    let held = LockHandle(file: file)
    // Closing the file releases the lock, also if `body` throws, unless another process has the same file open.
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

  /// Opens or creates the file. It does not follow a symbolic link, by which two profiles could share a lock, or one
  /// profile have two.
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

  private func take(_ file: FileDescriptor, _ access: LockAccess, deadline: Duration) async throws(AuthError) -> Bool {
    let operation = (access == .exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB
    do throws(Errno) {
      if try FileLock.tries(operation, on: file) { return true }
      guard deadline > .zero else { return false }
      let cancelled = DispatchSemaphore(value: 0)
      let outcome = await withTaskCancellationHandler {
        await WorkerThread.outcome("lock") { () throws(Errno) in
          try FileLock.wait(operation, on: file, deadline: deadline, or: cancelled)
        }
      } onCancel: {
        cancelled.signal()
      }
      return try outcome.get()
    } catch {
      throw LockRefusal(path, error).failure
    }
  }

  /// Retries until the deadline, since `flock` has no timeout: first after 2 ms, then after a quarter of the time spent
  /// waiting, at most half a second. A thousand processes that retry more often would slow down the holder of the lock.
  ///
  /// It blocks its thread: if a task slept instead, each retry would need several switches between threads.
  private static func wait(
    _ operation: Int32, on file: FileDescriptor, deadline: Duration, or cancelled: DispatchSemaphore
  ) throws(Errno) -> Bool {
    let clock = ContinuousClock()
    let begin = clock.now
    let end = begin.advanced(by: deadline)
    while clock.now < end {
      let pause = min(max(.milliseconds(2), begin.duration(to: clock.now) / 4), .milliseconds(500))
      // Random, so that many waiters don't retry at the same time.
      let seconds = pause / .seconds(1) * Double.random(in: 0.5...1.5)
      guard cancelled.wait(timeout: .now() + seconds) == .timedOut else { return false }
      if try tries(operation, on: file) { return true }
    }
    return false
  }

  private static func tries(_ operation: Int32, on file: FileDescriptor) throws(Errno) -> Bool {
    if flock(file.rawValue, operation) == 0 { return true }
    let error = Errno(rawValue: errno)
    guard error == .wouldBlock || error == .interrupted else { throw error }
    return false
  }
}

/// The reason why a lock file can't be used, and how to fix it.
struct LockRefusal {
  private let path: FilePath
  private let error: Errno

  /// Describes a lock file that can't be opened or locked.
  init(_ path: FilePath, _ error: Errno) {
    self.path = path
    self.error = error
  }

  /// The error for the caller.
  var failure: AuthError {
    let (why, hint) = reason
    return .failed("the lock of the session", why: why, hint: hint)
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

  /// The cause of a denied permission: the innermost accessible part of the path belongs to another user (such as root
  /// after sudo), or its mode forbids access.
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
    // The owner of a part that can't be read is unknown.
    (try? path.stat())?.userID.rawValue
  }
}
