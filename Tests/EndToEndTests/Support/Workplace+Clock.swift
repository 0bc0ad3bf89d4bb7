import Foundation
import TestSupport

extension Workplace {
  /// Runs authctl to its end with a local clock that is ahead by so many seconds, or behind; the clocks that
  /// cannot be set are unchanged.
  func run(_ arguments: [String], ahead seconds: Int, input: ProgramInput = .nothing) throws -> Outcome {
    // The library alone, without the program, passes the arguments to code that looks for them beside the environment.
    let words = ["-m", "-f", "\(seconds < 0 ? "" : "+")\(seconds)", Workplace.binary]
    let environment = session.environment.merging(["FAKETIME_DONT_FAKE_MONOTONIC": "1"]) { $1 }
    return try ProgramRun(
      "/usr/bin/faketime", words + arguments, input: input, environment: environment, folder: session.directory
    ).wait()
  }

  /// Runs authctl to its end with another local clock.
  func run(_ arguments: String..., ahead seconds: Int) throws -> Outcome { try run(arguments, ahead: seconds) }
}
