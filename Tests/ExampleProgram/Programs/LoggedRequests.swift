import AuthCore
import AuthCurl
import Foundation
import Logging

/// Logs each request with its response, and each step of the session, without secrets.
struct LoggedRequests {
  struct User: Decodable, Sendable {
    var name: String
  }

  static func main() async throws {
    let issuer = CommandLine.arguments[1]
    var logger = Logger(label: "work") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .debug
    let transport = CurlTransport().logged(to: logger, bodyLimit: 2000)
    var settings = SessionSettings()
    settings.onEvent = AuthEvent.log(to: logger)

    let server = try AuthorizationServer("work", issuer: issuer, clientID: "cli", scope: ["api"], transport: transport)
    let session = TokenSession("work", storage: .memory, server: server, settings: settings)
    try await session.logIn(with: try await server.logIn(username: "alice", password: Secret("alice-pass")))

    let client = session.client(base: try WebURL(issuer + "/api"), transport: transport)
    print("logged in as \(try await client.send(.get("me"), as: User.self).value.name)")
    print("logged out: \(try await session.logOut())")
  }
}
