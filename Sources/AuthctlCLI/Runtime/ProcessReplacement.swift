package import SystemPackage

/// Gives this process to another program: the seam to the operating system.
package protocol ProcessReplacement: Sendable {
  /// Becomes another program, which has this one's place: its process id, terminal, files and signals. Returns only
  /// where that has failed.
  ///
  /// - Parameters:
  ///   - words: the program, which is looked for along `PATH` as a shell does, and its arguments.
  ///   - variables: what its environment has beside this process's, or instead.
  /// - Returns: the system's error.
  func become(_ words: [String], adding variables: [String: String]) -> Errno
}

/// For where there is no process to give away.
package struct NoProcessReplacement: ProcessReplacement {
  /// Makes it.
  package init() {}

  /// Says that it can't be done.
  package func become(_ words: [String], adding variables: [String: String]) -> Errno { .notSupported }
}
