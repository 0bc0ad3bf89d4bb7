import AuthCore
import Curl
import Foundation
import HTTPTypes

/// A flat JSON pair with lifetimes; the token goes in a header of the API's own, and a watcher sees what happens.
struct JSONPair {
  struct Tokens: Decodable, Sendable {
    var accessToken: Secret
    var expiresIn, accessTokenExpiresIn: Double?
    var refreshToken: Secret?
    var refreshTokenExpiresIn: Double?

    var response: TokenResponse {
      TokenResponse(
        accessToken: accessToken, refreshToken: refreshToken, expiresIn: accessTokenExpiresIn ?? expiresIn,
        refreshExpiresIn: refreshTokenExpiresIn)
    }
  }

  struct User: Decodable, Sendable {
    var name: String
  }

  static func main() async throws {
    signal(SIGPIPE, SIG_IGN)
    let base = try WebURL(CommandLine.arguments[1] + "/kind1")
    let transport = CurlTransport()
    let server = APIClient(base: base, transport: transport)

    var settings = SessionSettings()
    settings.policy.refreshBefore = .seconds(120)
    settings.header = TokenHeader(name: HTTPField.Name("X-Auth-Token") ?? .authorization, prefix: "")
    settings.onLoginRequired = { print("log in again: \($0.why)") }
    settings.onEvent = { if case .refreshed = $0 { print("refreshed") } }
    let session = TokenSession(
      "shop", storage: MemoryTokenStorage(), refreshTokenMargin: .seconds(60), settings: settings,
      revoke: { pair in
        let body = ["refreshToken": pair.refreshToken?.exposed]
        _ = try await server.send(.post("auth/logout", json: body), as: EmptyResponse.self)
      },
      refresh: { pair in
        let sentAt = Date()
        let body = ["refreshToken": pair.refreshToken?.exposed]
        let tokens = try await server.send(.post("auth/refresh", json: body), as: Tokens.self).value
        return pair.refreshed(by: tokens.response, sentAt: sentAt)
      })

    let sentAt = Date()
    let body = ["username": "alice", "password": "alice-pass"]
    let tokens = try await server.send(.post("auth/login", json: body), as: Tokens.self).value
    try await session.logIn(with: TokenPair(tokens.response, sentAt: sentAt))

    let client = session.client(base: base, transport: transport)
    print("hello, \(try await client.send(.get("api/me"), as: User.self).value.name)")
    print("logged out: \(try await session.logOut())")
  }
}
