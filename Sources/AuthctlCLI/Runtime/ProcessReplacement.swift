package import SystemPackage

/// Runs another program, in this process or as its child: the interface to the operating system.
package protocol ProcessReplacement: Sendable {
  /// Runs another program in this process, with the same process ID, terminal, files and signals. Returns only if that
  /// fails.
  ///
  /// - Parameters:
  ///   - words: the program, searched for in `PATH` as a shell does, and its arguments.
  ///   - variables: environment variables to add to this process's, or to override.
  /// - Returns: the system's error.
  func become(_ words: [String], adding variables: [String: String]) -> Errno

  /// Runs another program as a child with the same terminal and files, and waits for its end. Signals that this process
  /// gets meanwhile are passed on to it.
  ///
  /// - Parameters:
  ///   - words: as for ``become(_:adding:)``.
  ///   - variables: environment variables to add or to override; nil removes one.
  /// - Returns: its exit status; 128 and the number of the signal that has ended it.
  /// - Throws: the system's error if it can't be run.
  func run(_ words: [String], changing variables: [String: String?]) async throws(Errno) -> Int32
}

/// Refuses to replace the process, if that is not possible.
package struct NoProcessReplacement: ProcessReplacement {
  /// Creates the replacement.
  package init() {}

  /// Returns the error `.notSupported`.
  package func become(_ words: [String], adding variables: [String: String]) -> Errno { .notSupported }

  package func run(_ words: [String], changing variables: [String: String?]) async throws(Errno) -> Int32 {
    throw .notSupported
  }
}
