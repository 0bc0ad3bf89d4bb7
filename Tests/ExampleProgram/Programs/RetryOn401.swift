import AuthCore
import AuthCurl

/// No lifetime is known: a 401 means refresh and replay, once for all requests. HTTP Basic beside it.
struct RetryOn401 {
  struct Tokens: TokenReply {
    var accessToken: Secret
    var refreshToken: Secret?
  }

  struct User: Decodable, Sendable {
    var name: String
  }

  static func main() async throws {
    let base = try WebURL(CommandLine.arguments[1] + "/kind2")
    let transport = CurlTransport()
    let session = TokenSession(
      "work", storage: .memory, server: APIClient(base: base, transport: transport),
      refresh: { try .post("auth/refresh", json: ["refreshToken": $0]) }, as: Tokens.self)
    let alice = ["username": "alice", "password": "alice-pass"]
    try await session.logIn(.post("auth/login", json: alice), as: Tokens.self)

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

    let password = try BasicAdapter(username: "alice", password: Secret("alice-pass"))
    let basic = APIClient(base: base, transport: transport, interceptor: password)
    print("by HTTP Basic: \(try await basic.response(to: .get("basic/echo")).status)")
  }
}
