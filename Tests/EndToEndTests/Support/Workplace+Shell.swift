import Foundation
import TestSupport

/// Scripts that run authctl.
extension Workplace {
  /// Runs a script of bash in the home, with authctl on its path.
  func shell(_ script: String, environment more: [String: String] = [:]) throws -> Outcome {
    let programs = session.directory.appending(path: "bin")
    try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: programs.appending(path: "authctl"), withDestinationURL: URL(filePath: Workplace.binary))
    var environment = session.environment.merging(more) { $1 }
    environment["PATH"] = "\(programs.path):/usr/bin:/bin"
    return try ProgramRun(
      "/bin/bash", ["-c", "cd \"$HOME\"\n" + script], environment: environment, folder: session.directory
    ).wait()
  }
}
