import Foundation
import TestSupport

/// Servers that response in shapes of their own.
extension Workplace {
  /// Gives requests to an endpoint other responses than authlab would.
  func response(at endpoint: String, _ kind: String = "malformed", _ members: [String: Any] = [:]) throws {
    let fault = members.merging(["endpoint": endpoint, "kind": kind]) { $1 }
    try lab.fail(String(decoding: JSONSerialization.data(withJSONObject: fault), as: UTF8.self))
  }

  /// Lets the server hold back its next response to a refresh, which takes effect, until the faults are cleared.
  func holdRefresh() throws {
    try response(at: "token", "delay", ["milliseconds": 600_000, "after": true, "count": 1])
  }

  /// Runs a login by password to a profile that there is.
  func passwordLogin() throws -> Outcome {
    try run(["login", "work", "--password-stdin"], input: .text(Workplace.password))
  }

  /// The metadata document of the server, with further members or others.
  func metadata(_ members: [String: Any] = [:]) throws -> String {
    var document = try JSONSerialization.jsonObject(with: lab.send("GET", "/.well-known/openid-configuration").body)
    if var known = document as? [String: Any] {
      for (name, value) in members { known[name] = value is NSNull ? nil : value }
      document = known
    }
    return String(decoding: try JSONSerialization.data(withJSONObject: document), as: UTF8.self)
  }
}
