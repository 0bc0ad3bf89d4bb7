import HTTPTypes
import TestSupport
import Testing

@testable import AuthCore

@Suite("AuthorizationServer+Client") struct AuthorizationServerClientTests {
  typealias Verdict = AuthorizationServer.ClientVerdict

  private func server(_ step: ScriptedTransport.Step, _ change: (inout Profile) throws -> Void = { _ in }) throws
    -> (AuthorizationServer, ScriptedTransport)
  {
    let transport = ScriptedTransport([step])
    return (
      AuthorizationServer(
        profile: try sampleProfile(change), connection: connection(transport), secrets: MemorySecrets()), transport
    )
  }

  private static let hint = "check client_id; a client with a secret needs client_authentication in the profile"

  @Test(
    "a made-up code: what the response says about the client (RFC 6749, section 5.2)",
    arguments: [
      (.response(400, #"{"error":"invalid_grant"}"#), .known),
      (
        .response(401, #"{"error":"invalid_client"}"#),
        .unknown(words: "401, invalid_client", hint: AuthorizationServerClientTests.hint)
      ),
      (
        .response(400, #"{"error":"invalid_grant","error_description":"Unknown client"}"#),
        .unknown(words: "400, invalid_grant: Unknown client", hint: AuthorizationServerClientTests.hint)
      ),
      (.response(403), .unknown(words: "403, no error code", hint: AuthorizationServerClientTests.hint)),
      (
        .response(400, #"{"error":"unauthorized_client"}"#),
        .unauthorized(words: "400, unauthorized_client", hint: AuthorizationServerClientTests.hint)
      ),
      (
        .response(400, #"{"error":"unsupported_grant_type"}"#),
        .unclear(words: "400, unsupported_grant_type")
      ),
      (.response(401), .unclear(words: "401, no error code")),
      (
        .response(200, #"{"access_token":"A"}"#),
        .unusable(reason: "https://id.example/token issued tokens for a code that does not exist")
      ),
      (.response(503), .unavailable(reason: "https://id.example/token returned 503, no error code")),
      (.failure(.unreachable(detail: "refused")), .unavailable(reason: "refused")),
    ] as [(ScriptedTransport.Step, Verdict)])
  func verdict(step: ScriptedTransport.Step, expected: Verdict) async throws {
    let (server, transport) = try server(step)
    #expect(try await server.clientVerdict(nil, of: nil, random: "made-up") == expected)
    let form = try #require(transport.requests.first?.form)
    #expect(form.contains("grant_type=authorization_code") && form.contains("code=made-up"))
    #expect(form.contains("client_id=cli"))
  }

  @Test("no token endpoint: no request, and no verdict")
  func noEndpoint() async throws {
    let (server, transport) = try server(.response(400)) { $0.endpoints.token = nil }
    #expect(try await server.clientVerdict(nil, of: nil, random: "made-up") == nil)
    #expect(transport.requests.isEmpty)
  }

  @Test("a secret that is not stored: log in, and no request")
  func noSecret() async throws {
    let (server, transport) = try server(.response(400)) { $0.clientAuthentication = .basic }
    let error = await #expect(throws: AuthError.self) {
      try await server.clientVerdict(nil, of: nil, random: "made-up")
    }
    #expect(error?.explanation.remedy == .giveClientSecret(session: "work"))
    #expect(transport.requests.isEmpty)
  }
}
