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
    _ access: LockAccess, deadline: Duration, _ body: @Sendable (HeldLock) async throws(AuthError) -> Result
  ) async throws(AuthError) -> Result? {
    let file = try open()
    let held = HeldLock(file: file)
    // Closing frees the lock, also when `body` throws, unless another process holds the same file.
    defer { held.letGo() }
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

  /// Tries again and again, since `flock` can't wait with a deadline: first after 2 ms, then after an eighth of the time
  /// that it has been waiting, half a second at the most. A thousand that try more often keep the machine from what they
  /// are waiting for.
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
