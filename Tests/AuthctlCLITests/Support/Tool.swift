import Foundation
import TestSupport

/// A program of the machine, run to its end.
struct Tool {
  /// What it said and how it ended.
  struct Outcome: Equatable {
    var status: Int32
    var output: String
    var errors: String
  }

  /// Runs a program found in the PATH with nothing on its standard input, for at most a minute.
  static func run(_ arguments: [String], environment: [String: String] = [:], input: String = "") throws -> Outcome {
    let directory = try TemporaryDirectory()
    for name in ["output", "errors", "input"] {
      try Data((name == "input" ? input : "").utf8).write(to: directory.url.appending(path: name))
    }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["timeout", "60"] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = try FileHandle(forReadingFrom: directory.url.appending(path: "input"))
    process.standardOutput = try FileHandle(forWritingTo: directory.url.appending(path: "output"))
    process.standardError = try FileHandle(forWritingTo: directory.url.appending(path: "errors"))
    try process.run()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus,
      output: try String(contentsOf: directory.url.appending(path: "output"), encoding: .utf8),
      errors: try String(contentsOf: directory.url.appending(path: "errors"), encoding: .utf8))
  }
}
