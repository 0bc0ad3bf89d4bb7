import Foundation
import TestSupport
import Testing

/// What servers in the field do beyond the RFCs; the numbers are those of the list of observations, real-servers.md.
/// Numbers that are not here stand in the names of the tests of the part that they concern.
@Suite("behaviour of real servers, end to end")
struct RealServersTests {
  // MARK: - Refresh

  @Test("one refresh token and many processes, at a server whose old access token dies at once (real-servers.md, 1, 7)")
  func manyProcesses() throws {
    let place = try Workplace.loggedIn("", lab: ["--access-lifetime", "1"])
    try place.lab.change(#"{"access_lifetime":600,"refresh_kills_access_token":true}"#)
    try place.waitForExpiry()
    let runs = try (0..<10).map { _ in try place.start(["call", "me"]) }
    let outcomes = try runs.map { try $0.wait() }
    #expect(outcomes.allSatisfy { $0.status == 0 }, "\(outcomes.map(\.error))")
    let counters = try place.lab.counters()
    #expect(counters["token.refresh_token"] == 1)
    #expect(counters["reuse_detected"] == nil)
  }

  @Test(
    "the old access token dead at once, or alive: after a refresh the new one is used (real-servers.md, 7)",
    arguments: [true, false])
  func oldToken(dies: Bool) throws {
    let place = try Workplace.loggedIn()
    try place.lab.change(#"{"refresh_kills_access_token":\#(dies)}"#)
    #expect(try place.run("refresh", "work").status == 0)
    #expect(try place.run("call", "me").status == 0)
    #expect(try place.lab.count("api.401") == 0)
  }

  @Test("a 500 that passes: the same token again after more than a second (real-servers.md, 2, 34)")
  func clash() throws {
    let place = try Workplace.loggedIn()
    try place.response(at: "token", "status", ["status": 500, "count": 1])
    #expect(try place.run("refresh", "work").status == 0)
    let requests = try place.lab.lastRequests().filter { $0.endpoint == "token.refresh_token" }
    try #require(requests.count == 2)
    #expect(requests[0].form == requests[1].form)
    #expect(requests[1].receivedAt - requests[0].receivedAt > 1)
  }

  @Test(
    "a refresh token that another client has spent: a login is required, whatever the error (real-servers.md, 3)",
    arguments: ["strict", "one-use"], ["invalid-grant", "empty"])
  func spent(reuse: String, response: String) throws {
    let place = try Workplace.loggedIn()
    try place.lab.change(#"{"reuse":"\#(reuse)","dead_refresh_token":"\#(response)"}"#)
    let token = try #require(try place.pair().string("refresh_token"))
    let form = [(name: "grant_type", value: "refresh_token"), ("refresh_token", token), ("client_id", "cli")]
    #expect(try place.lab.post("/token", form: form).status == 200)
    let outcome = try place.run("refresh", "work")
    outcome.expect(3, error: "authctl login work")
  }

  @Test("403 with an empty body at a refresh: the client is refused, the pair stays (real-servers.md, 3)")
  func emptyForbidden() throws {
    let place = try Workplace.loggedIn()
    let before = try place.stored()
    try place.response(at: "token", "empty", ["status": 403])
    let outcome = try place.run("refresh", "work")
    outcome.expect(6, error: "client_id")
    #expect(try place.stored() == before)
  }

  @Test("a server that returns the same refresh token: it is kept, and used the next time (real-servers.md, 4)")
  func sameRefreshToken() throws {
    let place = try Workplace.loggedIn()
    try place.lab.change(#"{"same_refresh_token":true}"#)
    let before = try place.pair()
    for _ in 0..<2 { #expect(try place.run("refresh", "work").status == 0) }
    let after = try place.pair()
    #expect(after.string("refresh_token") == before.string("refresh_token"))
    #expect(after.string("access_token") != before.string("access_token"))
  }

  @Test(
    "a refresh token that expires with the access token: an early refresh keeps the session (real-servers.md, 5)")
  func shortRefreshToken() throws {
    // Most of the life is left for the call, which may begin late on a busy machine.
    let arguments = ["--access-lifetime", "10", "--refresh-lifetime", "10"]
    let place = try Workplace.loggedIn("refresh_before = \"9s\"", lab: arguments)
    for _ in 0..<2 {
      let token = try #require(try place.pair().string("access_token"))
      let end = try Date(try #require(try place.pair().string("expires_at")), strategy: .iso8601)
      try Waiting.until("less than nine seconds") { end.timeIntervalSinceNow < 8.9 }
      #expect(try place.run("call", "me").status == 0)
      // A call waits two seconds for it; on a machine that is busy it may come in the background.
      try Waiting.until("the refresh") { try place.pair().string("access_token") != token }
    }
    // What is stored is in whole seconds, what the server counts is not.
    let end = try Date(try #require(try place.pair().string("expires_at")), strategy: .iso8601)
    try Waiting.until("the end of both") { end.timeIntervalSinceNow < -1.1 }
    let outcome = try place.run("call", "me")
    outcome.expect(3)
  }

  @Test("expires_in differs from response to response, in value and form (real-servers.md, 6)")
  func changingExpiry() throws {
    let place = try Workplace.loggedIn("refresh_before = \"0s\"", lab: ["--access-lifetime", "600"])
    func left() throws -> Double? {
      try place.pair().string("expires_at").map { try Date($0, strategy: .iso8601).timeIntervalSinceNow }
    }
    for (settings, expected) in [
      (#"{"announced_lifetime":10}"#, 10.0), (#"{"announced_lifetime":3600}"#, 3600),
      (#"{"announced_lifetime":0,"expires_in":"string"}"#, 600), (#"{"expires_in":"float"}"#, 600),
    ] {
      try place.lab.change(settings)
      #expect(try place.run("refresh", "work").status == 0)
      let left = try #require(try left())
      #expect(((expected - 30)...expected).contains(left), "\(settings): \(left)")
    }
    try place.lab.change(#"{"expires_in":"absent"}"#)
    #expect(try place.run("refresh", "work").status == 0)
    #expect(try left() == nil)
  }

  // MARK: - Responses

  @Test(
    "an ID token that comes at the login only: the user's name is kept (real-servers.md, 8)",
    arguments: [true, false])
  func idTokenAtRefresh(comes: Bool) throws {
    let place = try Workplace.loggedIn("scope = [\"openid\", \"api\"]")
    try place.lab.change(#"{"id_token_in_refresh":\#(comes)}"#)
    #expect(try place.run("refresh", "work").status == 0)
    #expect(try place.pair().string("subject") == "alice")
  }

  @Test("the device grant without an ID token although openid was asked for (real-servers.md, 8)")
  func deviceWithoutIDToken() throws {
    let place = try Workplace()
    try place.response(at: "token.device_code", "malformed", ["body": #"{"access_token":"T","scope":"openid api"}"#])
    let run = try place.startDeviceLogin(["--scope", "openid"])
    let outcome = try run.wait()
    outcome.expect(0, error: "the server sent no ID token")
    #expect(outcome.error.components(separatedBy: "warning").count == 2, "\(outcome.error)")
  }

  @Test(
    "errors outside the RFC: refused or to be tried again, with the server's word (real-servers.md, 10)",
    arguments: [
      (400, "scope_invalid", Int32(6)), (403, "invalid_code", 6), (401, "missing_authorization", 6),
      (404, "device_not_found", 6), (400, "invalid_request", 6), (400, "internal_server_error", 6),
      (500, "internal_server_error", 5),
    ])
  func strangeErrors(status: Int, code: String, exit: Int32) throws {
    let place = try Workplace.loggedIn()
    let before = try place.stored()
    try place.response(at: "token", "status", ["status": status, "body": #"{"error":"\#(code)"}"#])
    for outcome in [try place.run("refresh", "work"), try place.passwordLogin()] {
      #expect(outcome.status == exit, "\(outcome.error)")
      #expect(outcome.error.contains("\(status), \(code)"), "\(outcome.error)")
    }
    #expect(try place.stored() == before)
  }

  @Test("less scope than asked, or not a word about it (real-servers.md, 11)", arguments: [true, false])
  func scope(isSaid: Bool) throws {
    let place = try Workplace()
    try place.makeProfile("work", "scope = [\"read\", \"write\"]")
    try place.lab.change(#"{"granted_scope":"read","scope_in_response":\#(isSaid)}"#)
    let outcome = try place.passwordLogin()
    outcome.expect(0)
    #expect(outcome.error.contains("did not grant: write") == isSaid, "\(outcome.error)")
    #expect(try place.pair().string("scope") == (isSaid ? "read" : "read write"))
  }

  // MARK: - Logging in

  @Test("a redirect URI that must match as it is registered: host, port and path (real-servers.md, 13)")
  func exactRedirectURI() throws {
    let port = try FreePort.find()
    let registered = "http://localhost:\(port)/back"
    let place = try Workplace(lab: ["--redirect-uri", registered, "--exact-redirect-uri"])
    let other = place.browserLogin(["--redirect-uri", "http://127.0.0.1:\(port)/back", "--timeout", "1s"])
    let refused = try place.run(other, environment: place.browser())
    refused.expect(6)
    #expect(
      refused.error.contains("refuses http://127.0.0.1:\(port)/back for client cli (400)\n  register it"),
      "\(refused.error)")
    let outcome = try place.run(place.browserLogin(["--redirect-uri", registered]), environment: place.browser())
    outcome.expect(0)
  }

  @Test("no redirect, ever: the login ends by its own time-out (real-servers.md, 14)")
  func noRedirect() throws {
    let place = try Workplace()
    try place.lab.change(#"{"authorization_oddity":"no-redirect"}"#)
    let outcome = try place.run(place.browserLogin(["--timeout", "1s"]), environment: place.browser())
    outcome.expect(5, error: "did not return within 1s")
  }

  @Test(
    "a code is sent once, whether the server fails before or after it has taken it (real-servers.md, 16)",
    arguments: [
      ("status", ["status": 503]), ("drop", [:]), ("drop", ["after": true]), ("truncate", [:]),
      ("status", ["status": 403, "body": #"{"error":"invalid_code"}"#]),
    ] as [(String, [String: any Sendable])])
  func codeOnce(kind: String, members: [String: any Sendable]) throws {
    let place = try Workplace()
    try place.response(at: "token.authorization_code", kind, members)
    let outcome = try place.run(place.browserLogin(), environment: place.browser())
    #expect(outcome.status == (members["status"] as? Int == 403 ? 6 : 5), "\(outcome.error)")
    #expect(try place.lab.count("token.authorization_code") == 1)
    #expect(try place.stored() == nil)
  }

  // MARK: - Discovery

  @Test(
    "two documents of which each lacks something, or one alone: all is found (real-servers.md, 19)",
    arguments: [
      #"{"oauth_discovery_omits":["token_endpoint"],"openid_discovery_omits":["revocation_endpoint"]}"#,
      #"{"oauth_discovery_omits":["revocation_endpoint"],"openid_discovery_omits":["token_endpoint"]}"#,
      #"{"oauth_discovery":false}"#, #"{"openid_discovery":false}"#,
    ])
  func twoDocuments(settings: String) throws {
    let place = try Workplace()
    try place.lab.change(settings)
    try place.makeProfile()
    let outcome = try place.passwordLogin()
    outcome.expect(0)
    #expect(try place.run("logout", "work").status == 0)
    #expect(try place.lab.count("revoke.ok") == 2)
  }

  @Test(
    "an issuer with a path: before it in RFC 8414, after it in OpenID Connect (real-servers.md, 19)",
    arguments: ["oauth", "openid"])
  func issuerPath(document: String) throws {
    let place = try Workplace()
    try place.lab.change(#"{"issuer_path":"/tenant","\#(document)_discovery":false}"#)
    try place.makeProfile("work", "issuer = \"\(place.lab.origin)/tenant\"")
    let outcome = try place.passwordLogin()
    outcome.expect(0)
  }

  @Test("an endpoint of the profile goes before that of the metadata (real-servers.md, 19)")
  func statedEndpoint() throws {
    let place = try Workplace()
    let other = try Authlab()
    try place.makeProfile("work", "", tables: "[endpoints]\ntoken = \"\(other.origin)/token\"\n")
    let outcome = try place.passwordLogin()
    outcome.expect(0)
    #expect(try place.lab.count("token") == 0)
    #expect(try other.count("token.password.ok") == 1)
  }

  @Test("grants and methods that the metadata does not list are tried all the same (real-servers.md, 20)")
  func unlisted() throws {
    let place = try Workplace()
    let members: [String: Any] = [
      "grant_types_supported": ["implicit"], "token_endpoint_auth_methods_supported": ["private_key_jwt"],
      "scopes_supported": ["openid"], "code_challenge_methods_supported": ["plain"], "response_types_supported": [],
    ]
    try place.response(at: "discovery", "malformed", ["body": try place.metadata(members)])
    try place.makeProfile()
    #expect(try place.passwordLogin().status == 0)
    #expect(
      try place.run(place.browserLogin().map { $0 == "work" ? "other" : $0 }, environment: place.browser()).status == 0)
  }

  // MARK: - APIs

  @Test(
    "an expired token that the API refuses with a status that the profile names: refreshed (real-servers.md, 22, 30)",
    arguments: [400, 403])
  func otherStatus(status: Int) throws {
    let place = try Workplace.loggedIn("refresh_on = [401, \(status)]")
    try place.lab.change(#"{"expired_status":\#(status),"challenge":"absent"}"#)
    try place.lab.expireAccessTokens()
    #expect(try place.run("call", "me").json().string("sub") == "alice")
    #expect(try place.lab.count("token.refresh_token.ok") == 1)
  }

  @Test("a token that was revoked looks different from an expired one: refreshed all the same (real-servers.md, 22)")
  func revoked() throws {
    let place = try Workplace.loggedIn()
    let body: [String: Any] = ["status": 401, "body": "token revoked", "content_type": "text/plain", "count": 1]
    try place.response(at: "api", "status", body)
    #expect(try place.run("call", "me").json().string("sub") == "alice")
    #expect(try place.lab.count("token.refresh_token.ok") == 1)
  }
}
