package import SystemPackage

/// Starts this program again as a separate process: the interface to the operating system.
package protocol Relauncher: Sendable {
  /// Starts it in a session of its own, with a lock as descriptor 3 and the pipe for its reports as 4.
  ///
  /// - Returns: the reading end of the pipe.
  /// - Throws: the system's error.
  func start(_ order: String, _ profile: String, verbose: Bool, holding lock: FileDescriptor) throws(Errno)
    -> FileDescriptor

  /// Lets signals end this process again: what must not be broken off is done elsewhere.
  func allowTermination()

  /// Takes ``allowTermination()`` back.
  func blockTermination()

  /// Whether this process holds the lock on a file: by descriptor 3, as it was given it.
  func holdsLock(on path: FilePath) -> Bool

  /// Keeps the files that this process was given from those that it starts in turn.
  func keepFiles()

  /// Ends this process after so long, whatever it is doing.
  func endAfter(_ time: Duration)
}
