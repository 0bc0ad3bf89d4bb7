package import SystemPackage

/// Replaces this process with another program: the interface to the operating system.
package protocol ProcessReplacement: Sendable {
  /// Runs another program in this process, with the same process ID, terminal, files and signals. Returns only if that
  /// fails.
  ///
  /// - Parameters:
  ///   - words: the program, searched for in `PATH` as a shell does, and its arguments.
  ///   - variables: environment variables to add to this process's, or to override.
  /// - Returns: the system's error.
  func become(_ words: [String], adding variables: [String: String]) -> Errno
}

/// Refuses to replace the process, if that is not possible.
package struct NoProcessReplacement: ProcessReplacement {
  /// Creates the replacement.
  package init() {}

  /// Returns the error `.notSupported`.
  package func become(_ words: [String], adding variables: [String: String]) -> Errno { .notSupported }
}
