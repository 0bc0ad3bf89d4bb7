import Foundation
import TestSupport

/// A server that knows its clients by their certificates: `Tests/Servers/mtls.py`.
final class CertificateServer: Sendable {
  /// The issuer identifier.
  let issuer: String
  /// The API for its tokens.
  let api: String
  /// Where the certificates and keys of the authority `ca` and the clients `robot` and `other` are.
  let folder: String
  private let process: ProgramRun

  /// Starts it and waits until it serves.
  /// - Throws: `SessionError` where it does not.
  init() throws {
    let process = try ProgramRun(
      "/usr/bin/python3", [Workplace.servers.appending(path: "mtls.py").path], input: .held,
      environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"], folder: FileManager.default.temporaryDirectory)
    let facts = try JSONObject(process.waitUntilItServes("mtls.py"))
    guard let issuer = facts.string("issuer"), let api = facts.string("api"), let folder = facts.string("folder") else {
      throw SessionError("mtls.py says less than it should")
    }
    (self.issuer, self.api, self.folder) = (issuer, api, folder)
    self.process = process
  }

  deinit {
    // When its input ends it removes its folder and ends itself.
    process.closeInput()
    _ = try? process.wait(seconds: 600)
  }
}
