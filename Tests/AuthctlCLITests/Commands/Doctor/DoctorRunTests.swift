import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import AuthCore
@testable import AuthctlCLI

@Suite("DoctorRun") struct DoctorRunTests {
  /// The results, of which each problem names a command. What a keyring reports is the store's, which is a fake here.
  private func checks(
    _ place: Workplace, _ arguments: String..., environment: [String: String] = [:]
  ) async throws -> [JSONObject] {
    let rows = try await JSONObject.array(
      place.run(["doctor", "--json"] + arguments, environment: environment).output)
    for row in rows where row.string("level") != "ok" && row.integer("exit") != 4 {
      let hint = row.string("hint") ?? ""
      #expect(
        ["authctl ", "run: ", "chmod ", "unset ", "set XDG_STATE_HOME "].contains { hint.contains($0) }, "\(row)")
    }
    return rows
  }

  private func find(_ check: String, _ level: String, in rows: [JSONObject]) -> JSONObject? {
    rows.first { $0.string("check") == check && $0.string("level") == level }
  }

  private let plainHTTP = "plain http (loopback only)"

  // MARK: - The report

  @Test("without a profile: the machine's checks, no problem, status 0, nothing is sent")
  func machine() async throws {
    let place = try Workplace()
    let outcome = try await place.run("doctor")
    #expect(outcome.status == 0 && outcome.error.isEmpty)
    let words = outcome.text.split(separator: "\n").map { $0.prefix { $0 != ":" } }
    #expect(
      words == ["no problem found", "✓ bus", "✓ keyring", "✓ collection", "✓ unlocked", "✓ lock", "✓ files"],
      "\(outcome.text)")
    #expect(place.network.sent == 0)
  }

  @Test("a set-up that works: every check, warnings only for plain http and the password flow, status 0")
  func well() async throws {
    let place = try await Workplace.loggedIn("scope = [\"api\", \"offline_access\"]")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: place.file().path)
    let before = try place.stored()
    let rows = try await checks(place, "work")
    #expect(
      rows.filter { $0.string("level") == "warning" }.map { $0.string("check") } == ["settings", "settings"])
    let fine = rows.filter { $0.string("level") == "ok" }.compactMap { $0.string("check") }
    #expect(
      fine == [
        "bus", "keyring", "collection", "unlocked", "lock", "files", "clock", "connection", "metadata", "client",
        "scope", "session", "api",
      ], "\(fine)")
    #expect(rows.allSatisfy { $0.string("message")?.isEmpty == false })
    #expect(rows.allSatisfy { $0.integer("exit") == 0 && ($0.string("level") == "ok") == ($0.string("hint") == "") })
    #expect(
      rows.allSatisfy {
        $0.isNull("profile")
          == ["bus", "keyring", "collection", "unlocked", "lock", "files"]
          .contains($0.string("check"))
      })
    #expect(try place.stored() == before)
  }

  @Test("SSLKEYLOGFILE is a warning of the machine, and a line of -v")
  func keyLog() async throws {
    let place = try await Workplace.loggedIn()
    let variable = ["SSLKEYLOGFILE": "/tmp/keys"]
    let rows = try await checks(place, "--offline", environment: variable)
    let row = try #require(find("tls", "warning", in: rows))
    #expect(
      row.string("message")?.contains("SSLKEYLOGFILE is set: the keys of TLS connections go to /tmp/keys") == true)
    #expect(row.string("hint") == "unset SSLKEYLOGFILE")
    let log = try await place.run("call", "-v", "me", environment: ["SSLKEYLOGFILE": "/tmp/keys"])
    #expect(log.error.contains("* SSLKEYLOGFILE is set"), "\(log.error)")
    #expect(try await !place.run("call", "-v", "me").error.contains("SSLKEYLOGFILE"))
  }

  @Test("errors come first, then warnings, then the rest; each problem has a hint; the first error's status")
  func order() async throws {
    let place = try await Workplace.loggedIn()
    try place.makeProfile("out")
    try await place.lab.change(#"{"announced_issuer":"https://other.example"}"#)
    let outcome = try await place.run("doctor")
    #expect(outcome.status == 6)
    let lines = outcome.text.split(separator: "\n").map(String.init)
    let marks = lines.filter { !$0.hasPrefix("    ") }.compactMap(\.first)
    let levels = marks.compactMap { "✗!✓".firstIndex(of: $0) }
    #expect(levels.count == marks.count && levels == levels.sorted())
    #expect(lines[0].hasPrefix("✗ out: metadata: ") && lines[2].hasPrefix("✗ work: metadata: "), "\(lines)")
    #expect(lines[4] == "✗ out: session: not logged in" && lines[5] == "    run: authctl login out")
    #expect(!outcome.text.contains("\u{1B}") && outcome.error.isEmpty)
    #expect(try await place.run("doctor", "--color", "always").text.contains("\u{1B}[31m✗\u{1B}[0m"))
    #expect(try await place.run("doctor", "out", "--offline").status == 3)
    #expect(try await place.run("doctor", "-p", "none").status == 2)
  }

  @Test("--offline sends nothing, and checks what is here")
  func offline() async throws {
    let place = try await Workplace.loggedIn()
    let sent = place.network.sent
    let rows = try await checks(place, "--offline")
    #expect(place.network.sent == sent)
    #expect(find("session", "ok", in: rows) != nil && find("client", "ok", in: rows) == nil)
  }

  @Test("nothing is refreshed, and no token, code or secret is printed, with -v neither")
  func secrecy() async throws {
    let place = try await Workplace.loggedIn(lab: ["--access-lifetime", "1"])
    try place.waitForExpiry()
    let outcome = try await place.run("doctor", "-v")
    let pair = try place.pair()
    for secret in [pair.string("access_token"), pair.string("refresh_token")] {
      #expect(!(outcome.text + outcome.error).contains(try #require(secret)))
    }
    #expect(outcome.text.contains("the access token expired 1s ago, can be refreshed"), "\(outcome.text)")
    #expect(try await place.lab.count("token.refresh_token") == 0)
    #expect(try await place.lab.count("token.authorization_code.invalid_grant") == 1)
    #expect(try await place.lab.lastRequests().filter { $0.target == "/api" }.count == 1)
  }

  // MARK: - The machine

  @Test(
    "a keyring that can't be used: the check that fails, those before it, and status 4",
    arguments: [
      (.noBus, "bus", 0), (.noService, "keyring", 1), (.noCollection, "collection", 2), (.locked, "unlocked", 3),
      (.promptDismissed, "unlocked", 3), (.timedOut, "keyring", 1), (.refused, "keyring", 1),
    ] as [(StorageFault, String, Int)])
  func keyring(fault: StorageFault, check: String, passing: Int) async throws {
    let place = try Workplace(.failing(fault))
    try place.makeProfile()
    #expect(try await place.run("doctor").status == 4)
    let rows = try await checks(place)
    let error = try #require(rows.first)
    #expect(error.string("check") == check && error.integer("exit") == 4 && error.isNull("profile"))
    #expect(error.string("hint")?.contains("check the keyring") == true)
    // It names the program that may have to be restarted.
    let namesProgram = error.string("hint")?.contains("busctl --user status org.freedesktop.secrets") == true
    #expect(namesProgram == [.timedOut, .refused].contains(fault))
    let fine = rows.filter { $0.string("level") == "ok" }.compactMap { $0.string("check") }
    #expect(["bus", "keyring", "collection"].filter { fine.contains($0) }.count == passing)
    // The cause is named once.
    #expect(rows.count { $0.string("level") == "error" } == 1 || fault == .refused)
  }

  @Test("a lock folder that is a file, folder and files that others may change: named with the command that helps")
  func files() async throws {
    let place = try await Workplace.loggedIn()
    try FileManager.default.setAttributes([.posixPermissions: 0o622], ofItemAtPath: place.file().path)
    var rows = try await checks(place, "--offline")
    let file = try #require(find("files", "error", in: rows))
    #expect(file.integer("exit") == 2 && file.string("profile") == "work")
    #expect(file.string("hint") == "run: chmod go-w \(place.file().path)")
    let folder = place.file().deletingLastPathComponent().path
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: place.file().path)
    rows = try await checks(place, "--offline")
    #expect(rows.filter { $0.string("level") == "error" }.map { $0.string("hint") } == ["run: chmod go-w \(folder)"])
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
    let configuration = try place.file("c/authctl/config.toml", holding: "")
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: configuration)
    rows = try await checks(place, "--offline")
    #expect(
      find("files", "error", in: rows)?.string("hint")?.contains("chmod go-w \(configuration)") == true, "\(rows)")
    try FileManager.default.removeItem(atPath: configuration)
    let locks = place.folder.appending(path: "s/authctl/locks")
    try FileManager.default.removeItem(at: locks)
    try Data().write(to: locks)
    rows = try await checks(place, "--offline")
    #expect(find("lock", "error", in: rows)?.integer("exit") == 1)
  }

  @Test("a profile that can't be parsed: its error, and the others are checked")
  func broken() async throws {
    let place = try await Workplace.loggedIn()
    try place.write("issuer = 1\n", as: "bad")
    let rows = try await checks(place, "--offline")
    let error = try #require(find("settings", "error", in: rows))
    #expect(error.string("profile") == "bad" && error.integer("exit") == 2)
    #expect(error.string("hint")?.hasSuffix("run: authctl profile edit bad") == true)
    #expect(find("session", "ok", in: rows)?.string("profile") == "work")
  }

  // MARK: - The server

  @Test(
    "a server that is gone, never responds, or fails: one error, and nothing more about it",
    arguments: [
      ("", "connection", "connection refused"),
      (#"{"endpoint":"*","kind":"hang"}"#, "connection", "no complete response within"),
      (#"{"endpoint":"*","kind":"drop"}"#, "connection", "empty reply"),
      (#"{"endpoint":"discovery","kind":"hang"}"#, "metadata", "no complete response within"),
      (#"{"endpoint":"discovery","kind":"status","status":503}"#, "metadata", "returned 503"),
    ])
  func unavailable(fault: String, check: String, reason: String) async throws {
    let place = try await Workplace.loggedIn()
    if fault.isEmpty { place.lab.stop() } else { try await place.lab.fail(fault) }
    let rows = try await checks(place)
    let errors = rows.filter { $0.string("level") == "error" }
    #expect(errors.map { $0.string("check") } == [check])
    #expect(errors[0].string("message")?.contains(reason) == true, "\(errors[0].string("message") ?? "")")
    #expect(errors[0].integer("exit") == 5)
    #expect(!rows.contains { ["client", "redirect"].contains($0.string("check")) })
  }

  @Test("no time is left for a request: this is reported, and nothing is sent")
  func noTime() async throws {
    let place = try await Workplace.loggedIn()
    let sent = place.network.sent
    let console = try FakeConsole()
    var context = Context.test(
      home: place.folder, console: console, transport: place.network, secrets: place.secrets, clocks: place.clocks)
    context.checkTime = .zero
    let name = try #require(ProfileName("work"))
    let findings = await ProfileDiagnosis(name, context, isOffline: false).findings()
    #expect(findings.contains { $0.check == .connection && $0.message.hasPrefix("the time was up") })
    #expect(place.network.sent == sent)
  }

  @Test("the API alone is gone: an error of the check 'api'")
  func noAPI() async throws {
    let place = try await Workplace.loggedIn()
    let other = try place.otherLab()
    try place.makeProfile("work", "api = [\"\(other.origin)/api\"]")
    other.stop()
    let rows = try await checks(place)
    #expect(rows[0].string("check") == "api" && rows[0].integer("exit") == 5)
    #expect(find("connection", "ok", in: rows)?.string("message") == "\(place.lab.origin) responds")
  }

  @Test("names that can't be resolved, and those that can: the check 'dns'")
  func names() async throws {
    let place = try await Workplace.loggedIn("api = [\"https://api.invalid\"]")
    var rows = try await checks(place)
    let error = try #require(rows.first)
    #expect(error.string("check") == "dns" && error.integer("exit") == 5)
    #expect(error.string("message") == "cannot resolve api.invalid: no such host")
    #expect(error.string("hint") == "check the name and the network; run: getent hosts api.invalid")
    place.network.add("https://api.example") { _ in "HTTP/1.1 401 Unauthorized\nWWW-Authenticate: Bearer\n\n" }
    try place.makeProfile("work", "api = [\"https://api.example\"]")
    rows = try await checks(place)
    #expect(find("dns", "ok", in: rows)?.string("message") == "api.example found")
    #expect(find("tls", "ok", in: rows)?.string("message") == "the certificate of api.example is trusted")
  }

  @Test("a proxy that works, and one that does not: its address, and the place where it is set")
  func proxies() async throws {
    let place = try await Workplace.loggedIn()
    let environment = ["http_proxy": "http://user:pw@proxy.example:3128"]
    var rows = try await checks(place, environment: environment)
    #expect(find("proxy", "ok", in: rows)?.string("message") == "http://proxy.example:3128 works")
    place.lab.stop()
    let lines: [([String: String], String, String)] = [
      (environment, "http_proxy", "unset http_proxy"), ([:], "proxy in [network]", "authctl profile edit work"),
    ]
    for (environment, source, command) in lines {
      if environment.isEmpty {
        try place.makeProfile("work", tables: "[network]\nproxy = \"http://proxy.example:3128\"\n")
      }
      rows = try await checks(place, environment: environment)
      let error = try #require(rows.first)
      #expect(error.string("check") == "proxy" && error.integer("exit") == 5)
      let words = "\(place.lab.origin) can't be reached through the proxy http://proxy.example:3128 (\(source)): "
      #expect(error.string("message")?.hasPrefix(words) == true, "\(error)")
      #expect(error.string("hint") == "start the proxy, or remove it: \(command)")
    }
  }

  @Test("an API that fails is a warning")
  func failingAPI() async throws {
    let place = try await Workplace.loggedIn()
    try await place.lab.fail(#"{"endpoint":"api","kind":"status","status":503}"#)
    let rows = try await checks(place)
    #expect(find("api", "warning", in: rows)?.string("message") == "\(place.lab.origin)/api returned 503")
  }

  /// Holds each request until requests for so many different documents have been sent.
  private final class Meeting: HTTPTransport {
    private let place: Workplace
    private let count: Int
    private let sent = Mutex<Set<String>>([])

    init(of count: Int, _ place: Workplace) { (self.place, self.count) = (place, count) }

    /// Whether so many have been sent.
    var isComplete: Bool { sent.withLock(\.count) >= count }

    func send(_ transfer: Transfer) async throws -> TransferResponse {
      let url = transfer.url
      let document = url.path.hasPrefix("/.well-known/") ? "metadata" : url.path
      sent.withLock { _ = $0.insert("\(url.origin)\(document)") }
      do {
        try await place.wait(for: "the other requests") { isComplete }
      } catch {
        Issue.record(error)
      }
      return try await place.network.send(transfer)
    }
  }

  @Test("profiles, and the server and the API of each, are checked at the same time")
  func parallel() async throws {
    let place = try await Workplace.loggedIn()
    let other = try place.otherLab()
    try place.makeProfile("other", "issuer = \"\(other.origin)\"\napi = [\"\(other.origin)/api\"]")
    let meeting = Meeting(of: 4, place)
    let console = try FakeConsole()
    let context = Context.test(
      home: place.folder, console: console, transport: meeting, secrets: place.secrets, clocks: place.clocks)
    // The profile 'other' has no session.
    #expect(await Application(context).run(["doctor"]) == 3, "\(console.written)")
    #expect(meeting.isComplete)
  }

  @Test("the token endpoint fails: an error of the check 'client'")
  func tokenEndpoint() async throws {
    let place = try await Workplace.loggedIn()
    try await place.lab.fail(#"{"endpoint":"token","kind":"status","status":503}"#)
    let error = try #require(try await checks(place).first)
    #expect(error.string("check") == "client" && error.integer("exit") == 5)
  }

  @Test(
    "what the server returns for a made-up code: whether it knows the client",
    arguments: [
      (400, #"{"error":"invalid_grant"}"#, "password", "ok", "the server knows cli"),
      (401, #"{"error":"invalid_client"}"#, "password", "error", "the server does not know cli, or refuses its"),
      (400, #"{"error":"unauthorized_client"}"#, "password", "warning", "the server does not allow cli the"),
      (400, #"{"error":"unauthorized_client"}"#, "browser", "error", "the server does not allow cli the"),
      (400, #"{"error":"invalid_request"}"#, "password", "ok", "the server has not refused cli: it returned 400"),
      (200, "<p>", "password", "warning", "http://127.0.0.1:"),
    ] as [(Int, String, String, String, String)])
  func clients(status: Int, body: String, flow: String, level: String, words: String) async throws {
    let place = try await Workplace.loggedIn()
    try place.makeProfile("work", "flow = \"\(flow)\"")
    try await place.response(at: "token", "status", ["status": status, "body": body])
    let row = try #require(find("client", level, in: try await checks(place)))
    #expect(row.string("message")?.hasPrefix(words) == true, "\(row)")
    #expect(row.integer("exit") == (level == "error" ? 6 : 0))
  }

  @Test("the metadata lacks what the flow needs")
  func lacking() async throws {
    let place = try await Workplace.loggedIn()
    let omits = #"["token_endpoint"]"#
    try await place.lab.change(#"{"oauth_discovery_omits":\#(omits),"openid_discovery_omits":\#(omits)}"#)
    let error = try #require(try await checks(place).first)
    #expect(error.string("check") == "metadata" && error.integer("exit") == 2)
    #expect(error.string("hint")?.contains("add token = \"https://…\" to [endpoints]") == true)
    let members = #"{\"grant_types_supported\":[\"x\"],\"code_challenge_methods_supported\":[\"plain\"]}"#
    try await place.lab.change(
      #"{"oauth_discovery_omits":[],"openid_discovery_omits":[],"discovery_members":"\#(members)"}"#)
    try place.makeProfile("work", "flow = \"browser\"")
    let rows = try await checks(place)
    #expect(find("metadata", "warning", in: rows)?.string("message")?.contains("authorization_code") == true)
    #expect(rows.contains { $0.string("message")?.contains("PKCE with S256") == true })
  }

  @Test(
    "a browser login: the redirect URI is accepted, on a page or without one, pushed or not",
    arguments: [(#"{}"#, false), (#"{"grant_without_page":true}"#, true), (#"{"par":"required"}"#, false)])
  func redirect(settings: String, isAccepted: Bool) async throws {
    let place = try await Workplace.loggedIn()
    try await place.lab.change(settings)
    try place.makeProfile("work", "flow = \"browser\"")
    let rows = try await checks(place)
    let client = "http://127.0.0.1/callback of cli"
    #expect(
      find("redirect", "ok", in: rows)?.string("message")
        == (isAccepted ? "the server accepts \(client)" : "the server did not refuse \(client) without a browser"))
  }

  @Test("a redirect URI that is not registered, pushed or not: status 6", arguments: ["off", "required"])
  func redirectMismatch(par: String) async throws {
    let place = try await Workplace.loggedIn()
    try await place.lab.change(#"{"par":"\#(par)","redirect_uris":["http://127.0.0.1/other"]}"#)
    try place.makeProfile("work", "flow = \"browser\"")
    let outcome = try await place.run("doctor", "work")
    #expect(outcome.status == 6)
    #expect(outcome.text.hasPrefix("✗ work: redirect: "), "\(outcome.text)")
    #expect(outcome.text.contains("authctl profile edit work"))
  }

  @Test("inspect and doctor find the same differences, in the same words")
  func sameRules() async throws {
    let place = try Workplace(lab: ["--jwt-access-tokens"])
    try await place.lab.change(#"{"token_audience":"https://other.example"}"#)
    try place.makeProfile()
    try await place.logIn()
    try place.makeProfile("work", "issuer = \"\(place.lab.origin)/\"\nscope = [\"api\", \"write\", \"openid\"]")
    let inspected = try await place.run("inspect", "--offline").text.split(separator: "\n")
    let messages = inspected.filter { $0.hasPrefix("  ! access token: ") }.map { $0.dropFirst(4) }
    #expect(messages.count == 3, "\(inspected)")
    let rows = try await checks(place, "--offline")
    let found = rows.compactMap { $0.string("message") }.filter { $0.hasPrefix("access token: ") }
    #expect(Set(found) == Set(messages.map(String.init)), "\(found)")
    #expect(find("scope", "warning", in: rows)?.string("message")?.contains("scope lacks write,") == true)
  }

  @Test("the times of a token are compared with the server's clock, not with a local one that was set back")
  func setBack() async throws {
    let place = try await Workplace.loggedIn(lab: ["--jwt-access-tokens"])
    place.clocks.set(-7200)
    let rows = try await checks(place, "--offline")
    #expect(find("session", "ok", in: rows) != nil, "\(rows)")
    #expect(!rows.contains { $0.string("message")?.contains("from the future") == true }, "\(rows)")
  }

  @Test("a port of the redirect URI that another program has: an error, offline too")
  func port() async throws {
    let place = try await Workplace.loggedIn()
    let listener = try LoopbackListener([.standard])
    defer { listener.close() }
    try place.makeProfile("work", "flow = \"browser\"\nredirect_uri = [\"\(listener.redirectURI)\"]")
    let error = try #require(try await checks(place, "--offline").first)
    #expect(error.string("check") == "redirect" && error.integer("exit") == 5)
    #expect(error.string("message")?.contains("the port is in use") == true)
  }

  @Test("a client that a login registered is checked by its own identifier; without one nothing is asked")
  func registered() async throws {
    let place = try Workplace(lab: ["--registration"])
    try place.makeProfile("work", "client_id = \"\"\nflow = \"browser\"")
    let text = try String(contentsOf: place.file(), encoding: .utf8)
    try place.write(text.replacing("client_id = \"\"\n", with: ""))
    #expect(find("client", "ok", in: try await checks(place)) == nil)
    #expect(try await place.run(["login", "work"], browser: place.browser()).status == 0)
    let id = try #require(try place.registration()?.string("client_id"))
    #expect(find("client", "ok", in: try await checks(place))?.string("message") == "the server knows \(id)")
    try await place.lab.forgetClients()
    let error = try #require(try await checks(place).first)
    #expect(error.string("check") == "client" && error.string("message")?.contains(id) == true)
  }

  // MARK: - The session and the API

  @Test("what the API's challenge requires: a scope, or another scheme")
  func challenge() async throws {
    let place = try await Workplace.loggedIn()
    try await place.lab.change(#"{"required_scope":"api write"}"#)
    var rows = try await checks(place)
    #expect(
      rows.filter { $0.string("check") == "scope" }.map { $0.string("message") } == [
        "\(place.lab.origin)/api returned 403 (insufficient_scope: The token's scope is too narrow.) with the token: "
          + "the token lacks the scope write (granted: api)"
      ])
    try place.waitForExpiry()
    #expect(
      find("scope", "warning", in: try await checks(place))?.string("message")
        == "\(place.lab.origin)/api requires the scope write, which the session does not have")
    let other = "http://127.0.0.1:39999"
    place.network.add(other) { _ in "HTTP/1.1 401 Unauthorized\nWWW-Authenticate: Basic realm=x\n\n" }
    try place.makeProfile("work", "api = [\"\(other)\"]")
    rows = try await checks(place)
    #expect(
      find("api", "warning", in: rows)?.string("message") == "\(other)/ asks for Basic; this profile sends Bearer")
  }

  @Test("a refresh token that the server has refused: an error if the access token has expired, else a warning")
  func refused() async throws {
    let place = try await Workplace.loggedIn()
    try await place.lab.revokeAll()
    #expect(try await place.run("refresh", "work").status == 3)
    var rows = try await checks(place)
    #expect(find("session", "warning", in: rows)?.string("message")?.contains("but the server has refused") == true)
    try place.waitForExpiry()
    rows = try await checks(place)
    let error = try #require(find("session", "error", in: rows))
    #expect(error.integer("exit") == 3 && error.string("hint") == "run: authctl login work")
  }

  @Test("a profile with a password, and a custom server")
  func others() async throws {
    let place = try Workplace()
    try place.write(
      "type = \"basic\"\nusername = \"alice\"\napi = [\"\(place.lab.origin)/kind2/basic\"]\n", as: "basic")
    #expect(try await place.passwordLogin("basic").status == 0)
    try place.makeProfile(.flat)
    #expect(try await place.logIn(.flat).status == 0)
    let outcome = try await place.run("doctor")
    #expect(outcome.status == 0, "\(outcome.text)")
    #expect(outcome.text.contains("✓ basic: session: a password is stored"))
    #expect(outcome.text.contains("✓ work: connection: \(place.lab.origin) responds"))
    #expect(outcome.text.contains("✓ work: session: the access token is valid for"))
  }

  @Test(
    "a session that can't be refreshed: the reason, and a warning before the access token expires, an error after it",
    arguments: [
      (nil, 60, "ok", "; there is no refresh token"), (nil, -60, "error", ", and there is no refresh token"),
      (-30, 60, "warning", ", but the refresh token expired 30s ago"),
      (-30, -60, "error", ", and the refresh token expired 30s ago"),
    ] as [(refresh: Double?, access: Double, level: String, words: String)])
  func unrefreshable(refresh: Double?, access: Double, level: String, words: String) async throws {
    let place = try await Workplace.loggedIn()
    let item = SecretItem(profile: "work", kind: .tokens)
    var pair = try TokenPair(stored: try #require(place.secrets.items[item]))
    let now = place.clocks.reading.time
    pair.expiresAt = now + access
    pair.refreshExpiresAt = refresh.map { now + $0 }
    if refresh == nil { pair.refreshToken = nil }
    place.secrets.put(try pair.stored(), as: item)
    let row = try #require(find("session", level, in: try await checks(place, "--offline")))
    #expect(row.string("message")?.hasSuffix(words) == true, "\(row)")
    #expect(row.integer("exit") == (level == "error" ? 3 : 0))
  }

  @Test("a lock that is held: a refresh is under way, no error")
  func held() async throws {
    let place = try await Workplace.loggedIn()
    let lock = FileLock(.init(place.folder.appending(path: "s/authctl/locks/work.lock").path))
    _ = try await lock.withLock(.exclusive, deadline: .zero) { _ throws(AuthError) in
      do {
        let rows = try await checks(place, "--offline")
        #expect(rows.contains { $0.string("message")?.hasPrefix("held by another process") == true })
      } catch {
        Issue.record(error)
      }
      return true
    }
  }

  // MARK: - The hint

  @Test("messages of exit 4 and 5 without a better hint name doctor; those with one do not")
  func hint() async throws {
    let place = try await Workplace.loggedIn()
    place.lab.stop()
    for command in [["call", "me"], ["refresh", "work"], ["login", "work", "--password-stdin"]] {
      let outcome = try await place.run(command, input: .text(Workplace.password))
      #expect(outcome.status == 5)
      #expect(outcome.error.hasSuffix("; to find the cause: authctl doctor work\n"), "\(command): \(outcome.error)")
      let json = try await place.run(["--errors=json"] + command, input: .text(Workplace.password)).errorJSON()
      #expect(json.string("hint")?.hasSuffix("authctl doctor work") == true && json.string("profile") == "work")
    }
    // A profile that does not exist yet can't be checked.
    let first = try await place.run(
      ["login", "new", "--issuer", place.lab.origin, "--client-id", "cli", "--flow", "password", "--username", "alice"]
        + ["--api", place.lab.origin, "--password-stdin"], input: .text(Workplace.password))
    #expect(first.status == 5 && !first.error.contains("doctor"), "\(first.error)")
    place.secrets.fail(.locked)
    let locked = try await place.run("call", "me")
    #expect(locked.status == 4 && !locked.error.contains("doctor"), "\(locked.error)")
    let refusal = AuthError.storage(.refused, .init("the keyring", why: "it refuses", remedy: .tryAgain(after: nil)))
    let context = Context.test(home: place.folder, console: try FakeConsole())
    let report = ErrorReport(refusal).about("work", context)
    #expect(report.status == .keyring && report.hint == "try again later; to find the cause: authctl doctor work")
  }
}
