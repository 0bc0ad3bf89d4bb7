import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import AuthCore

@Suite("Login by device (RFC 8628)")
struct LoginDeviceTests {
  private let events = EventLog()
  private let clock = ManualClock()

  private func login(
    _ steps: [ScriptedTransport.Step], secret: Secret? = nil, _ change: (inout Profile) throws -> Void = { _ in }
  ) throws -> (Login, ScriptedTransport) {
    let transport = ScriptedTransport(steps)
    let profile = try sampleProfile {
      $0.clientID = "1406020730"
      $0.endpoints.deviceAuthorization = try WebURL("https://id.example/device_authorization")
      try change(&$0)
    }
    let server = AuthorizationServer(
      profile: profile, connection: connection(transport, events: events), secrets: MemorySecrets())
    return (Login(server, metadata: nil, clientSecret: secret), transport)
  }

  private func authorization(interval: Double = 5, expiresIn: Double = 1800) throws -> DeviceAuthorization {
    try DeviceAuthorization(
      .object([
        "device_code": .string("GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS"), "user_code": .string("WDJB-MJHT"),
        "verification_uri": .string("https://example.com/device"), "expires_in": .number(expiresIn),
        "interval": .number(interval),
      ]))
  }

  private static func error(_ code: String, _ status: Int = 400, fields: HTTPFields = [:]) -> ScriptedTransport.Step {
    .response(status, #"{"error":"\#(code)"}"#, fields: fields)
  }

  private static let pending = error("authorization_pending")
  private static let success = ScriptedTransport.Step.response(200, #"{"access_token":"A","refresh_token":"R"}"#)

  /// The pauses between the polls until the tokens are there, in seconds.
  private func pauses(_ steps: [ScriptedTransport.Step], interval: Double = 5) async throws -> [Double] {
    let (login, transport) = try login(steps + [LoginDeviceTests.success])
    let pair = try await login.tokens(of: authorization(interval: interval), clock: clock)
    #expect(pair.accessToken == Secret("A"))
    #expect(pair.flow == "device")
    #expect(transport.left == 0)
    return clock.sleeps.map(\.seconds)
  }

  /// Why a login fails.
  private func failure(
    _ steps: [ScriptedTransport.Step], expiresIn: Double = 1800, timeout: Duration? = nil
  ) async throws -> AuthError {
    let (login, _) = try login(steps)
    let authorization = try authorization(expiresIn: expiresIn)
    do throws(AuthError) {
      _ = try await login.tokens(
        of: authorization, timeout: timeout, clock: clock)
    } catch {
      return error
    }
    throw Unexpected("tokens")
  }

  @Test("the codes are asked for as in RFC 8628, section 3.1")
  func request() async throws {
    let response =
      #"{"device_code":"d","user_code":"u","verification_uri":"https://example.com/device","extra":[{}]}"#
    let (login, transport) = try login([.response(200, response, fields: [.contentType: "text/html"])]) {
      $0.scope = ["example_scope"]
    }
    #expect(try await login.deviceAuthorization().userCode == "u")
    let request = try #require(transport.requests.first)
    #expect(request.method == .post)
    #expect(request.url == "https://id.example/device_authorization")
    // In another order than the example's, which does not matter in a form.
    #expect(request.body == "scope=example_scope&client_id=1406020730")
    #expect(events.events.isEmpty)
  }

  @Test("the request carries audience, resources, the profile's fields and the client's authentication")
  func allFields() async throws {
    let response = #"{"device_code":"d","user_code":"u","verification_uri":"http://example.com/device"}"#
    let (login, transport) = try login([.response(200, response)], secret: Secret("shh")) {
      $0.audience = "aud"
      $0.resource = ["https://r.example"]
      $0.parameters.authorization = ["prompt": "consent"]
      $0.clientAuthentication = .post
    }
    _ = try await login.deviceAuthorization()
    #expect(
      transport.requests.map(\.form) == [
        [
          "audience=aud", "resource=https://r.example", "prompt=consent", "client_id=1406020730", "client_secret=shh",
        ]
      ])
    // The page is plain http.
    #expect(
      events.events == [.warning("the login page is plain http: others on the network can read what is typed")])
  }

  @Test("a client that authenticates by HTTP Basic names itself in the form too: some servers fail without it")
  func basicClient() async throws {
    let response = #"{"device_code":"d","user_code":"u","verification_uri":"https://example.com/device"}"#
    let (login, transport) = try login([.response(200, response)], secret: Secret("shh")) {
      $0.clientAuthentication = .basic
    }
    _ = try await login.deviceAuthorization()
    #expect(transport.requests.map(\.form) == [["client_id=1406020730"]])
    #expect(transport.requests.first?.fields[.authorization] == "Basic MTQwNjAyMDczMDpzaGg=")
  }

  @Test("a poll is that of RFC 8628, section 3.4, after the interval")
  func poll() async throws {
    let (login, transport) = try login([LoginDeviceTests.success])
    _ = try await login.tokens(of: authorization(), clock: clock)
    #expect(
      transport.requests.map(\.body) == [
        "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code"
          + "&device_code=GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS&client_id=1406020730"
      ])
    #expect(clock.sleeps == [.seconds(5)])
  }

  @Test(
    "authorization_pending is waited out at the interval, whatever its status (section 3.5)",
    arguments: [400, 401, 403, 428, 200])
  func waiting(status: Int) async throws {
    let step = LoginDeviceTests.error("authorization_pending", status)
    #expect(try await pauses([step, step]) == [5, 5, 5])
  }

  @Test("each slow_down makes this and all further pauses five seconds longer (section 3.5)")
  func slowDown() async throws {
    let slow = LoginDeviceTests.error("slow_down")
    #expect(try await pauses([slow, LoginDeviceTests.pending, slow, LoginDeviceTests.pending]) == [5, 10, 10, 15, 15])
  }

  @Test(
    "an unreachable server is polled less often each time, and as before when it is back (section 3.5)",
    arguments: [
      .response(500), .response(503, "<html></html>"), .response(429), .response(408), error("slow_down", 429),
      .failure(.unreachable(detail: "no route")), .failure(.broken(detail: "cut off")),
      .failure(.timedOut(detail: "slow")),
    ] as [ScriptedTransport.Step])
  func unavailable(step: ScriptedTransport.Step) async throws {
    #expect(
      try await pauses([step, step, step, step, step, LoginDeviceTests.pending]) == [5, 10, 20, 40, 60, 60, 5])
    #expect(events.events.count == 5)
  }

  @Test("Retry-After is kept to")
  func retryAfter() async throws {
    let step = ScriptedTransport.Step.response(429, fields: [.retryAfter: "90"])
    #expect(try await pauses([step, LoginDeviceTests.pending]) == [5, 90, 5])
  }

  @Test("a wait beyond the expiry ends at the expiry: retry later, with the last reason")
  func retryAfterTheEnd() async throws {
    let step = ScriptedTransport.Step.response(503, fields: [.retryAfter: "99999999999"])
    let failure = try await failure([step, LoginDeviceTests.success])
    #expect(
      failure
        == .tryLater(
          .init(
            "logging in to work", why: "https://id.example/token returned 503, no error code",
            hint: "the server failed: log in again later, or ask its operator")))
    #expect(clock.sleeps == [.seconds(5), .seconds(1795)])
  }

  @Test(
    "a code that is not approved: retry later, by the server's error or by the clock",
    arguments: [[error("expired_token")], Array(repeating: pending, count: 9)])
  func expired(steps: [ScriptedTransport.Step]) async throws {
    #expect(
      try await failure(steps, expiresIn: 42)
        == .tryLater(
          .init(
            "logging in to work", why: "the code has expired before the login was approved",
            hint: "log in again to get a new code")))
  }

  @Test("a time-out that is shorter than the code's life ends the wait")
  func timeout() async throws {
    #expect(
      try await failure([LoginDeviceTests.pending, LoginDeviceTests.success], timeout: .seconds(7))
        == .tryLater(
          .init(
            "logging in to work", why: "the login was not approved within 7s",
            hint: "log in again to get a new code")))
    #expect(clock.sleeps == [.seconds(5), .seconds(2)])
  }

  @Test("a device code whose exchange ended with 500 is consumed: log in again (real-servers.md, 41)")
  func consumed() async throws {
    let error = try await failure([
      LoginDeviceTests.pending, .response(500), LoginDeviceTests.error("invalid_grant"),
    ])
    guard case .refused(let explanation) = error else { throw Unexpected(error) }
    #expect(explanation.hint == "log in again")
  }

  @Test("the user denies the login: refused (real-servers.md, 31)")
  func denied() async throws {
    #expect(
      try await failure([LoginDeviceTests.pending, LoginDeviceTests.error("access_denied")])
        == .refused(
          .init(
            "logging in to work", why: "the login was denied (400, access_denied)",
            hint: "log in again if that was not intended", serverError: "access_denied")))
  }

  @Test(
    "any other response ends the login with the server's error, and is not requested again",
    arguments: [
      (error("invalid_grant"), "https://id.example/token returned 400, invalid_grant"),
      (error("invalid_client", 401), "https://id.example/token returned 401, invalid_client"),
      (error("device_not_found", 404), "https://id.example/token returned 404, device_not_found"),
      (.response(400), "https://id.example/token returned 400, no error code"),
      (
        .response(200, "<html></html>"),
        "https://id.example/token: the response is not JSON: 200, no content type: <html></html>"
      ),
      (.response(302), "https://id.example/token redirects, which a token endpoint must not"),
    ] as [(ScriptedTransport.Step, String)])
  func refused(step: ScriptedTransport.Step, reason: String) async throws {
    let failure = try await failure([step, LoginDeviceTests.success])
    guard case .refused(let explanation) = failure else { throw Unexpected(failure) }
    #expect(explanation.why == reason)
    #expect(clock.sleeps.count == 1)
  }

  @Test(
    "a device authorization endpoint that refuses, fails or returns an unusable response is distinguished",
    arguments: [
      (error("unauthorized_client"), 6, "https://id.example/device_authorization returned 400, unauthorized_client"),
      (error("slow_down", 429), 5, "https://id.example/device_authorization returned 429, slow_down"),
      (.response(502, "<html>"), 5, "https://id.example/device_authorization returned 502, no error code"),
      (.failure(.unreachable(detail: "no route")), 5, "no route"),
      (
        .failure(.responseTooLarge(limit: 1 << 20)), 6,
        "https://id.example/device_authorization: the response is larger than 1048576 bytes"
      ),
      (.response(404), 6, "https://id.example/device_authorization returned 404, no error code"),
      (
        .response(200, "<html>"), 6,
        "https://id.example/device_authorization: the response is not JSON: 200, no content type: <html>"
      ),
      (.response(200, "{}"), 6, "https://id.example/device_authorization: the response has no device_code"),
      (error("invalid_scope", 200), 6, "https://id.example/device_authorization returned 200, invalid_scope"),
      (
        .response(307, fields: [.location: "https://evil.example"]), 6,
        "https://id.example/device_authorization redirects, which a device authorization endpoint must not"
      ),
    ] as [(ScriptedTransport.Step, Int, String)])
  func endpoint(step: ScriptedTransport.Step, status: Int, reason: String) async throws {
    let (login, transport) = try login([step])
    do throws(AuthError) {
      _ = try await login.deviceAuthorization()
      Issue.record("it was answered")
    } catch {
      switch error {
      case .tryLater(let explanation): #expect((status, explanation.why) == (5, reason))
      case .refused(let explanation): #expect((status, explanation.why) == (6, reason))
      default: throw Unexpected(error)
      }
    }
    #expect(transport.requests.count == 1)
  }

  @Test("a server without the endpoint: the error names the missing key, and nothing is sent")
  func noEndpoint() async throws {
    let (login, transport) = try login([]) { $0.endpoints.deviceAuthorization = nil }
    #expect(login.deviceAuthorizationEndpoint == nil)
    await #expect(
      throws: AuthError.refused(
        .init(
          "logging in to work", why: "the server has no device authorization endpoint",
          hint: "choose another flow, or set the endpoint",
          remedy: .stateEndpoint(session: "work", key: "device_authorization")))
    ) { try await login.deviceAuthorization() }
    #expect(transport.requests.isEmpty)
  }
}
