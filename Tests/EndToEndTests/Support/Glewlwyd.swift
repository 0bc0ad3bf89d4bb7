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
  /// The secrets of the clients `cli-confidential`, `cli-odd` and `cli-secret-jwt`.
  let secrets: [String: String]
  /// The files with the private keys of the clients that have one.
  let keys: [String: String]
  /// The redirect URIs that are registered, all of them with ports.
  let redirectURIs: [String]
  private let process: ProgramRun

  /// Starts it and waits until it serves; with `dpop` it knows DPoP, and wants nonces; with `pages` its pages work in a
  /// real browser; with `registration` it registers clients by itself.
  /// - Throws: `SessionError` where it does not.
  init(accessLifetime: Int, dpop: Bool = false, pages: Bool = false, registration: Bool = false) throws {
    let script = Workplace.servers.appending(path: "glewlwyd.py").path
    let switches = [("--dpop", dpop), ("--pages", pages), ("--registration", registration)].filter(\.1).map(\.0)
    let process = try ProgramRun(
      "/usr/bin/python3", [script, "--access-lifetime", "\(accessLifetime)"] + switches, input: .held,
      environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"], folder: FileManager.default.temporaryDirectory)
    guard let facts = try JSONSerialization.jsonObject(with: process.waitUntilItServes("glewlwyd")) as? [String: Any],
      let issuer = facts["issuer"] as? String, let resource = facts["resource"] as? String,
      let password = facts["password"] as? String, let uris = facts["redirect_uris"] as? [String],
      let confidential = facts["confidential_secret"] as? String, let odd = facts["odd_secret"] as? String,
      let signing = facts["secret_jwt_secret"] as? String, let keys = facts["keys"] as? [String: String]
    else { throw SessionError("glewlwyd.py says less than it should") }
    (self.issuer, self.resource, self.password, redirectURIs) = (issuer, resource, password, uris)
    secrets = ["cli-confidential": confidential, "cli-odd": odd, "cli-secret-jwt": signing]
    self.keys = keys
    self.process = process
  }

  deinit {
    process.send(SIGTERM)
    _ = try? process.wait(seconds: 600)
  }
}
