import AuthCore

@testable import AuthctlCLI

extension LoopbackListener {
  /// Listens at a port that was closed just now: a child of another test holds its socket until its program starts.
  static func again(at port: Int) async throws -> LoopbackListener {
    let uri = try RedirectURI("http://127.0.0.1:\(port)/callback")
    for _ in 0..<500 {
      if let listener = try? LoopbackListener([uri]) { return listener }
      try await ContinuousClock().sleep(for: .milliseconds(20))
    }
    return try LoopbackListener([uri])
  }
}
