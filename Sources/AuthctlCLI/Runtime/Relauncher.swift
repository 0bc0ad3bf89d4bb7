package import SystemPackage

/// Starts this program again as a separate process: the interface to the operating system.
package protocol Relauncher: Sendable {
  /// Starts the program in a separate session, with a lock as descriptor 3 and its report pipe as 4.
  ///
  /// - Parameter option: a further argument; nil for none.
  /// - Returns: the reading end of the pipe.
  /// - Throws: the system's error.
  func start(_ order: String, _ profile: String, _ option: String?, holding lock: FileDescriptor) throws(Errno)
    -> FileDescriptor

  /// Lets signals end this process again, because the critical work runs in the other process.
  func allowTermination()

  /// Reverts ``allowTermination()``.
  func blockTermination()

  /// Returns whether this process holds the lock on a file, through the inherited descriptor 3.
  func holdsLock(on path: FilePath) -> Bool

  /// Prevents child processes from inheriting descriptors 3 and 4.
  func keepFiles()

  /// Ends this process with an error after this time, even if it is busy; `.zero` for no limit.
  func endAfter(_ time: Duration)
}
