import AuthCore
import AuthCurl
import Foundation

/// Records a login and a request, and prints them as an HTTP archive.
struct RecordedTrace {
  struct User: Decodable, Sendable {
    var name: String
  }

  static func main() async throws {
    let issuer = CommandLine.arguments[1]
    let recorder = TraceRecorder()
    let transport = recorder.recording(CurlTransport())
    var settings = SessionSettings()
    settings.onEvent = recorder.handler

    let server = try AuthorizationServer("work", issuer: issuer, clientID: "cli", scope: ["api"], transport: transport)
    let session = TokenSession("work", storage: .memory, server: server, settings: settings)
    try await session.logIn(with: try await server.logIn(username: "alice", password: Secret("alice-pass")))
    recorder.note("logged in")

    let client = session.client(base: try WebURL(issuer + "/api"), transport: transport)
    _ = try await client.send(.get("me"), as: User.self)
    print(recorder.har())
  }
}
