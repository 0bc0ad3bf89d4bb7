import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import AuthCore

@Suite("TokenEndpoint")
struct TokenEndpointTests {
  /// What kind of failure, with what it says.
  enum Kind: Equatable, Sendable {
    case unavailable(String, retryAfter: Double?, mayHaveArrived: Bool)
    case invalidGrant(String?)
    case refused(String?)
    case malformed(String)
    case contended(String)
    case local(AuthError)

    init(_ failure: TokenEndpoint.Failure) {
      self =
        switch failure {
        case .unavailable(let it):
          .unavailable(it.reason, retryAfter: it.retryAfter, mayHaveArrived: it.mayHaveArrived)
        case .invalidGrant(let response): .invalidGrant(response.error)
        case .refused(let response): .refused(response.error)
        case .malformed(let reason): .malformed(reason)
        case .contended(let reason): .contended(reason)
        case .local(let error): .local(error)
        }
    }
  }

  private func endpoint(_ transport: ScriptedTransport) throws -> TokenEndpoint {
    TokenEndpoint(
      url: try WebURL("https://id.example/token"),
      client: OAuthClient(clientID: "cli", authentication: .none, basicEncoding: .percent, secret: nil),
      connection: connection(transport))
  }

  private func kind(_ step: ScriptedTransport.Step) async throws -> Kind? {
    let endpoint = try endpoint(ScriptedTransport([step]))
    do throws(TokenEndpoint.Failure) {
      _ = try await endpoint.request([("grant_type", "refresh_token")])
      return nil
    } catch {
      return Kind(error)
    }
  }

  @Test(
    "responses are classified by what they mean for the grant (RFC 6749, section 5.2; real-servers.md, 3, 9, 10)",
    arguments: [
      (.response(400), .invalidGrant(nil)),
      (.response(401), .invalidGrant(nil)),
      (.response(400, "<html></html>"), .invalidGrant(nil)),
      (.response(401, #"{"message":"no"}"#, fields: [.wwwAuthenticate: "Bearer"]), .invalidGrant(nil)),
      (.response(403), .refused(nil)),
      (.response(400, #"{"error":"invalid_grant"}"#), .invalidGrant("invalid_grant")),
      (.response(401, #"{"error":"invalid_token"}"#), .invalidGrant("invalid_token")),
      (.response(403, #"{"error":"invalid_grant"}"#), .invalidGrant("invalid_grant")),
      (.response(401, #"{"error":"invalid_client"}"#), .refused("invalid_client")),
      (.response(400, #"{"error":"invalid_client"}"#), .refused("invalid_client")),
      (.response(400, #"{"error":"scope_invalid"}"#), .refused("scope_invalid")),
      (.response(400, #"{"error":"invalid_request"}"#), .refused("invalid_request")),
      (.response(404, #"{"error":"device_not_found"}"#), .refused("device_not_found")),
      (.response(200, #"{"error":"invalid_grant"}"#), .invalidGrant("invalid_grant")),
      (.response(200, #"{"error":"temporarily_confused"}"#), .refused("temporarily_confused")),
      (
        .response(200, #"{"error":7}"#),
        .malformed(#"https://id.example/token: the response has no error code: 200, no content type: {"error":7}"#)
      ),
      (
        .response(200, "<html>log in</html>"),
        .malformed("https://id.example/token: the response is not JSON: 200, no content type: <html>log in</html>")
      ),
      (.response(204), .malformed("https://id.example/token: the response is not JSON: 204, no content type, empty")),
      (.response(200, "{}"), .malformed("https://id.example/token: the response has no access_token")),
      (
        .response(404),
        .malformed("https://id.example/token: the response has no error code: 404, no content type, empty")
      ),
      (
        .response(405, "<html></html>"),
        .malformed("https://id.example/token: the response has no error code: 405, no content type: <html></html>")
      ),
      (
        .response(302, fields: [.location: "https://evil.example/"]),
        .malformed("https://id.example/token redirects, which a token endpoint must not")
      ),
      (
        .response(307, fields: [.location: "/other"]),
        .malformed("https://id.example/token redirects, which a token endpoint must not")
      ),
      (
        .response(503, "<html></html>"),
        .unavailable("https://id.example/token returned 503, no error code", retryAfter: nil, mayHaveArrived: false)
      ),
      (
        .response(500, #"{"error":"invalid_grant"}"#),
        .unavailable("https://id.example/token returned 500, invalid_grant", retryAfter: nil, mayHaveArrived: false)
      ),
      (
        .response(429, fields: [.retryAfter: "7"]),
        .unavailable("https://id.example/token returned 429, no error code", retryAfter: 7, mayHaveArrived: false)
      ),
      (
        .response(408),
        .unavailable("https://id.example/token returned 408, no error code", retryAfter: nil, mayHaveArrived: false)
      ),
      (
        .failure(.unreachable(detail: "no route")),
        .unavailable("no route", retryAfter: nil, mayHaveArrived: false)
      ),
      (.failure(.timedOut(detail: "too slow")), .unavailable("too slow", retryAfter: nil, mayHaveArrived: true)),
      (
        .failure(.responseTooLarge(limit: 1_048_576)),
        .malformed("https://id.example/token: the response is larger than 1048576 bytes")
      ),
      (.failure(.broken(detail: "cut off")), .unavailable("cut off", retryAfter: nil, mayHaveArrived: true)),
    ] as [(ScriptedTransport.Step, Kind)])
  func classified(step: ScriptedTransport.Step, expected: Kind) async throws {
    #expect(try await kind(step) == expected)
  }

  @Test("JSON is read under any content type (real-servers.md, 9), with the times that an expiry is worked out from")
  func success() async throws {
    let transport = ScriptedTransport([
      .response(
        200, #"{"access_token":"a","error":null}"#,
        fields: [.contentType: "text/html", .date: "Fri, 02 Jan 2026 03:04:06 GMT"])
    ])
    let response = try await endpoint(transport).request([("grant_type", "x"), ("code", "a b&c")])
    #expect(response.tokens == TokenResponse(accessToken: Secret("a")))
    #expect(response.sentAt == .sample)
    #expect(response.serverDate == Date.sample.addingTimeInterval(1))
    let request = try #require(transport.requests.first)
    #expect(request.method == .post)
    #expect(request.url == "https://id.example/token")
    #expect(request.body == "grant_type=x&code=a+b%26c&client_id=cli")
    #expect(request.fields[.contentType] == "application/x-www-form-urlencoded")
    #expect(request.fields[.accept] == "application/json")
    #expect(request.fields[.userAgent] == "authctl/test")
    #expect(request.fields[.authorization] == nil)
  }

  @Test("a grant is sent once, whatever comes of it", arguments: [200, 400, 503])
  func once(status: Int) async throws {
    let transport = ScriptedTransport([.response(status), .response(200, #"{"access_token":"a"}"#)])
    _ = try? await endpoint(transport).request([("grant_type", "x")])
    #expect(transport.requests.count == 1)
  }
}
