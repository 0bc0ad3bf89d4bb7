import AuthCore
import AuthCurl

/// Retries of two kinds beside those of the session: of transient failures, and while a report is being made.
struct Retries {
  /// The API answers 202 until the report is there.
  struct ReportRetrier: RequestRetrier {
    func decide(after attempt: Attempt) async throws -> RetryDecision {
      guard attempt.outcome.status == 202 else { return .accept }
      return .sendAgain(after: .milliseconds(100 << attempt.earlier.count))
    }
  }

  struct Report: Decodable, Sendable {
    var name: String
  }

  static func main() async throws {
    let issuer = CommandLine.arguments[1]
    let transport = CurlTransport()
    let server = try AuthorizationServer("work", issuer: issuer, clientID: "cli", scope: ["api"], transport: transport)
    let session = TokenSession("work", storage: .memory, server: server)
    try await session.logIn(with: try await server.logIn(username: "alice", password: Secret("alice-pass")))

    let token = session.interceptor
    let chain = InterceptorChain(adapters: [token], retriers: [token, TransientRetrier(), ReportRetrier()])
    var options = APIOptions()
    options.mostAttempts = 8
    let client = APIClient(
      base: try WebURL(issuer + "/api"), transport: transport, interceptor: chain, options: options)
    let report = try await client.send(.get("me"), as: Report.self).value
    print("the report of \(report.name)")
  }
}
