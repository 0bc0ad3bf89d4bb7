import Foundation
import HTTPServer

/// The program: from the command line to a server that runs until it is told to end.
struct Lab {
  /// What the command line asks for.
  let options: LabOptions

  /// Listens, says so in one line on standard output, and serves.
  /// - Throws: `Errno` when the port can't be had.
  func run() async throws {
    // As many as the system lets us have: each connection is one.
    ListeningSocket.allowFiles(1 << 20)
    let endings = ProcessEndings()
    let (socket, port) = try ListeningSocket.tcp(.ip4, port: options.port)
    let origin = "http://127.0.0.1:\(port)"
    let router = Router(state: LabState(origin: options.origin ?? origin, options: options))
    try await HTTPServer([socket], limits: Lab.limits) { await Connection(exchange: $0, router: router).serve() }
      .start()
    try FileHandle.standardOutput.write(contentsOf: Data("authlab listening on \(origin)\n".utf8))
    if options.exitsWithStdin { endings.exitWithStdin() }
    // The signals are heard as long as this lives.
    defer { withExtendedLifetime(endings) {} }
    while true { try await Task.sleep(for: .seconds(86_400)) }
  }

  /// None that a test could reach.
  private static var limits: ServerLimits {
    var limits = ServerLimits()
    (limits.connections, limits.headBytes, limits.fields) = (100_000, 256 << 10, 10_000)
    let day = Duration.seconds(86_400)
    (limits.headTime, limits.pieceTime, limits.idleTime) = (day, day, day)
    return limits
  }
}
