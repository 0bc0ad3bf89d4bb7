import AuthCore
import AuthCurl
import AuthKeyring

/// A program of which many processes run at once: they share a session by its name, and one of them refreshes it.
struct SharedSession {
  struct User: Decodable, Sendable {
    var name: String
  }

  static func main() async throws {
    let base = try WebURL(CommandLine.arguments[1] + "/kind1")
    let transport = CurlTransport()
    let session = TokenSession(
      CommandLine.arguments[3], storage: .keyring("com.example.app"),
      server: APIClient(base: base, transport: transport),
      refresh: { try .post("auth/refresh", json: ["refreshToken": $0]) }, as: JSONPair.Tokens.self)
    if try await session.state == .loggedOut {
      let alice = ["username": "alice", "password": "alice-pass"]
      try await session.logIn(.post("auth/login", json: alice), as: JSONPair.Tokens.self)
    }
    let user = try await session.client(base: base, transport: transport).send(.get("api/me"), as: User.self).value
    print("hello, \(user.name)")
  }
}
