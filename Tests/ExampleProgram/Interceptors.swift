import AuthCore
import Foundation
import HTTPTypes

/// Gives each request a number, by which the API's log can be searched.
struct RequestNumber: RequestAdapter {
  let field: HTTPField.Name

  func adapt(_ request: APIRequest) async throws -> APIRequest {
    var request = request
    request.fields[field] = UUID().uuidString
    return request
  }
}

/// Waits once where the API is being restarted.
struct RestartRetrier: RequestRetrier {
  func decide(after attempt: Attempt) async throws -> RetryDecision {
    guard attempt.outcome.status == 503, attempt.earlier.isEmpty else { return .accept }
    return .sendAgain(after: .milliseconds(100))
  }
}

/// The two halves of interceptors, alone and combined.
struct Interceptors {
  let lab: Lab

  /// What the API reports about a request.
  struct Echo: Decodable, Sendable {
    var headers: [[String]]

    /// The value of a header field.
    func header(_ name: String) -> String? { headers.first { $0.first?.lowercased() == name }?.last }
  }

  func run() async throws {
    let transport = lab.transport
    try await basic(transport)
    try await combined(transport)
    try await adaptingAlone(transport)
  }

  private func basic(_ transport: any HTTPTransport) async throws {
    let base = try lab.url("/kind2/basic")

    guard let credentials = BasicCredentials(username: "alice", password: Secret("alice-pass")) else { return }
    let client = APIClient(base: base, transport: transport, interceptor: BasicAdapter(credentials))
    let echo = try await client.send(.get("echo"), as: Echo.self).value
    print("Basic: \(echo.header("authorization") == "Basic \(credentials.encoded.exposed)")")
  }

  private func combined(_ transport: any HTTPTransport) async throws {
    let base = try lab.url("")
    let session = try await loggedIn()
    guard let field = HTTPField.Name("X-Request-Number") else { return }

    let token = session.interceptor
    let chain = InterceptorChain(
      adapters: [token, RequestNumber(field: field)], retriers: [token, RestartRetrier()])
    let client = APIClient(base: base, transport: transport, interceptor: chain)

    try await lab.order("expire")
    try await lab.order("fault", Fault(endpoint: "api", kind: "status", status: 503, count: 1))
    let echo = try await client.send(.get("api/echo"), as: Echo.self).value
    let isNumbered = echo.header("x-request-number").map { !$0.isEmpty } ?? false
    print("combined, after a 503 and a 401: numbered: \(isNumbered), token: \(echo.header("authorization") != nil)")

    let open = try await client.send(.get("open/echo").withoutAuthentication(), as: Echo.self).value
    print("no authentication: token: \(open.header("authorization") != nil)")
  }

  private func adaptingAlone(_ transport: any HTTPTransport) async throws {
    let base = try lab.url("/api")
    let session = try await loggedIn()
    try await lab.order("expire")

    let probing = APIClient(
      base: base, transport: transport, interceptor: InterceptorChain(adapters: [session.interceptor]))
    print("adapting alone: \(try await probing.response(to: .get("me")).status)")
  }

  private func loggedIn() async throws -> TokenSession {
    let server = try AuthorizationServer("work", issuer: lab.origin, clientID: "cli", transport: lab.transport)
    let session = TokenSession("work", storage: .memory, server: server)
    try await session.logIn(with: try await server.logIn(username: "alice", password: Secret("alice-pass")))
    return session
  }
}
