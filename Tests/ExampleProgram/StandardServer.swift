import AuthCore
import HTTPTypes

/// A server that speaks OAuth 2.0: login, typed requests, a refresh, logout.
struct StandardServer {
  let lab: Lab

  /// What the API says of a user.
  struct User: Decodable, Sendable {
    var name: String
    var email: String
  }

  func run() async throws {
    let issuer = lab.origin
    let transport = lab.transport
    let api = try lab.url("/api")

    let server = try AuthorizationServer(
      "work", issuer: issuer, clientID: "cli", scope: ["api"], transport: transport)
    let session = TokenSession("work", storage: .memory, server: server)
    let watching = watch(session)

    let pair = try await server.logIn(username: "alice", password: Secret("alice-pass"))
    try await session.logIn(with: pair)

    let client = session.client(base: api, transport: transport)
    let response = try await client.send(.get("me"), as: User.self)
    print("logged in: \(response.value.name), \(response.value.email), \(response.response.status.code)")

    try await lab.order("expire")
    let again = try await client.send(.get("me"), as: User.self)
    print("after a 401: \(again.value.name), refreshes: \(try await lab.count("token.refresh_token.ok"))")

    let deleted = try await client.send(.get("status/204"), as: EmptyResponse.self)
    print("no content: \(deleted.response.status.code), \(deleted.data.count) bytes")

    try await session.logOut()
    print("logged out: \(try await session.stored() == nil)")
    print("events: \(await watching.value)")
  }

  private func watch(_ session: TokenSession) -> Task<String, Never> {
    let events = session.events
    return Task {
      var seen: [String] = []
      for await event in events {
        switch event {
        case .refreshed: seen.append("refreshed")
        case .replaying(let status): seen.append("replaying after \(status)")
        case .cleared: return (seen + ["cleared"]).joined(separator: ", ")
        default: break
        }
      }
      return seen.joined(separator: ", ")
    }
  }
}
