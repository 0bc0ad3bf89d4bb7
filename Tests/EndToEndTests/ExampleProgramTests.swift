import Foundation
import TestSupport
import Testing

@Suite("The example program of AuthCore, end to end")
struct ExampleProgramTests {
  private static let binary = Authlab.binary.deletingLastPathComponent().appending(path: "AuthCoreExample").path

  private func run(_ arguments: [String]) throws -> Outcome {
    let folder = FileManager.default.temporaryDirectory.appending(path: "example-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try ProgramRun(ExampleProgramTests.binary, arguments, environment: [:], folder: folder).wait()
  }

  @Test("everything that the articles show happens")
  func tour() throws {
    let lab = try Authlab(["--access-lifetime", "600"])
    let outcome = try run([lab.origin])
    outcome.expect(0)
    #expect(
      outcome.text == """
        logged in: Alice, alice@authlab.example, 200
        after a 401: Alice, refreshes: 1
        no content: 204, 0 bytes
        logged out: true
        events: refreshed, replaying after 401, cleared
        own server: alice
        own server, refreshed by a closure: 1
        own server, logged out, revoked: true, logouts: 1
        Basic: true
        combined, after a 503 and a 401: numbered: true, token: true
        no authentication: token: false
        adapting alone: 401
        an empty body: the API says 204, and nothing more
        something else: the API has changed: number is missing
        an error: the API says 500: status_500, no message
        a broken connection: it may have worked: look before you repeat it
        no server: the network is not there: nothing was sent
        nobody logged in: log in
        an error of our own: notFound
        200 tasks: 200 fine, refreshes: 1
        login required
        200 tasks of a dead session: 0 fine, logins wanted: 1

        """)
  }

  @Test("a server of OAuth 2.0")
  func standard() throws {
    let lab = try Authlab(["--access-lifetime", "600"])
    let outcome = try run([lab.origin, "standard"])
    #expect(outcome.text == "logged in as Alice\nlogged out: true\n", "\(outcome.error)")
  }

  @Test("a flat JSON pair: a refused token is refreshed, the handler sees it, the logout reaches the server")
  func jsonPair() throws {
    let lab = try Authlab(["--access-lifetime", "600"])
    try lab.fail(#"{"endpoint":"kind1.api","kind":"status","status":401,"count":1}"#)
    let outcome = try run([lab.origin, "json-pair"])
    #expect(outcome.text == "refreshed\nhello, alice\nlogged out: true\n", "\(outcome.error)")
    let counters = try lab.counters()
    #expect(counters["kind1.refresh.ok"] == 1 && counters["kind1.logout.ok"] == 1, "\(counters)")
    let call = try #require(try lab.lastRequests().last { $0.endpoint == "kind1.api" })
    #expect(call.header("x-auth-token") != nil && call.header("authorization") == nil)
  }

  @Test("no lifetime: a 401 costs one refresh; 204 is accepted where nothing is expected; HTTP Basic")
  func retryOn401() throws {
    let lab = try Authlab(["--access-lifetime", "600"])
    try lab.fail(#"{"endpoint":"kind2.api","kind":"status","status":401,"count":1}"#)
    let outcome = try run([lab.origin, "retry-on-401"])
    #expect(
      outcome.text == "both: [\"alice\", \"alice\"]\n204 has no user in it\nby HTTP Basic: 200\n", "\(outcome.error)")
    #expect(try lab.count("kind2.refresh.ok") == 1)
  }

  @Test("a chain of retriers: after 503 and 202 the request is sent again, after a 401 with another token")
  func retries() throws {
    let lab = try Authlab(["--access-lifetime", "600"])
    for status in [503, 202, 401, 202] {
      try lab.fail(#"{"endpoint":"api","kind":"status","status":\#(status),"count":1}"#)
    }
    let outcome = try run([lab.origin, "retries"])
    #expect(outcome.text == "the report of Alice\n", "\(outcome.error)")
    let counters = try lab.counters()
    #expect(counters["token.refresh_token.ok"] == 1, "\(counters)")
  }

  @Test("a success flag: a dead refresh token is known by its code with status 200, and a login helps")
  func successFlag() throws {
    let lab = try Authlab(["--access-lifetime", "600"])
    let body = #"{\"success\":false,\"errorCode\":\"REFRESH_TOKEN_EXPIRED\",\"message\":\"too old\"}"#
    try lab.fail(#"{"endpoint":"kind3.api","kind":"status","status":401,"count":1}"#)
    try lab.fail(#"{"endpoint":"kind3.refresh","kind":"status","status":200,"body":"\#(body)","count":1}"#)
    let outcome = try run([lab.origin, "success-flag"])
    let lines = outcome.text.split(separator: "\n")
    #expect(lines.count == 2 && lines.first?.hasPrefix("log in again: ") == true, "\(outcome.text)\(outcome.error)")
    #expect(lines.first?.contains("too old") == true && lines.last == "hello, alice")
  }

  @Test("registration, nested tokens, a storage of the program's own")
  func registerNested() throws {
    let lab = try Authlab(["--access-lifetime", "600"])
    let outcome = try run([lab.origin, "register-nested"])
    #expect(outcome.text == "registered: Ada\nlogged in as Ada <ada@x.example>\n", "\(outcome.error)")
  }

  @Test("a guest with a fitted picture, whose session the next run finds in the keyring")
  func guestEnvelope() throws {
    let place = try Workplace()
    let file = place.session.directory.appending(path: "me.ppm")
    let pixels = (0..<1500 * 1200 * 3).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
    try (Data("P6\n1500 1200\n255\n".utf8) + pixels).write(to: file)
    func run() throws -> Outcome {
      try ProgramRun(
        ExampleProgramTests.binary, [place.lab.origin, "guest-envelope", file.path],
        environment: place.session.environment, folder: place.session.directory
      ).wait()
    }
    let first = try run()
    #expect(first.text == "registered\nguest: 200\nwithout a token: 401\n", "\(first.error)")
    #expect(try run().text == "guest: 200\nwithout a token: 401\n")
    #expect(try place.lab.count("kind5.guest.ok") == 1)
    // Its items are its own: authctl has none of them.
    #expect(try place.stored("guest") == nil)
    let words = ["lookup", "application", "com.example.guestbook", "profile", "guest", "kind", "tokens"]
    let pair = try JSONObject(Data(try place.session.run("secret-tool", words).utf8))
    let token = try #require(pair.string("access_token"))
    let me = try place.lab.send("GET", "/kind5/api/me", headers: [("Authorization", "Bearer \(token)")])
    #expect(try JSONObject(me.body).object("image").string("type") == "image/jpeg")
  }

  @Test("of twenty processes for each of two sessions with an expired token, one exchanges the token of each")
  func sharedSession() throws {
    let place = try Workplace()
    func start(_ name: String) throws -> ProgramRun {
      try ProgramRun(
        ExampleProgramTests.binary, [place.lab.origin, "shared-session", name],
        environment: place.session.environment, folder: place.session.directory)
    }
    for name in ["one", "two"] { #expect(try start(name).wait().text == "hello, alice\n") }
    #expect(try place.lab.count("kind1.login.ok") == 2)
    try place.lab.expireAccessTokens()
    let runs = try (0..<40).map { try start($0.isMultiple(of: 2) ? "one" : "two") }
    for run in runs {
      let outcome = try run.wait(seconds: 600)
      #expect(outcome.text == "hello, alice\n", "\(outcome.error)")
    }
    let counters = try place.lab.counters()
    #expect(counters["kind1.refresh.ok"] == 2 && counters["kind1.login.ok"] == 2, "\(counters)")
    // The lock is where the manual of the library says.
    let state = place.session.environment["XDG_STATE_HOME"] ?? "\(place.session.environment["HOME"] ?? "")/.local/state"
    let locks = try FileManager.default.contentsOfDirectory(atPath: state + "/com.example.app/locks")
    #expect(locks.sorted() == ["one.lock", "two.lock"])
  }

  @Test("the log of a login, calls, a refresh and a logout has every request and no secret")
  func loggedRequests() throws {
    let lab = try Authlab(["--access-lifetime", "600"])
    try lab.fail(#"{"endpoint":"api","kind":"status","status":401,"count":1}"#)
    let outcome = try run([lab.origin, "logged-requests"])
    #expect(outcome.text == "logged in as Alice\nlogged out: true\n", "\(outcome.error)")
    let log = outcome.error
    let bearer = "Authorization: Bearer ‹redacted "
    for part in ["/token: 200 in ", "GET \(lab.origin)/api/me: 401 in ", "GET \(lab.origin)/api/me: 200 in ", bearer] {
      #expect(log.contains(part), "\(log)")
    }
    #expect(log.contains("/revoke: 200 in ") && log.contains("alice@authlab.example"), "\(log)")
    let issued = try JSONDecoder().decode([String].self, from: lab.send("GET", "/control/secrets").body)
    #expect(issued.count >= 4)
    for secret in issued + [Workplace.password] { #expect(!log.contains(secret), "\(log)") }
  }

  @Test("the record of a login and a request is a valid archive without a secret")
  func recordedFlow() throws {
    let lab = try Authlab(["--access-lifetime", "600"])
    let outcome = try run([lab.origin, "recorded-trace"])
    outcome.expect(0)
    let folder = try TemporaryDirectory()
    let check = try PythonServer.run("check_har.py", [try folder.write(outcome.text, to: "flow.har")]).wait()
    #expect(check.status == 0 && check.text.contains("\"url\": \"\(lab.origin)/api/me\""), "\(check.error)")
    let issued = try JSONDecoder().decode([String].self, from: lab.send("GET", "/control/secrets").body)
    for secret in issued + [Workplace.password] { #expect(!outcome.text.contains(secret), "\(outcome.text)") }
  }

  @Test("without an address it says how it is called")
  func usage() throws {
    let outcome = try run([])
    #expect(outcome.status == 2 && outcome.text == "usage: AuthCoreExample ORIGIN [PROGRAM [FILE]]\n")
  }
}
