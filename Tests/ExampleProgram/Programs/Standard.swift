import AuthCore
import AuthCurl
import Foundation

/// A server of OAuth 2.0: logs in with a password, calls the API, and logs out.
struct Standard {
  struct User: Decodable, Sendable {
    var name: String
  }

  static func main() async throws {
    let issuer = CommandLine.arguments[1]
    let transport = CurlTransport()
    let server = try AuthorizationServer("work", issuer: issuer, clientID: "cli", scope: ["api"], transport: transport)
    let session = TokenSession("work", storage: .memory, server: server)
    try await session.logIn(with: try await server.logIn(username: "alice", password: Secret("alice-pass")))

    let client = session.client(base: try WebURL(issuer + "/api"), transport: transport)
    let user = try await client.send(.get("me"), as: User.self).value
    print("logged in as \(user.name)")

    let outcome = try await session.logOut()
    print("logged out: \(outcome)")
  }
}
