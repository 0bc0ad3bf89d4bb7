import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import AuthCore

@Suite("TokenEndpoint: the server's time in proofs and assertions")
struct TokenEndpointTimeTests {
  private static let ahead: HTTPFields = [.date: "Mon, 05 Jan 2026 03:04:05 GMT"]
  private static let same: HTTPFields = [.date: "Fri, 02 Jan 2026 03:04:05 GMT"]
  private static let success = ScriptedTransport.Step.response(200, #"{"access_token":"A2"}"#, fields: ahead)
  private static let now = Int64(Date.sample.timeIntervalSince1970)
  private static let days: Int64 = 3 * 86400

  private func refusal(_ error: String, _ fields: HTTPFields = ahead) -> ScriptedTransport.Step {
    .response(400, "{\"error\":\"\(error)\"}", fields: fields)
  }

  private func server(
    _ transport: ScriptedTransport, _ authentication: ClientAuthentication = .none
  ) throws -> AuthorizationServer {
    let profile = try sampleProfile {
      $0.clientAuthentication = authentication
      $0.dpop = authentication == .none
    }
    let secrets = MemorySecrets([.workClientSecret: Secret("shh")])
    return AuthorizationServer(profile: profile, connection: connection(transport), secrets: secrets)
  }

  /// Sends a grant; the times of the proofs that went with it.
  private func proofTimes(_ steps: [ScriptedTransport.Step]) async throws -> [JSONValue?] {
    let transport = ScriptedTransport(steps)
    let endpoint = try server(transport).withNewKey().tokenEndpoint(nil, secret: nil)
    _ = try? await endpoint.request([("grant_type", "x")])
    return try transport.requests.map { try OpenedProof($0.fields).claims["iat"] }
  }

  @Test("a proof with a wrong time is created again by the server's Date")
  func proof() async throws {
    let times = try await proofTimes([refusal("invalid_dpop_proof"), TokenEndpointTimeTests.success])
    #expect(times == [.integer(Self.now - 1), .integer(Self.now + Self.days - 1)])
  }

  @Test("a request for a nonce also reports the time; a proof may need both, one after the other")
  func nonceAndTime() async throws {
    var nonce = TokenEndpointTimeTests.ahead
    nonce[.dpopNonce] = "n1"
    let times = try await proofTimes([refusal("use_dpop_nonce", nonce), TokenEndpointTimeTests.success])
    #expect(times == [.integer(Self.now - 1), .integer(Self.now + Self.days - 1)])
    let both = [refusal("invalid_dpop_proof"), refusal("use_dpop_nonce", nonce), TokenEndpointTimeTests.success]
    #expect(try await proofTimes(both).count == 3)
  }

  @Test("a refusal with an unchanged Date is final")
  func noNews() async throws {
    let steps = [refusal("invalid_dpop_proof", TokenEndpointTimeTests.same), TokenEndpointTimeTests.success]
    #expect(try await proofTimes(steps).count == 1)
    #expect(try await proofTimes([refusal("invalid_dpop_proof", [:]), TokenEndpointTimeTests.success]).count == 1)
    let again = Array(repeating: refusal("invalid_dpop_proof"), count: 3)
    #expect(try await proofTimes(again).count == 2)
    #expect(try await proofTimes([refusal("invalid_grant"), TokenEndpointTimeTests.success]).count == 1)
  }

  private func assertionTimes(_ transport: ScriptedTransport) throws -> [JSONValue?] {
    try transport.requests.map { request in
      let field = try #require(request.form.first { $0.hasPrefix("client_assertion=") })
      return JSONWebToken(unverified: Secret(String(field.dropFirst(17))))?.claims["iat"]
    }
  }

  @Test("an assertion with a wrong time is created again by the server's Date")
  func assertion() async throws {
    let transport = ScriptedTransport([refusal("invalid_client"), TokenEndpointTimeTests.success])
    _ = try await OAuthRefresher(server(transport, .secretJWT)).refresh(samplePair())
    #expect(try assertionTimes(transport) == [.integer(Self.now), .integer(Self.now + Self.days)])
  }

  @Test("the clock offset of a stored pair is used at once")
  func known() async throws {
    var pair = samplePair()
    pair.clock = IssuanceClock(ClockReading(time: .sample, boot: .sample), serverOffset: Double(Self.days))
    let transport = ScriptedTransport([TokenEndpointTimeTests.success])
    _ = try await OAuthRefresher(server(transport, .secretJWT)).refresh(pair)
    #expect(try assertionTimes(transport) == [.integer(Self.now + Self.days)])
  }

  @Test("a client without a time in what it shows is not sent twice")
  func undated() async throws {
    let transport = ScriptedTransport([refusal("invalid_client"), TokenEndpointTimeTests.success])
    await #expect(throws: RefreshFailure.self) {
      try await OAuthRefresher(server(transport, .post)).refresh(samplePair())
    }
    #expect(transport.requests.count == 1)
  }
}
