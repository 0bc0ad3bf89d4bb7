import TestSupport
import Testing

@testable import AuthCore

@Suite("CustomRevocation")
struct CustomRevocationTests {
  private func revoke(_ transport: ScriptedTransport, _ pair: TokenPair) async throws -> Bool {
    let profile = try customProfile()
    let server = try #require(profile.custom)
    var connection = connection(transport)
    // The attempts must not end because the machine is busy.
    connection.network.timeout = .seconds(3600)
    return try await CustomRevocation(profile: profile, server: server, connection: connection).revoke(pair)
  }

  @Test("any 2xx without a refusal is a success, an empty body too", arguments: [(200, ""), (204, ""), (200, "{}")])
  func success(status: Int, body: String) async throws {
    let transport = ScriptedTransport([.response(status, body)])
    #expect(try await revoke(transport, customPair()))
    #expect(transport.requests.first?.body == #"{"refreshToken":"R1"}"#)
  }

  @Test("a pair without a refresh token is not sent")
  func nothing() async throws {
    let transport = ScriptedTransport()
    #expect(try await !revoke(transport, customPair(refresh: nil)))
    #expect(transport.requests.isEmpty)
  }

  @Test("a pair of another server is not sent, and that it may still be good is an error")
  func otherServer() async throws {
    let transport = ScriptedTransport()
    let error = await #expect(throws: AuthError.self) { try await revoke(transport, samplePair()) }
    #expect(
      error
        == .refused(Revocation.failure("the issuer in the profile has changed since the login; nothing was sent")))
    #expect(transport.requests.isEmpty)
  }

  @Test(
    "a server that fails temporarily is asked again, as a revocation endpoint is",
    arguments: [.response(503), .failure(.broken(detail: "reset"))] as [ScriptedTransport.Step])
  func transient(step: ScriptedTransport.Step) async throws {
    let transport = ScriptedTransport([step, step, .response(204)])
    #expect(try await revoke(transport, customPair()))
    #expect(transport.requests.map(\.body) == Array(repeating: #"{"refreshToken":"R1"}"#, count: 3))
  }

  @Test(
    "a refusal and a lasting failure are distinguished",
    arguments: [(401, "", 1), (200, #"{"success":false}"#, 1), (503, "", 3)])
  func failures(status: Int, body: String, requests: Int) async throws {
    let transport = ScriptedTransport(Array(repeating: .response(status, body), count: 4))
    let error = await #expect(throws: AuthError.self) { try await revoke(transport, customPair()) }
    #expect(transport.requests.count == requests)
    let isForNow = status == 503
    switch error {
    case .tryLater: #expect(isForNow)
    case .refused: #expect(!isForNow)
    default: throw Unexpected(error)
    }
  }
}
