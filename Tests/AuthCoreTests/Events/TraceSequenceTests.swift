import Foundation
import TestSupport
import Testing

@testable import AuthCore

@Suite("TraceSequence") struct TraceSequenceTests {
  private func sequence(_ sample: TraceSample) -> TraceSequence { TraceSequence(sample.entries, program: "authctl") }

  private func entry(_ step: TraceEntry.Step, at offset: Double = 0, background: Bool = false) -> TraceEntry {
    TraceEntry(number: 1, time: .sample, offset: offset, process: 1, isInBackground: background, step: step)
  }

  /// The step that an event becomes, as text: `store → program: …`.
  private func drawn(_ event: AuthEvent) throws -> String {
    let sequence = TraceSequence([entry(.event(event))], program: "authctl")
    let step = try #require(sequence.steps.first)
    switch step.form {
    case .note(let lane): return "\(sequence.lanes[lane].kind) \(step.tone): \(step.text)"
    case .arrow(let from, let to):
      return "\(sequence.lanes[from].kind) → \(sequence.lanes[to].kind) \(step.tone): \(step.text)"
    }
  }

  @Test("lanes are in the order of their kinds, and only those that occur")
  func lanes() {
    #expect(sequence(.valid).lanes.map(\.name) == ["authctl", "token store", "API"])
    #expect(sequence(.login).lanes.map(\.kind) == [.program, .storage, .browser, .server])
    #expect(sequence(.refused).lanes.map(\.kind) == [.program, .background, .storage, .server, .api])
    #expect(sequence(.storm).lanes.map(\.kind) == [.program, .storage, .api, .others])
    #expect(TraceSequence([], program: "authctl").lanes.isEmpty)
  }

  @Test("servers have a lane for each host and port")
  func hosts() {
    let urls = [
      "https://b.example.com/", "https://a.example.com:8443/x", "https://b.example.com/y", "http://[::1]:80/", "no url",
    ]
    let entries = urls.map { entry(.exchange(TraceExchange(role: .api, method: "GET", url: $0))) }
    #expect(
      TraceSequence(entries, program: "authctl").lanes.map(\.host)
        == ["", "b.example.com", "a.example.com:8443", "[::1]", "unknown host"])
  }

  @Test("requests of the background refresh come from its own lane")
  func background() throws {
    let flow = sequence(.refused)
    let request = try #require(flow.steps.first { $0.text.hasPrefix("POST /token") })
    #expect(request.form == .arrow(from: 1, to: 3))
    let saved = try #require(flow.steps.first { $0.text.hasPrefix("store token") })
    #expect(saved.form == .arrow(from: 1, to: 2))
  }

  @Test("requests that overlap are in the order of time, with a number at both of their arrows")
  func overlap() {
    let flow = sequence(.batch)
    #expect(flow.steps.map(\.time) == flow.steps.map(\.time).sorted())
    #expect(
      flow.steps.dropFirst().map(\.text) == [
        "(1) GET /v1/items/2 ‹d00ab342›", "(1) 404 Not Found", "(2) GET /v1/items/1 ‹d00ab342›",
        "(3) GET /v1/items/3 ‹d00ab342›", "(2) 200 OK", "(3) 200 OK",
      ])
    #expect(!sequence(.valid).steps.contains { $0.text.hasPrefix("(") })
  }

  @Test("a request that begins when the response to the one before it ends does not overlap")
  func touching() {
    var first = TraceExchange(role: .api, method: "GET", url: "https://a.example.com/1")
    first.timings = TraceExchange.Timings(total: 10)
    let second = TraceExchange(role: .api, method: "GET", url: "https://a.example.com/2")
    let entries = [entry(.exchange(first)), entry(.exchange(second), at: 0.01)]
    #expect(TraceSequence(entries, program: "authctl").steps.map(\.text) == ["GET /1", "0", "GET /2", "0"])
  }

  @Test("a request on a new connection is drawn when it is sent: after the connection is open")
  func opening() {
    var exchange = TraceExchange(role: .api, method: "GET", url: "https://api.example.com/")
    exchange.timings = .init(total: 100)
    (exchange.timings.dns, exchange.timings.connect, exchange.timings.tls) = (10, 20, 30)
    let steps = TraceSequence([entry(.exchange(exchange)), entry(.note("token"), at: 0.05)], program: "p").steps
    #expect(steps.map { Int(($0.time * 1000).rounded()) } == [50, 60, 100])
    #expect(steps[0].text == "token")
  }

  @Test("unusable times do not disturb the order", arguments: [Double.nan, .infinity, -.infinity, -5])
  func times(_ bad: Double) {
    var exchange = TraceExchange(role: .api, method: "GET", url: "https://a.example.com/")
    exchange.timings = TraceExchange.Timings(total: bad)
    let flow = TraceSequence([entry(.exchange(exchange), at: bad), entry(.note("x"), at: 1)], program: "authctl")
    #expect(flow.steps.map(\.time) == [0, 0, 1])
  }

  @Test("the query, which may hold secrets, is not in the text of an arrow")
  func query() {
    #expect(sequence(.valid).steps.contains { $0.text == "GET /v1/me ‹d00ab342›" })
    #expect(!sequence(.valid).steps.contains { $0.text.contains("verbose") })
  }

  @Test("a token request shows its grant type, the tokens sent and received, and the error")
  func tokenRequest() throws {
    let texts = sequence(.refused).steps.map(\.text)
    #expect(texts.contains("POST /token (refresh_token) ‹1b8885b8›"))
    #expect(texts.contains("200 OK ‹access 5da77486› ‹refresh c0ffee12›"))
    // Not its verifier, which proves something and gives access to nothing.
    #expect(sequence(.login).steps.contains { $0.text == "POST /token (authorization_code) ‹0f4e9a11›" })
    #expect(sequence(.failing).steps.contains { $0.text == "400 Bad Request: invalid_grant" && $0.tone == .warning })
    #expect(sequence(.failing).steps.contains { $0.tone == .failure && $0.text.hasPrefix("503 Service Unavailable") })
  }

  @Test(
    "a token that is returned has its kind: the member of the response, wherever it stands; else none",
    arguments: [
      (#"{"id_token":"‹JWT, aaaaaaa1›","accessToken":"‹aaaa0002›"}"#, ["‹id aaaaaaa1›", "‹access aaaa0002›"]),
      (#"{"data":[{"refresh_token":"‹aaaaaaa1›"}],"code":"‹aaaaaaa2›"}"#, ["‹refresh aaaaaaa1›", "‹code aaaaaaa2›"]),
      (#"{"token":"‹aaaaaaa1›","‹x› y":"‹aaaaaaa2›"}"#, ["‹aaaaaaa1›", "‹aaaaaaa2›"]),
      (#"{"access_token":"‹aaaaaaa1›","refr"#, ["‹aaaaaaa1›"]), ("", []),
    ])
  func kinds(body: String, tokens: [String]) {
    var exchange = TraceExchange(role: .server, method: "POST", url: "https://id.example/token")
    exchange.responseBody = TraceExchange.Body(text: body, mediaType: "application/json", size: nil)
    #expect(exchange.receivedTokens == tokens)
    exchange.role = .api
    #expect(exchange.receivedTokens.isEmpty)
  }

  @Test("cookies and proofs are no tokens to follow")
  func cookies() {
    var exchange = TraceExchange(role: .api, method: "GET", url: "https://a.example.com/")
    exchange.requestFields = ["Cookie", "DPoP", "Authorization"].enumerated().map { index, name in
      TraceExchange.Field(name: name, value: "x ‹redacted 0000000\(index)›")
    }
    exchange.status = 200
    exchange.responseBody = TraceExchange.Body(text: "‹opaque, 9 chars, 00000009›", mediaType: "text/plain", size: 9)
    let texts = TraceSequence([entry(.exchange(exchange))], program: "authctl").steps.map(\.text)
    #expect(texts == ["GET / ‹00000002›", "200 OK"])
  }

  @Test("a request without a response ends in a failure at its sender")
  func lost() throws {
    let flow = sequence(.failing)
    let step = try #require(flow.steps.first { $0.isLost })
    #expect(step.text == "no response: connection refused")
    #expect(step.tone == .failure && step.isReply)
    #expect(flow.steps.count { $0.isLost } == 1)
  }

  @Test(
    "each event is an arrow from or to the store or other processes, or a note",
    arguments: [
      (AuthEvent.loaded(access: nil, expiresAt: nil), "storage → program plain: no stored tokens"),
      (
        .loaded(access: "d00ab342", expiresAt: nil),
        "storage → program plain: stored token ‹d00ab342›, expiry unknown"
      ),
      (
        .loaded(access: "d00ab342", expiresAt: .sample.addingTimeInterval(65)),
        "storage → program plain: stored token ‹d00ab342›, expires in 1m 5s"
      ),
      (
        .loaded(access: "d00ab342", expiresAt: .sample.addingTimeInterval(-65)),
        "storage → program plain: stored token ‹d00ab342›, expired 1m 5s ago"
      ),
      (.usable(access: "d00ab342", because: "x"), "storage → program plain: stored token ‹d00ab342›: x"),
      (.waiting, "program → others plain: wait for the refresh of another process"),
      (
        .adopted(access: "d00ab342", by: nil, age: nil), "others → program success: token ‹d00ab342›, stored"
      ),
      (
        .adopted(access: "d00ab342", by: RefreshingProcess(pid: 7, isInBackground: true), age: 65),
        "others → program success: token ‹d00ab342›, refreshed by process 7 (background refresh) 1m 5s ago"
      ),
      (
        .cutShort(began: .sample),
        "program warning: the refresh of 2026-01-02T03:04:05Z was cut short before its response was stored: "
          + "trying the old refresh token again"
      ),
      (.refreshing(because: "expired"), "program plain: refreshing: expired"),
      (
        .refreshed(access: "d00ab342", refreshTokenRotated: false, expiresAt: nil),
        "program success: refreshed: token ‹d00ab342›, expiry unknown, refresh token kept"
      ),
      (.saved(access: "d00ab342"), "program → storage plain: store token ‹d00ab342›"),
      (
        .putBack(access: "d00ab342"), "program → storage plain: store token ‹d00ab342›, kept since its refresh"
      ),
      (.refreshFailed(reason: "x"), "program failure: refresh failed: x"),
      (.retrying(reason: "x", pause: 1), "program warning: x: retrying in 1.0 s"),
      (.loginRequired(reason: "x"), "program failure: login required: x"),
      (
        .replaying(status: 401),
        "program warning: the API returned 401: refreshing the token to replay the request"
      ),
      (
        .refusedAgain(status: 401, pause: 60),
        "program warning: the API returned 401: the token was refreshed and refused again; not refreshed for 1m"
      ),
      (
        .retryingWithNonce, "program plain: the API requires a DPoP nonce: sending the request again with it"
      ),
      (.discovered(url: "https://a.example.com"), "program plain: metadata found at https://a.example.com"),
      (.revoked, "program plain: tokens revoked at the server"),
      (.cleared, "program → storage plain: remove the stored tokens"),
      (.warning("x"), "program warning: warning: x"),
    ])
  func events(_ event: AuthEvent, text: String) throws {
    #expect(try drawn(event) == text)
  }

  @Test("a difference of the clocks is a warning")
  func clock() throws {
    #expect(try drawn(.clockDiffers(by: 90)).hasPrefix("program warning: "))
  }

  @Test("texts are on one line, without characters that could control a terminal")
  func escaped() {
    for step in sequence(.hostile).steps {
      #expect(!step.text.unicodeScalars.contains { $0.drivesTerminal }, "\(step.text)")
      #expect(step.text.count < 2000)
    }
    #expect(sequence(.hostile).steps.contains { $0.text.contains(#"\u{202e}txt.exe\u{1b}[31m"#) })
  }

  @Test("every part of a request or an event that comes from elsewhere is escaped")
  func escapedParts() throws {
    let bad = "\u{1B}[31m\u{202E}"
    var exchange = TraceExchange(role: .server, method: "G" + bad, url: "https://id.example.com/")
    exchange.requestBody = TraceExchange.Body(
      text: "grant_type=\(FormEncoding.percentEncode(bad))", mediaType: "application/x-www-form-urlencoded", size: nil)
    exchange.status = 400
    exchange.responseBody = TraceExchange.Body(
      text: #"{"error":"x\u001b[31m\u202e"}"#, mediaType: "application/json", size: nil)
    var lost = TraceExchange(role: .api, method: "GET", url: "https://api.example.com/")
    lost.failure = bad
    let events: [AuthEvent] = [
      .loaded(access: bad, expiresAt: nil), .usable(access: "d00ab342", because: bad), .refreshing(because: bad),
      .refreshFailed(reason: bad), .retrying(reason: bad, pause: 1), .loginRequired(reason: bad), .discovered(url: bad),
      .warning(bad),
    ]
    let entries =
      [exchange, lost].map { entry(.exchange($0)) } + events.map { entry(.event($0)) } + [entry(.note(bad))]
    let texts = TraceSequence(entries, program: bad).steps.map(\.text)
    #expect(texts.count == 13)
    for text in texts where !text.hasPrefix("GET /") {
      #expect(text.contains(#"\u{1b}"#) && !text.unicodeScalars.contains { $0.drivesTerminal }, "\(text)")
    }
    #expect(texts[0].contains(#"(\u{1b}[31m\u{202e})"#), "\(texts[0])")
  }
}
