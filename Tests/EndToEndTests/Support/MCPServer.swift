import Foundation
import TestSupport

/// A running MCP server with its own authorization server, both of the Python package `mcp`.
final class MCPServer: Sendable {
  /// The address of the MCP server.
  let url: String
  /// The issuer identifier: the origin of `url`.
  let issuer: String
  /// The person's password.
  let password: String
  private let process: ProgramRun

  /// Starts it and waits until it serves.
  ///
  /// - Parameters:
  ///   - arguments: options of `mcp_server.py`.
  ///   - port: the port of an earlier run, whose clients and tokens this one no longer knows; nil for any port.
  /// - Throws: `SessionError` if it does not start.
  init(_ arguments: [String] = [], port: UInt16? = nil) throws {
    let place = port.map { ["--port", "\($0)"] } ?? []
    let process = try PythonServer.run("mcp_server.py", arguments + place)
    let facts = try JSONObject(process.waitUntilItServes("the MCP server"))
    guard let url = facts.string("url"), let issuer = facts.string("issuer"), let password = facts.string("password")
    else { throw SessionError("mcp_server.py says less than it should") }
    (self.url, self.issuer, self.password) = (url, issuer, password)
    self.process = process
  }

  deinit { stop() }

  /// Ends it.
  func stop() {
    process.send(SIGTERM)
    // It has been ended if this fails; the tests that need its port fail then.
    _ = try? process.wait(seconds: 600)
  }

  /// Its port.
  var port: UInt16 { URL(string: issuer)?.port.flatMap { UInt16(exactly: $0) } ?? 0 }
  /// The name of the profile of a first login to it.
  var profile: String { "127.0.0.1-\(port)" }
}
