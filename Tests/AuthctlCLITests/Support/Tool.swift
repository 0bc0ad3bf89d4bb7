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
    // Not Foundation's Process: with more than a thousand open files, as in a run of all tests, it reads beyond the
    // entries of /dev/fd.
    let files = ["input", "output", "errors"].map { directory.url.appending(path: $0).path }
    let script = #"input=$1 output=$2 errors=$3; shift 3; exec timeout 60 "$@" <"$input" >"$output" 2>"$errors""#
    let child = try ChildProcess(
      "/bin/sh", ["-c", script, "sh"] + files + arguments,
      environment: ProcessInfo.processInfo.environment.merging(environment) { $1 })
    return Outcome(
      status: child.wait(),
      output: try String(contentsOf: directory.url.appending(path: "output"), encoding: .utf8),
      errors: try String(contentsOf: directory.url.appending(path: "errors"), encoding: .utf8))
  }
}
