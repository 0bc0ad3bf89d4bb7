import AuthCore
import AuthCurl

/// A flat JSON pair with lifetimes; the token goes in a header of the API's own, and a watcher sees what happens.
struct JSONPair {
  struct Tokens: TokenReply {
    var accessToken: Secret
    var refreshToken: Secret?
    var accessTokenExpiresIn, refreshTokenExpiresIn: Double?
    var expiresIn: Double? { accessTokenExpiresIn }
    var refreshExpiresIn: Double? { refreshTokenExpiresIn }
  }

  struct User: Decodable, Sendable {
    var name: String
  }

  static func main() async throws {
    let base = try WebURL(CommandLine.arguments[1] + "/kind1")
    let transport = CurlTransport()

    var settings = SessionSettings()
    settings.policy.refreshBefore = .seconds(120)
    settings.header = try TokenHeader("X-Auth-Token", prefix: "")
    settings.onLoginRequired = { print("log in again: \($0.why)") }
    settings.onEvent = { if case .refreshed = $0 { print("refreshed") } }
    let session = TokenSession(
      "shop", storage: .memory, server: APIClient(base: base, transport: transport),
      refreshTokenMargin: .seconds(60), settings: settings,
      refresh: { try .post("auth/refresh", json: ["refreshToken": $0]) }, as: Tokens.self,
      revoke: { try .post("auth/logout", json: ["refreshToken": $0]) })
    let alice = ["username": "alice", "password": "alice-pass"]
    try await session.logIn(.post("auth/login", json: alice), as: Tokens.self)

    let client = session.client(base: base, transport: transport)
    print("hello, \(try await client.send(.get("api/me"), as: User.self).value.name)")
    print("logged out: \(try await session.logOut())")
  }
}
