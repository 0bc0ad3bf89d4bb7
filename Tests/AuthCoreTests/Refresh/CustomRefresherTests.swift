import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import AuthCore

@Suite("CustomRefresher")
struct CustomRefresherTests {
  private let events = EventLog()

  private func refresher(_ transport: ScriptedTransport, _ profile: Profile) throws -> CustomRefresher {
    var profile = profile
    // However busy the machine is: the number of attempts is what counts here.
    profile.network.timeout = .seconds(3600)
    return CustomRefresher(
      profile, server: try #require(profile.custom), connection: connection(transport, events: events),
      pause: .milliseconds(1))
  }

  private func failure(_ refresher: CustomRefresher, _ pair: TokenPair) async -> RefreshFailure? {
    do throws(RefreshFailure) {
      _ = try await refresher.refresh(pair)
      return nil
    } catch {
      return error
    }
  }

  @Test("the request of the profile is sent, and its response read where the profile says")
  func renews() async throws {
    let transport = ScriptedTransport([
      .response(200, #"{"success":true,"data":{"accessToken":"A2","refreshToken":"R2"},"expiresIn":"60"}"#)
    ])
    let pair = try await refresher(transport, customProfile()).refresh(customPair())
    #expect(pair.accessToken == Secret("A2") && pair.refreshToken == Secret("R2"))
    #expect(pair.expiresAt == .sample.addingTimeInterval(60) && pair.lastRefresh == .sample)
    let request = try #require(transport.requests.first)
    #expect(request.url == "https://id.example/v1/auth/refresh" && request.method == .post)
    #expect(request.body == #"{"refreshToken":"R1"}"#)
    #expect(request.fields[.authorization] == nil && request.fields[.contentType] == "application/json")
  }

  @Test(
    "the expiry: a number, a string, a fraction, the JWT's exp, the profile's word, or unknown",
    arguments: [
      (#""accessToken":"A","expiresIn":60"#, 60.0), (#""accessToken":"A","accessTokenExpiresIn":"90""#, 90),
      (#""accessToken":"A","expiresIn":1.5"#, 1.5), (#""accessToken":"JWT""#, 120), (#""accessToken":"A""#, 3600),
      (#""accessToken":"A","expiresIn":-1"#, 3600), (#""accessToken":"A","expiresIn":null"#, 3600),
      (#""accessToken":"A","expiresIn":"soon""#, 3600),
      (#""accessToken":"A","expiresIn":5,"accessTokenExpiresIn":6"#, 6),
    ])
  func expiry(members: String, seconds: Double) async throws {
    let exp = Int(Date.sample.timeIntervalSince1970) + 120
    let body = "{\(members.replacing("JWT", with: jwt("{\"exp\":\(exp)}").exposed))}"
    let profile = try customProfile(top: "access_token_lifetime = \"1h\"")
    let pair = try await refresher(ScriptedTransport([.response(200, body)]), profile).refresh(customPair())
    #expect(pair.expiresAt == .sample.addingTimeInterval(seconds))
    #expect(pair.refreshToken == Secret("R1"))
  }

  /// What becomes of the pair.
  enum Fate: Sendable { case dead(String), refused, nonsense, tryLater }

  @Test(
    "the meaning of a refusal for the refresh token",
    arguments: [
      (
        200, #"{"success":false,"errorCode":"REFRESH_TOKEN_EXPIRED","message":"m"}"#, Fate.dead("REFRESH_TOKEN_EXPIRED")
      ),
      (401, #"{"success":false,"code":"REFRESH_TOKEN_EXPIRED"}"#, .dead("REFRESH_TOKEN_EXPIRED")),
      (500, #"{"errorCode":"REFRESH_TOKEN_EXPIRED"}"#, .dead("REFRESH_TOKEN_EXPIRED")),
      (200, #"{"errorCode":"REFRESH_TOKEN_EXPIRED"}"#, .dead("REFRESH_TOKEN_EXPIRED")),
      (200, #"{"success":false,"errorCode":"MAINTENANCE"}"#, .refused), (200, #"{"success":false}"#, .refused),
      (401, #"{"errorCode":"DEVICE_BLOCKED"}"#, .refused), (400, #"{"errorCode":"VALIDATION"}"#, .refused),
      (400, "", .dead("400")), (401, "", .dead("401")), (401, "<html>", .dead("401")),
      (401, #"{"message":"Unauthenticated."}"#, .dead("401")), (403, "", .refused), (404, "", .refused),
      (302, "", .nonsense), (200, "", .nonsense), (204, "", .nonsense), (200, "<html>", .nonsense),
      (200, #"{"accessToken":""}"#, .nonsense), (200, #"{"accessToken":"a\nb"}"#, .nonsense),
      (200, #"{"accessToken":7}"#, .nonsense), (200, #"{"success":true,"code":"OK","data":{}}"#, .nonsense),
      (200, #"{"success":true,"code":"REFRESH_TOKEN_EXPIRED","data":{}}"#, .nonsense),
      (200, #"{"code":"E42"}"#, .refused), (500, "", .tryLater), (503, "<html>", .tryLater),
      (429, #"{"errorCode":"SLOW"}"#, .tryLater), (408, "", .tryLater),
    ])
  func refusals(status: Int, body: String, fate: Fate) async throws {
    let transport = ScriptedTransport(Array(repeating: .response(status, body), count: 3))
    let failure = await failure(try refresher(transport, customProfile()), customPair())
    switch (fate, failure) {
    case (.dead(let code), .refreshTokenDead(let said, let explanation)):
      #expect(said == code && explanation.serverError == code && explanation.remedy == .logIn(session: "work"))
    case (.refused, .other(.refused)), (.nonsense, .uncertain(.refused)), (.tryLater, .other(.tryLater)): break
    default: Issue.record("\(status) \(body): \(String(describing: failure))")
    }
    if case .tryLater = fate { #expect(transport.left == 0) } else { #expect(transport.left == 2) }
  }

  @Test(
    "without codes in the profile, the status alone decides", arguments: [(401, true), (400, false), (200, false)])
  func withoutCodes(status: Int, isDead: Bool) async throws {
    let profile = try customProfile(response: "refresh_on_codes = [\"X\"]")
    let transport = ScriptedTransport([.response(status, #"{"success":false,"errorCode":"GONE"}"#)])
    let failure = await failure(try refresher(transport, profile), customPair())
    if case .refreshTokenDead("GONE", _) = failure { #expect(isDead) } else { #expect(!isDead) }
  }

  @Test("a response that is too large is unusable, and not requested again")
  func tooLarge() async throws {
    let transport = ScriptedTransport([.failure(.responseTooLarge(limit: 1_048_576))])
    let failure = await failure(try refresher(transport, customProfile()), customPair())
    guard case .uncertain(.refused(let explanation)) = failure else { throw Unexpected(failure) }
    #expect(explanation.why.hasSuffix("the response is larger than 1048576 bytes"), "\(explanation.why)")
    #expect(transport.requests.count == 1)
  }

  @Test("a failure that passes is asked again, with the same token")
  func again() async throws {
    let transport = ScriptedTransport([
      .failure(.timedOut(detail: "x")), .response(500), .response(200, #"{"accessToken":"A2"}"#),
    ])
    #expect(try await refresher(transport, customProfile()).refresh(customPair()).accessToken == Secret("A2"))
    #expect(Set(transport.requests.map(\.body)) == [#"{"refreshToken":"R1"}"#])
  }

  @Test("the profile's headers go before authctl's own")
  func headers() async throws {
    let profile = try customProfile().with(
      refresh:
        "url = \"/r\"\nheaders = { User-Agent = \"app/1\", Accept = \"*/*\", Authorization = \"T {access_token}\" }")
    let transport = ScriptedTransport([
      .response(200, #"{"accessToken":"A2"}"#), .response(200, #"{"accessToken":"A3"}"#),
    ])
    _ = try await refresher(transport, profile).refresh(customPair())
    _ = try await refresher(transport, customProfile()).refresh(customPair())
    #expect(transport.requests.map { $0.fields[.userAgent] } == ["app/1", "authctl/test"])
    #expect(transport.requests.map { $0.fields[.accept] } == ["*/*", "application/json"])
    #expect(transport.requests.map { $0.fields[.authorization] } == ["T A1", nil])
  }

  @Test("no request is sent if it cannot succeed")
  func nothingSent() async throws {
    let transport = ScriptedTransport()
    var dead = customPair()
    dead.lastError = .init(error: "X", at: .sample, final: true)
    for pair in [dead, customPair(refresh: nil), samplePair()] {
      let refresher = try refresher(transport, customProfile())
      #expect(!refresher.canRefresh(pair))
      guard case .other(.loginRequired) = await failure(refresher, pair) else { throw Unexpected(pair) }
    }
    #expect(transport.requests.isEmpty)
  }

  @Test(
    "a response without a token where the profile points names its members and their types, never a value",
    arguments: [
      (
        #"{"success":true,"code":"OK","result":{"jwt":"s3cret","user":{"id":5,"a/b~":null},"old":[1]},"data":{}}"#,
        "/code (string), /data (object), /result/jwt (string), /result/old (array), /result/user/a~1b~0 (null), "
          + "/result/user/id (number), /success (boolean)"
      ), (#"{"a\u001b":1.5}"#, "/a\\u{1b} (number)"), ("{}", "no members"), (#"["s3cret"]"#, "the response is array"),
      (#"{"a":{"b":{"c":{"s3cret":1}}}}"#, "/a/b/c (object)"),
    ])
  func members(body: String, words: String) async throws {
    let failure = await failure(try refresher(ScriptedTransport([.response(200, body)]), customProfile()), customPair())
    guard case .uncertain(.refused(let explanation)) = failure else { throw Unexpected(failure) }
    #expect(explanation.why.contains("status 200, but no access token at /accessToken, /data/accessToken, /token"))
    #expect(explanation.why.hasSuffix(words), "\(explanation.why)")
    #expect(!explanation.why.contains("s3cret"))
  }

  @Test("a response with a great many members makes a message of bounded length")
  func manyMembers() async throws {
    let body = "{" + (0..<5000).map { "\"\($0)\(String(repeating: "x", count: 60))\":0" }.joined(separator: ",") + "}"
    let failure = await failure(try refresher(ScriptedTransport([.response(200, body)]), customProfile()), customPair())
    #expect((failure?.reason.explanation.why.count ?? 0) < 2000)
  }

  @Test(
    "an error's words are at the profile's pointer, else at the members that most servers use",
    arguments: [
      ("", #"{"message":"m","detail":"d"}"#, "m"), ("", #"{"error_description":"e","title":"t"}"#, "e"),
      ("", #"{"detail":"d","title":"t"}"#, "d"), ("", #"{"title":"t","message":""}"#, "t"),
      ("error_message = \"/title\"", #"{"title":"t","message":"m"}"#, "t"),
    ])
  func messages(pointer: String, body: String, words: String) async throws {
    var profile = try customProfile()
    profile.custom?.response.errorMessage = pointer.isEmpty ? [] : [try #require(JSONPointer("/title"))]
    let failure = await failure(try refresher(ScriptedTransport([.response(403, body)]), profile), customPair())
    #expect(failure?.reason.explanation.why.hasSuffix("403, no error code: \(words)") == true)
  }

  @Test(
    "the profile states the refresh token's life if the server does not, for a new one only",
    arguments: [
      (#"{"accessToken":"A","refreshToken":"R2"}"#, 1000.0), (#"{"accessToken":"A","refreshToken":"R1"}"#, 50),
      (#"{"accessToken":"A"}"#, 50), (#"{"accessToken":"A","refreshToken":"R2","refreshTokenExpiresIn":7}"#, 7),
    ])
  func refreshTokenLifetime(body: String, seconds: Double) async throws {
    let profile = try customProfile(top: "refresh_token_lifetime = \"1000s\"")
    var pair = customPair()
    pair.refreshExpiresAt = .sample.addingTimeInterval(50)
    let refreshed = try await refresher(ScriptedTransport([.response(200, body)]), profile).refresh(pair)
    #expect(refreshed.refreshExpiresAt == .sample.addingTimeInterval(seconds))
  }

  @Test("within the profile's margin a refresh token is not sent", arguments: [(59.0, false), (-5, false), (61, true)])
  func margin(left: Double, isSent: Bool) async throws {
    var pair = customPair()
    pair.refreshExpiresAt = .sample.addingTimeInterval(left)
    let transport = ScriptedTransport([.response(200, #"{"accessToken":"A2"}"#)])
    let failure = await failure(
      try refresher(transport, customProfile(top: "refresh_token_margin = \"1m\"")), pair)
    #expect(transport.requests.isEmpty != isSent)
    if !isSent { guard case .other(.loginRequired) = failure else { throw Unexpected(failure) } }
  }

  @Test(
    "without a margin the server decides about a refresh token that has expired by the local clock",
    arguments: [
      (200, #"{"accessToken":"A2"}"#, "", nil), (400, #"{"errorCode":"GONE"}"#, "refresh_on_codes = [\"X\"]", "GONE"),
      (401, #"{"errorCode":"REFRESH_TOKEN_EXPIRED"}"#, "", "REFRESH_TOKEN_EXPIRED"),
    ] as [(Int, String, String, String?)])
  func asExpired(status: Int, body: String, response: String, code: String?) async throws {
    var pair = customPair()
    pair.refreshExpiresAt = .sample.addingTimeInterval(-10)
    let profile = try customProfile(response: response)
    let refresher = try refresher(ScriptedTransport([.response(status, body)]), profile)
    #expect(!refresher.canRefresh(pair))
    switch await failure(refresher, pair) {
    case nil: #expect(code == nil)
    case .refreshTokenDead(let said, _): #expect(said == code)
    case let other: throw Unexpected(other)
    }
  }

  @Test("only the codes that the profile names end an expired refresh token")
  func otherCode() async throws {
    var pair = customPair()
    pair.refreshExpiresAt = .sample.addingTimeInterval(-1)
    let transport = ScriptedTransport([.response(200, #"{"success":false,"errorCode":"MAINTENANCE"}"#)])
    let failure = await failure(try refresher(transport, customProfile()), pair)
    guard case .other(.refused) = failure else { throw Unexpected(failure) }
  }

  @Test("the error shows neither the token nor the body")
  func secrecy() async throws {
    let profile = try customProfile("[requests.x]\nurl = \"/x\"").with(
      refresh: "url = \"/r/{refresh_token}?t={refresh_token}\"\nheaders = { X-Any = \"{refresh_token}\" }")
    var pair = customPair()
    pair.refreshToken = Secret("top/secret")
    let transport = ScriptedTransport([.response(404, "body secret")])
    let failure = await failure(try refresher(transport, profile), pair)
    guard case .other(.refused(let explanation)) = failure else { throw Unexpected(failure) }
    #expect(transport.requests.first?.url == "https://id.example/v1/r/top%2Fsecret?t=top%2Fsecret")
    #expect(explanation.why == "https://id.example/v1/r/‹redacted› returned 404, no error code")
  }
}

extension Profile {
  /// The profile with another request that refreshes.
  fileprivate func with(refresh: String) throws -> Profile {
    var profile = self
    profile.custom?.requests["refresh"] = try customRefresh(refresh)
    return profile
  }

  private func customRefresh(_ text: String) throws -> CustomRequest? {
    let text = """
      type = "custom"
      base = "https://id.example/v1"
      [requests.login]
      url = "/l"
      [requests.refresh]
      \(text)
      [response]
      access_token = "/a"
      """
    return try Profile(toml: text, file: "f", name: name).custom?.refresh
  }
}
