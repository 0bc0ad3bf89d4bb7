import HTTPTypes
import Synchronization
import Testing

@testable import AuthCore

@Suite("AuthorizedSender: codes in the body that refuse the token")
struct AuthorizedSenderCodesTests {
  private func sender(_ transport: ScriptedTransport) throws -> AuthorizedSender {
    let profile = try customProfile(response: "refresh_on_codes = [\"TOKEN_EXPIRED\"]")
    return AuthorizedSender(
      transport, .init(TwoCredentials(), origins: profile.origins, refusals: RefusalRule(profile)),
      events: { _ in })
  }

  private func send(_ transport: ScriptedTransport) async throws -> TransferResponse {
    try await sender(transport).send(
      Transfer(method: .get, url: WebURL("https://api.example/me")), redirects: .response)
  }

  private static let json: HTTPFields = [.contentType: "application/json; charset=utf-8"]
  private static let problem: HTTPFields = [.contentType: "application/problem+json"]
  private static let long: HTTPFields = [.contentType: "application/json", .contentLength: "65537"]
  private static let text: HTTPFields = [.contentType: "text/plain"]
  private static let expired = #"{"success":false,"errorCode":"TOKEN_EXPIRED"}"#

  @Test(
    "a code of the profile causes a refresh and a replay, whatever the status",
    arguments: [(400, json), (403, json), (419, problem), (500, json), (200, json)])
  func replays(status: Int, fields: HTTPFields) async throws {
    let transport = ScriptedTransport([
      .response(status, AuthorizedSenderCodesTests.expired, fields: fields), .response(200),
    ])
    #expect(try await send(transport).status == 200)
    #expect(transport.requests.map { $0.fields[.authorization] } == ["Bearer A1", "Bearer A2"])
    #expect(transport.destinations.first == "discard")
  }

  @Test(
    "any other response is returned unchanged",
    arguments: [
      (400, expired, text), (400, #"{"errorCode":"OTHER"}"#, json), (200, #"{"errorCode":"TOKEN_EXPIRED"}"#, json),
      (400, "TOKEN_EXPIRED", json), (400, "", json), (400, expired, HTTPFields()), (400, expired, long),
    ])
  func shows(status: Int, body: String, fields: HTTPFields) async throws {
    let transport = ScriptedTransport([.response(status, body, fields: fields), .response(204)])
    #expect(try await send(transport).status == status)
    #expect(transport.left == 1)
    #expect(transport.destinations == ["collect(limit: 1048576)"])
  }

  @Test("the second refusal is the response")
  func once() async throws {
    let refusal = ScriptedTransport.Step.response(
      400, AuthorizedSenderCodesTests.expired, fields: AuthorizedSenderCodesTests.json)
    let transport = ScriptedTransport([refusal, refusal])
    #expect(try await send(transport).status == 400)
    #expect(transport.destinations == ["discard", "collect(limit: 1048576)"])
  }
}
