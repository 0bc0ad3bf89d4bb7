package import AuthCore
import Foundation

/// Recorded flows, as the recorder makes them: with fingerprints in place of tokens.
package struct TraceSample: Sendable, CustomStringConvertible {
  /// The name of the files with its diagrams.
  package let name: String
  /// The steps.
  package private(set) var entries: [TraceEntry] = []

  package var description: String { name }

  package static let all = [login, valid, refused, storm, failing, batch, hostile]

  private init(_ name: String) { self.name = name }

  // MARK: - Steps

  private mutating func add(_ milliseconds: Double, background: Bool = false, _ step: TraceEntry.Step) {
    entries.append(
      TraceEntry(
        number: entries.count + 1, time: .sample.addingTimeInterval(milliseconds / 1000), offset: milliseconds / 1000,
        process: background ? 4242 : 4200, isInBackground: background, step: step))
  }

  private mutating func event(_ milliseconds: Double, background: Bool = false, _ event: AuthEvent) {
    add(milliseconds, background: background, .event(event))
  }

  private mutating func api(
    _ milliseconds: Double, _ method: String, _ path: String, token: String, status: Int, total: Double,
    body: String = "{}"
  ) {
    var exchange = TraceExchange(role: .api, method: method, url: "https://api.example.com" + path)
    exchange.requestFields = [
      TraceExchange.Field(name: "Host", value: "api.example.com"), TraceExchange.Field(name: "Accept", value: "*/*"),
      TraceExchange.Field(name: "Authorization", value: "Bearer ‹redacted \(token)›"),
    ]
    TraceSample.respond(&exchange, status: status, total: total, body: body)
    if status == 401 {
      exchange.responseFields.append(
        TraceExchange.Field(name: "WWW-Authenticate", value: #"Bearer error="invalid_token", scope="items.read""#))
    }
    add(milliseconds, .exchange(exchange))
  }

  private mutating func server(
    _ milliseconds: Double, _ method: String, _ path: String, form: String? = nil, status: Int = 200, total: Double,
    body: String, background: Bool = false
  ) {
    var exchange = TraceExchange(role: .server, method: method, url: "https://id.example.com" + path)
    exchange.requestFields = [
      TraceExchange.Field(name: "Host", value: "id.example.com"),
      TraceExchange.Field(name: "Accept", value: "application/json"),
    ]
    if let form {
      let type = "application/x-www-form-urlencoded"
      exchange.requestFields.append(TraceExchange.Field(name: "Content-Type", value: type))
      exchange.requestBody = TraceExchange.Body(text: form, mediaType: type, size: Int64(form.utf8.count))
    }
    TraceSample.respond(&exchange, status: status, total: total, body: body)
    add(milliseconds, background: background, .exchange(exchange))
  }

  private static func respond(_ exchange: inout TraceExchange, status: Int, total: Double, body: String) {
    exchange.httpVersion = "2"
    exchange.status = status
    exchange.responseFields = [
      TraceExchange.Field(name: "content-type", value: "application/json"),
      TraceExchange.Field(name: "content-length", value: "\(body.utf8.count)"),
    ]
    exchange.responseBody = TraceExchange.Body(
      text: body, mediaType: "application/json", size: Int64(body.utf8.count))
    exchange.timings = TraceExchange.Timings(total: total)
    exchange.timings.dns = total * 0.05
    exchange.timings.connect = total * 0.15
    exchange.timings.tls = total * 0.25
    exchange.timings.wait = total * 0.47
    exchange.timings.receive = total * 0.08
    exchange.remote = "192.0.2.7:443"
  }

  private static func tokens(_ access: String, _ refresh: String) -> String {
    #"{"access_token":"‹opaque, 43 chars, \#(access)›","token_type":"Bearer","expires_in":300,"#
      + #""refresh_token":"‹opaque, 43 chars, \#(refresh)›"}"#
  }

  // MARK: - Flows

  /// A login in a browser.
  package static let login: TraceSample = {
    var flow = TraceSample("login")
    flow.server(
      4, "GET", "/.well-known/oauth-authorization-server", total: 61,
      body: #"{"issuer":"https://id.example.com","token_endpoint":"https://id.example.com/token"}"#)
    flow.event(66, .discovered(url: "https://id.example.com/.well-known/oauth-authorization-server"))
    let fields = [
      ("response_type", "code"), ("client_id", "cli"), ("redirect_uri", "http://127.0.0.1:4711/callback"),
      ("scope", "openid offline_access items.read"), ("state", "‹43 chars›"), ("nonce", "‹43 chars›"),
      ("resource", "https://api.example.com"),
    ].map { TraceExchange.Field(name: $0, value: $1) }
    flow.add(
      70,
      .visit(
        TraceVisit(note: "waiting for the browser", url: "https://id.example.com/authorize", fields: fields)))
    flow.add(
      9_412,
      .visit(
        TraceVisit(note: "the browser has returned", url: "http://127.0.0.1:4711/callback", isReturn: true)))
    flow.server(
      9_415, "POST", "/token",
      form: "grant_type=authorization_code&code=‹opaque, 22 chars, 0f4e9a11›&client_id=cli"
        + "&code_verifier=‹opaque, 43 chars, 77aa01c2›&redirect_uri=http%3A%2F%2F127.0.0.1%3A4711%2Fcallback",
      total: 38, body: tokens("d00ab342", "1b8885b8"))
    flow.event(9_455, .saved(access: "d00ab342"))
    return flow
  }()

  /// A call with a valid token.
  package static let valid: TraceSample = {
    var flow = TraceSample("valid")
    flow.event(11, .loaded(access: "d00ab342", expiresAt: .sample.addingTimeInterval(252)))
    flow.event(12, .usable(access: "d00ab342", because: "it is valid for 4m 12s"))
    flow.api(13, "GET", "/v1/me?verbose=1", token: "d00ab342", status: 200, total: 42, body: #"{"name":"Alice"}"#)
    return flow
  }()

  /// A call that the API refuses: the background refreshes, and the request is replayed.
  package static let refused: TraceSample = {
    var flow = TraceSample("refused")
    flow.event(14, .loaded(access: "d00ab342", expiresAt: .sample.addingTimeInterval(252)))
    flow.event(15, .usable(access: "d00ab342", because: "it is valid for 4m 12s"))
    flow.api(
      16, "POST", "/v1/items", token: "d00ab342", status: 401, total: 23,
      body: #"{"error":"invalid_token"}"#)
    flow.event(40, .replaying(status: 401))
    flow.event(43, .refreshing(because: "the API refused the token"))
    flow.server(
      52, "POST", "/token", form: "grant_type=refresh_token&refresh_token=‹opaque, 43 chars, 1b8885b8›&client_id=cli",
      total: 31, body: tokens("5da77486", "c0ffee12"), background: true)
    flow.event(
      84, background: true,
      .refreshed(access: "5da77486", refreshTokenRotated: true, expiresAt: .sample.addingTimeInterval(300)))
    flow.event(91, background: true, .saved(access: "5da77486"))
    flow.api(95, "POST", "/v1/items", token: "5da77486", status: 201, total: 19, body: #"{"id":7,"tags":["a","b"]}"#)
    return flow
  }()

  /// A call while another process refreshes the token.
  package static let storm: TraceSample = {
    var flow = TraceSample("storm")
    flow.event(9, .loaded(access: "d00ab342", expiresAt: .sample.addingTimeInterval(-3)))
    flow.event(10, .waiting)
    flow.event(181, .loaded(access: "5da77486", expiresAt: .sample.addingTimeInterval(300)))
    flow.event(182, .adopted(access: "5da77486", by: RefreshingProcess(pid: 4300, isInBackground: true), age: 0))
    flow.api(184, "GET", "/v1/me", token: "5da77486", status: 200, total: 17)
    return flow
  }()

  /// A refresh at a server that fails, and then refuses.
  package static let failing: TraceSample = {
    var flow = TraceSample("failing")
    let form = "grant_type=refresh_token&refresh_token=‹opaque, 43 chars, 1b8885b8›&client_id=cli"
    flow.event(9, .loaded(access: "d00ab342", expiresAt: .sample.addingTimeInterval(-3)))
    flow.event(11, .refreshing(because: "the token has expired"))
    var lost = TraceExchange(role: .server, method: "POST", url: "https://id.example.com/token")
    lost.requestBody = TraceExchange.Body(text: form, mediaType: "application/x-www-form-urlencoded", size: 90)
    lost.failure = "connection refused"
    lost.timings = TraceExchange.Timings(total: 2)
    flow.add(20, background: true, .exchange(lost))
    flow.event(23, background: true, .retrying(reason: "connection refused", pause: 1))
    flow.server(
      1_024, "POST", "/token", form: form, status: 503, total: 12, body: #"{"error":"temporarily_unavailable"}"#,
      background: true)
    flow.event(1_037, background: true, .retrying(reason: "the server returned 503", pause: 2))
    flow.server(
      3_040, "POST", "/token", form: form, status: 400, total: 12, body: #"{"error":"invalid_grant"}"#,
      background: true)
    flow.event(3_053, background: true, .loginRequired(reason: "invalid_grant: the session has ended"))
    return flow
  }()

  /// A batch whose requests overlap; the entries are in the order of the responses.
  package static let batch: TraceSample = {
    var flow = TraceSample("batch")
    flow.event(11, .loaded(access: "d00ab342", expiresAt: .sample.addingTimeInterval(252)))
    flow.api(16, "GET", "/v1/items/2", token: "d00ab342", status: 404, total: 8, body: #"{"error":"no such item"}"#)
    flow.api(14, "GET", "/v1/items/1", token: "d00ab342", status: 200, total: 31)
    flow.api(24, "GET", "/v1/items/3", token: "d00ab342", status: 200, total: 40)
    return flow
  }()

  /// A server whose texts try to leave the place that they are shown at.
  package static let hostile: TraceSample = {
    var flow = TraceSample("hostile")
    let words =
      "</style></pre><script>alert(1)</script> ]]> \"'&amp; %%{init:{}}%% -->> ; end\nparticipant x # `a` $$b$$ "
      + "\u{202E}txt.exe\u{1B}[31m style:#59; 日本語 ‹00000000› ‹x"
    flow.event(3, .warning(words))
    var exchange = TraceExchange(role: .server, method: "GET", url: "https://id.example.com/%22%3E;#--x`y`%%{z}")
    TraceSample.respond(&exchange, status: 400, total: 5, body: #"{"error":"<b>;--></b>","more":"]]>"}"#)
    exchange.responseFields.append(TraceExchange.Field(name: "x-<i>", value: words))
    exchange.remote = "\"><img src=x>"
    flow.add(5, .exchange(exchange))
    var other = TraceExchange(role: .api, method: "GET<b>", url: "https://api.example.com/\"'<script>")
    other.failure = words
    other.requestBody = TraceExchange.Body(text: words, mediaType: "text/html", size: 1_000_000, isCut: true)
    flow.add(12, .exchange(other))
    flow.add(13, .note(words))
    return flow
  }()
}
