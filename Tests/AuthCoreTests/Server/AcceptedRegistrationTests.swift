import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import AuthCore

@Suite("registering a client that the server accepts")
struct AcceptedRegistrationTests {
  private let secrets = MemorySecrets()

  /// Registers a client at a server that lists these methods.
  private func register(_ transport: ScriptedTransport, methods: String) async throws -> RegisteredClient {
    let text = """
      {"issuer":"https://id.example","token_endpoint":"https://id.example/token",\
      "token_endpoint_auth_methods_supported":[\(methods)]}
      """
    let metadata = try ServerMetadata(JSONValue(parsing: Array(text.utf8)), issuer: "https://id.example")
    let server = AuthorizationServer(
      profile: try ClientRegistrationTests.profile(), connection: connection(transport), secrets: secrets)
    return try await server.registerAccepted(
      RegistrationRequest(server.profile, flow: .browser, name: "app", ports: [81]),
      at: try WebURL("https://id.example/register"),
      metadata, token: nil, random: "made-up")
  }

  private static func client(_ id: String, _ members: String) -> ScriptedTransport.Step {
    .response(
      201,
      """
      {"client_id":"\(id)","redirect_uris":["http://127.0.0.1:81/callback"],"registration_access_token":"RAT",\
      "registration_client_uri":"https://id.example/register/\(id)",\(members)}
      """)
  }

  private static let publicClient = client("c1", #""token_endpoint_auth_method":"none""#)

  @Test("a public client that the server registers and then refuses is deleted, and one with a secret registered")
  func replaced() async throws {
    let transport = ScriptedTransport([
      AcceptedRegistrationTests.publicClient, .response(403, #"{"error":"unauthorized_client"}"#), .response(204),
      AcceptedRegistrationTests.client("c2", #""token_endpoint_auth_method":"client_secret_post","client_secret":"s""#),
    ])
    let client = try await register(transport, methods: #""private_key_jwt","client_secret_post""#)
    #expect(client.clientID == "c2")
    #expect(client.clientSecret == Secret("s"))
    #expect(transport.requests.map(\.method) == [.post, .post, .delete, .post])
    #expect(transport.requests[1].form.contains("code=made-up"))
    let stored = try #require(secrets.items[SecretItem(registrationAt: "https://id.example")])
    #expect(RegisteredClient(stored: stored) == client)
  }

  @Test("a public client whose made-up code only is refused is kept, although the metadata lists no public clients")
  func kept() async throws {
    let transport = ScriptedTransport([
      AcceptedRegistrationTests.publicClient, .response(400, #"{"error":"invalid_grant"}"#),
    ])
    #expect(try await register(transport, methods: #""client_secret_post""#).clientID == "c1")
    #expect(transport.requests.count == 2)
  }

  @Test("a server that lists public clients is not tried")
  func listed() async throws {
    let transport = ScriptedTransport([AcceptedRegistrationTests.publicClient])
    #expect(try await register(transport, methods: #""none","client_secret_post""#).clientID == "c1")
    #expect(transport.requests.count == 1)
  }

  @Test("a public client that the fourth request has registered is kept: there is no fifth request")
  func fourRequests() async throws {
    let refusal = ScriptedTransport.Step.response(400, #"{"error":"invalid_client_metadata"}"#)
    let scope = #"{"error":"invalid_client_metadata","error_description":"scope is not supported"}"#
    let client =
      #"{"client_id":"c4","redirect_uris":["http://localhost:81/callback"],"token_endpoint_auth_method":"none"}"#
    let transport = ScriptedTransport([.response(400, scope), refusal, refusal, .response(201, client)])
    #expect(try await register(transport, methods: #""client_secret_post""#).clientID == "c4")
    #expect(transport.requests.count == 4)
  }
}
