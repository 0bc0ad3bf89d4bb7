import AuthCore
import Curl
import Foundation

/// Registers, keeps the nested tokens in the program's own storage, and uses them after a restart.
struct RegisterNested {
  struct User: Decodable, Sendable {
    var name, email: String
  }

  struct Registered: Decodable, Sendable {
    struct Tokens: Decodable, Sendable {
      var accessToken, refreshToken: Secret
    }
    var user: User
    var token: Tokens

    /// No response says how long a token lives: it is an hour, by agreement.
    var response: TokenResponse {
      TokenResponse(accessToken: token.accessToken, refreshToken: token.refreshToken, expiresIn: 3600)
    }
  }

  static func main() async throws {
    signal(SIGPIPE, SIG_IGN)
    let base = try WebURL(CommandLine.arguments[1] + "/kind4/v1")
    let transport = CurlTransport()
    let server = APIClient(base: base, transport: transport)
    var settings = SessionSettings()
    settings.policy.refreshBefore = .seconds(30)
    let storage = TableStorage()
    let session = TokenSession("shop", storage: storage, settings: settings) { pair in
      let sentAt = Date()
      let body = ["refreshToken": pair.refreshToken?.exposed]
      let registered = try await server.send(.post("refresh", json: body), as: Registered.self).value
      return pair.refreshed(by: registered.response, sentAt: sentAt)
    }

    if try await session.stored() == nil {
      let sentAt = Date()
      let person = ["name": "Ada", "email": "ada@x.example", "password": "pw-of-ada"]
      let registered = try await server.send(.post("register", json: person), as: Registered.self).value
      try await session.logIn(with: TokenPair(registered.response, sentAt: sentAt))
      print("registered: \(registered.user.name)")
    }
    let user = try await session.client(base: base, transport: transport).send(.get("me"), as: User.self).value
    print("logged in as \(user.name) <\(user.email)>")
  }
}
