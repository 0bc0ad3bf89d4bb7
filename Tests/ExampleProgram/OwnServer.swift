import AuthCore
import Foundation

/// A server with requests of its own: closures refresh and revoke, and a storage of the program's own keeps the pair.
struct OwnServer {
  let lab: Lab

  /// The server's response to a login and to a refresh.
  struct Tokens: Decodable, Sendable {
    var accessToken: String
    var refreshToken: String?
    var expiresIn: Double?
    var refreshTokenExpiresIn: Double?

    var response: TokenResponse {
      TokenResponse(
        accessToken: Secret(accessToken), refreshToken: refreshToken.map { Secret($0) }, expiresIn: expiresIn,
        refreshExpiresIn: refreshTokenExpiresIn)
    }
  }

  /// What the API says of a user.
  struct User: Decodable, Sendable {
    var name: String
  }

  func run() async throws {
    let transport = lab.transport
    let base = try lab.url("/kind1")

    let server = APIClient(base: base, transport: transport)
    let session = TokenSession(
      "shop", storage: .custom(TableStorage()), refreshTokenMargin: .seconds(60),
      revoke: { pair in
        let request = try APIRequest.post("auth/logout", json: ["refreshToken": pair.refreshToken?.exposed])
        _ = try await server.send(request, as: EmptyResponse.self)
      },
      refresh: { pair in
        let sentAt = Date()
        let request = try APIRequest.post("auth/refresh", json: ["refreshToken": pair.refreshToken?.exposed])
        let tokens = try await server.send(request, as: Tokens.self).value
        return pair.refreshed(by: tokens.response, sentAt: sentAt)
      })

    let sentAt = Date()
    let login = try APIRequest.post("auth/login", json: ["username": "alice", "password": "alice-pass"])
    let tokens = try await server.send(login, as: Tokens.self).value
    try await session.logIn(with: TokenPair(tokens.response, sentAt: sentAt))

    let client = session.client(base: base, transport: transport)
    print("own server: \(try await client.send(.get("api/me"), as: User.self).value.name)")

    try await lab.order("expire")
    _ = try await client.send(.get("api/me"), as: User.self)
    print("own server, refreshed by a closure: \(try await lab.count("kind1.refresh.ok"))")

    let isRevoked = try await session.logOut()
    print("own server, logged out, revoked: \(isRevoked), logouts: \(try await lab.count("kind1.logout.ok"))")
  }
}
