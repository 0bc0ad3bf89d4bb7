import Foundation

/// The program: from the command line to a server that runs until it is told to end.
struct Lab {
  /// What the command line asks for.
  let options: LabOptions

  /// Listens, says so in one line on standard output, and serves.
  /// - Throws: `SocketError` when the port can't be had or no connection can be accepted any more.
  func run() async throws {
    ProcessLimits.raiseOpenFiles()
    let endings = ProcessEndings()
    let listener = try Listener(port: options.port)
    let origin = "http://127.0.0.1:\(listener.port)"
    try FileHandle.standardOutput.write(contentsOf: Data("authlab listening on \(origin)\n".utf8))
    if options.exitsWithStdin { endings.exitWithStdin() }
    // The signals are heard as long as this lives.
    defer { withExtendedLifetime(endings) {} }
    let state = LabState(origin: options.origin ?? origin, options: options)
    try await listener.run(router: Router(state: state))
  }
}
