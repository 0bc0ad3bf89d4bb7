import AuthCore
import AuthCurl

/// Registers, keeps the nested tokens in the program's own storage, and uses them after a restart.
struct RegisterNested {
  struct User: Decodable, Sendable {
    var name, email: String
  }

  struct Registered: TokenReply {
    struct Tokens: Decodable, Sendable { var accessToken, refreshToken: Secret }
    var user: User
    var token: Tokens
    var accessToken: Secret { token.accessToken }
    var refreshToken: Secret? { token.refreshToken }
    /// No response says how long a token lives: it is an hour, by agreement.
    var expiresIn: Double? { 3600 }
  }

  static func main() async throws {
    let base = try WebURL(CommandLine.arguments[1] + "/kind4/v1")
    let transport = CurlTransport()
    var settings = SessionSettings()
    settings.policy.refreshBefore = .seconds(30)
    let session = TokenSession(
      "shop", storage: .custom(TableStorage()), server: APIClient(base: base, transport: transport),
      settings: settings, refresh: { try .post("refresh", json: ["refreshToken": $0]) }, as: Registered.self)

    if try await session.stored() == nil {
      let person = ["name": "Ada", "email": "ada@x.example", "password": "pw-of-ada"]
      let reply = try await session.logIn(.post("register", json: person), as: Registered.self)
      print("registered: \(reply.user.name)")
    }
    let user = try await session.client(base: base, transport: transport).send(.get("me"), as: User.self).value
    print("logged in as \(user.name) <\(user.email)>")
  }
}
