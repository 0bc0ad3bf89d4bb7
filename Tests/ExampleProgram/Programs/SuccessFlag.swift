import AuthCore
import Curl
import Foundation

/// A success flag and error codes, whatever the status; the login is by an identity token from elsewhere.
struct SuccessFlag {
  struct Reply: Decodable, Sendable {
    var success: Bool
    var accessToken, refreshToken: Secret?
    var errorCode, message: String?

    /// The tokens, or what the refusal means for the session.
    func response() throws -> TokenResponse {
      if success, let accessToken { return TokenResponse(accessToken: accessToken, refreshToken: refreshToken) }
      let why = message ?? "the server gives no reason"
      if let errorCode, errorCode == "REFRESH_TOKEN_EXPIRED" { throw RefreshFailure.dead(errorCode, why: why) }
      throw AuthError.refused(.init("getting tokens", why: why, hint: "see the server's error", serverError: errorCode))
    }
  }

  struct User: Decodable, Sendable {
    var name: String
  }

  static func main() async throws {
    signal(SIGPIPE, SIG_IGN)
    let base = try WebURL(CommandLine.arguments[1] + "/kind3/api")
    let transport = CurlTransport()
    let server = APIClient(base: base, transport: transport)
    let session = TokenSession("shop", storage: MemoryTokenStorage()) { pair in
      let body = ["refreshToken": pair.refreshToken?.exposed]
      let reply = try await server.send(.post("auth/refresh", json: body), as: Reply.self).value
      return pair.refreshed(by: try reply.response(), sentAt: Date())
    }
    func logIn() async throws {
      let reply = try await server.send(.post("auth/login", json: ["idToken": "identity-of-alice"]), as: Reply.self)
        .value
      try await session.logIn(with: TokenPair(try reply.response(), sentAt: Date()))
    }

    try await logIn()
    let client = session.client(base: base, transport: transport)
    for _ in 1...2 {
      do {
        print("hello, \(try await client.send(.get("me"), as: User.self).value.name)")
      } catch APIError.authentication(.loginRequired(let explanation)) {
        print("log in again: \(explanation.why)")
        try await logIn()
      } catch APIError.server(let failure) {
        print("\(failure.status), \(failure.code ?? "no code"): \(failure.message ?? "no message")")
      }
    }
  }
}
