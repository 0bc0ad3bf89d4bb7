import HTTPTypes
import Testing

@testable import AuthCore

@Suite("AuthorizedSender: a token that is good, but not enough")
struct AuthorizedSenderInsufficiencyTests {
  private let events = EventLog()
  private static let scope = #"Bearer error="insufficient_scope", scope="write""#

  private func send(
    _ steps: [ScriptedTransport.Step], refusals: RefusalRule = RefusalRule(), redirects: RedirectPolicy = .response
  ) async throws -> (response: TransferResponse, requests: Int) {
    let transport = ScriptedTransport(steps)
    let url = try WebURL("https://api.example/v1")
    let sender = AuthorizedSender(
      transport, .init(TwoCredentials(), origins: [url.origin], refusals: refusals), events: events.handler)
    return (try await sender.send(Transfer(method: .get, url: url), redirects: redirects), transport.requests.count)
  }

  @Test(
    "insufficient authorization causes no refresh and no replay; the response is returned with what the token lacks",
    arguments: [401, 403], [[401], [401, 403]] as [Set<Int>])
  func scope(status: Int, refreshOn: Set<Int>) async throws {
    let step = ScriptedTransport.Step.response(status, "body", fields: [.wwwAuthenticate: Self.scope])
    let (response, requests) = try await send([step, .response(200)], refusals: RefusalRule(statuses: refreshOn))
    #expect(response.status == status)
    #expect(String(decoding: response.body, as: UTF8.self) == "body")
    #expect(response.insufficientAuthorization == InsufficientAuthorization(.scope, scope: ["write"]))
    #expect(requests == 1)
    #expect(events.events.isEmpty)
  }

  @Test("a step-up request also causes no refresh (RFC 9470, section 3)")
  func stepUp() async throws {
    let challenge = #"Bearer error="insufficient_user_authentication", max_age="5""#
    let (response, requests) = try await send([.response(401, fields: [.wwwAuthenticate: challenge]), .response(200)])
    #expect(response.insufficientAuthorization == InsufficientAuthorization(.userAuthentication, maxAge: 5))
    #expect(requests == 1)
  }

  @Test("insufficient authorization causes no refresh even if the API's codes would")
  func codes() async throws {
    let codes = RefusalRule(try customProfile(response: "refresh_on_codes = [\"E1\"]"))
    let plain: HTTPFields = [.contentType: "application/json"]
    let refreshed = try await send(
      [.response(403, #"{"code":"E1"}"#, fields: plain), .response(200)], refusals: codes)
    #expect(refreshed.requests == 2)
    let fields: HTTPFields = [.wwwAuthenticate: Self.scope, .contentType: "application/json"]
    let (_, requests) = try await send(
      [.response(403, #"{"code":"E1"}"#, fields: fields), .response(200)], refusals: codes)
    #expect(requests == 1)
  }

  @Test("a second response, after a refresh, may report insufficient authorization, too")
  func second() async throws {
    let (response, requests) = try await send([.response(401), .response(403, fields: [.wwwAuthenticate: Self.scope])])
    #expect(response.insufficientAuthorization?.lack == .scope)
    #expect(requests == 2)
  }

  @Test(
    "a 401 in any other form causes a refresh (real-servers.md, 22)",
    arguments: [
      #"Bearer error="invalid_token", scope="write""#, "Bearer scope=insufficient_scope", "insufficient_scope",
      #"Bearer error_description="insufficient_scope""#, #"Bearer error="insufficient_scope", error="x""#,
      #"Bearer realm="x", DPoP error="invalid_token", Bearer error="insufficient_scope""#, "\"", "", ",",
    ])
  func other(challenge: String) async throws {
    let (response, requests) = try await send([.response(401, fields: [.wwwAuthenticate: challenge]), .response(200)])
    #expect(response.status == 200)
    #expect(requests == 2)
  }

  @Test("the target of a redirect cannot request more authorization: the token was not sent to it")
  func elsewhere() async throws {
    let away = ScriptedTransport.Step.response(307, fields: [.location: "https://evil.example/"])
    let (response, _) = try await send(
      [away, .response(403, fields: [.wwwAuthenticate: Self.scope])], redirects: .follow(keepingMethod: false))
    #expect(response.status == 403)
    #expect(response.insufficientAuthorization == nil)
  }
}
