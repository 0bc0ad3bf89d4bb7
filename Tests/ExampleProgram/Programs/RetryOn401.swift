import AuthCore
import Curl
import Foundation

/// No lifetime is known: a 401 means refresh and replay, once for all requests. HTTP Basic beside it.
struct RetryOn401 {
  struct Tokens: Decodable, Sendable {
    var accessToken, refreshToken: Secret
    var response: TokenResponse { TokenResponse(accessToken: accessToken, refreshToken: refreshToken) }
  }

  struct User: Decodable, Sendable {
    var name: String
  }

  static func main() async throws {
    signal(SIGPIPE, SIG_IGN)
    let base = try WebURL(CommandLine.arguments[1] + "/kind2")
    let transport = CurlTransport()
    let server = APIClient(base: base, transport: transport)
    let session = TokenSession("work", storage: MemoryTokenStorage()) { pair in
      let body = ["refreshToken": pair.refreshToken?.exposed]
      let tokens = try await server.send(.post("auth/refresh", json: body), as: Tokens.self).value
      return pair.refreshed(by: tokens.response, sentAt: Date())
    }
    let login = try APIRequest.post("auth/login", json: ["username": "alice", "password": "alice-pass"])
    let tokens = try await server.send(login, as: Tokens.self).value
    try await session.logIn(with: TokenPair(tokens.response, sentAt: Date()))

    let client = session.client(base: base, transport: transport)
    async let one = client.send(.get("api/me"), as: User.self)
    async let two = client.send(.get("api/me"), as: User.self)
    print("both: \(try await [one.value.name, two.value.name])")

    do {
      _ = try await client.send(.get("api/status/204"), as: EmptyResponse.self)
      _ = try await client.send(.get("api/status/204"), as: User.self)
    } catch APIError.noData(let status) {
      print("\(status) has no user in it")
    }

    guard let alice = BasicCredentials(username: "alice", password: Secret("alice-pass")) else { return }
    let basic = APIClient(base: base, transport: transport, interceptor: BasicAdapter(alice))
    print("by HTTP Basic: \(try await basic.response(to: .get("basic/echo")).status)")
  }
}
