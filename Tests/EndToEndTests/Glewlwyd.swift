import Foundation
import TestSupport

/// A running glewlwyd, an OAuth 2.0 server that is not ours.
final class Glewlwyd: Sendable {
  /// The issuer identifier.
  let issuer: String
  /// An API that takes its tokens: the UserInfo endpoint.
  let resource: String
  /// The person's password.
  let password: String
  /// The secrets of the clients `cli-confidential` and `cli-odd`.
  let secrets: [String: String]
  /// The redirect URIs that are registered, all of them with ports.
  let redirectURIs: [String]
  private let process: Process
  // It runs as long as this end is open.
  private let input: Pipe

  /// Starts it and waits until it serves.
  /// - Throws: `SessionError` where it does not.
  init(accessLifetime: Int) throws {
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = [
      Workplace.servers.appending(path: "glewlwyd.py").path, "--access-lifetime", "\(accessLifetime)",
    ]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      let piece = output.fileHandleForReading.availableData
      guard !piece.isEmpty else { throw SessionError("glewlwyd did not start") }
      line += piece
    }
    guard let facts = try JSONSerialization.jsonObject(with: line) as? [String: Any],
      let issuer = facts["issuer"] as? String, let resource = facts["resource"] as? String,
      let password = facts["password"] as? String, let uris = facts["redirect_uris"] as? [String],
      let confidential = facts["confidential_secret"] as? String, let odd = facts["odd_secret"] as? String
    else { throw SessionError("glewlwyd.py says less than it should") }
    (self.issuer, self.resource, self.password, redirectURIs) = (issuer, resource, password, uris)
    secrets = ["cli-confidential": confidential, "cli-odd": odd]
    (self.process, self.input) = (process, input)
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }
}
