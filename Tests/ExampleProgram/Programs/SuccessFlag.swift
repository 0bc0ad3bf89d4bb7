import AuthCore
import AuthCurl

/// A success flag and error codes, whatever the status; the login is by an identity token from elsewhere.
struct SuccessFlag {
  struct Tokens: TokenReply {
    var accessToken: Secret
    var refreshToken: Secret?
  }

  struct User: Decodable, Sendable {
    var name: String
  }

  static func main() async throws {
    let base = try WebURL(CommandLine.arguments[1] + "/kind3/api")
    let transport = CurlTransport()
    var settings = SessionSettings()
    settings.loginRequiredCodes = ["REFRESH_TOKEN_EXPIRED"]
    let session = TokenSession(
      "shop", storage: .memory, server: APIClient(base: base, transport: transport), settings: settings,
      refresh: { try .post("auth/refresh", json: ["refreshToken": $0]) }, as: Tokens.self)
    let login = try APIRequest.post("auth/login", json: ["idToken": "identity-of-alice"])
    try await session.logIn(login, as: Tokens.self)

    let client = session.client(base: base, transport: transport)
    for _ in 1...2 {
      do {
        print("hello, \(try await client.send(.get("me"), as: User.self).value.name)")
      } catch APIError.authentication(.loginRequired(let explanation)) {
        print("log in again: \(explanation.why)")
        try await session.logIn(login, as: Tokens.self)
      }
    }
  }
}
