import AuthCore
import Foundation
import TestSupport
import Testing

@testable import AuthctlCLI

/// The output of `-v`.
@Suite("VerboseLogRun") struct VerboseLogRunTests {
  /// The lines without their times.
  private func lines(_ outcome: Outcome) -> [String] {
    outcome.error.split(separator: "\n").compactMap { line in
      line.firstRange(of: "ms] ").map { String(line[$0.upperBound...]) }
    }
  }

  @Test("a refresh shows the form and the members of its response; one token has one fingerprint")
  func refresh() async throws {
    let place = try await Workplace.loggedIn()
    let refreshToken = try #require(try place.pair().string("refresh_token"))
    try await place.lab.expireAccessTokens()
    let outcome = try await place.run("call", "-v", "me")
    outcome.expect(0)
    let lines = lines(outcome)
    let shown = "‹opaque, \(refreshToken.count) chars, \(Secret(refreshToken).fingerprint)›"
    let form = try #require(lines.firstIndex(of: "> grant_type=refresh_token"))
    #expect(lines.contains("> refresh_token=\(shown)"), "\(lines)")
    #expect(lines.contains("> client_id=cli"))
    let header = try #require(lines.firstIndex { $0.hasPrefix("> POST /token ") })
    let status = try #require(lines.lastIndex { $0.hasPrefix("< HTTP/1.1 200") && lines.firstIndex(of: $0) != nil })
    #expect(header < form && form < status)
    let access = try #require(try place.pair().string("access_token"))
    #expect(lines.contains("< access_token=‹opaque, \(access.count) chars, \(Secret(access).fingerprint)›"), "\(lines)")
    #expect(lines.contains("< token_type=Bearer") && lines.contains { $0.hasPrefix("< expires_in=") }, "\(lines)")
    for secret in [refreshToken, access] { #expect(!outcome.error.contains(secret)) }
  }

  @Test("requests that are sent at the same time are told apart by their numbers")
  func parallelRequests() async throws {
    let place = try Workplace()
    try place.makeProfile()
    let outcome = try await place.run(
      ["login", "work", "-v", "--password-stdin"], input: .text(Workplace.password))
    outcome.expect(0)
    for (number, document) in [(1, "oauth-authorization-server"), (2, "openid-configuration")] {
      let own = lines(outcome).filter { $0.hasPrefix("#\(number) ") }
      #expect(own.first == "#\(number) > GET /.well-known/\(document) HTTP/1.1", "\(own)")
      #expect(own.contains { $0.hasPrefix("#\(number) < HTTP/1.1 200") }, "\(own)")
      #expect(own.filter { $0.contains("> GET ") }.count == 1, "\(own)")
    }
    #expect(lines(outcome).contains { $0.hasPrefix("> POST /token ") }, "\(lines(outcome))")
  }

  @Test("a login shows its form without the password")
  func login() async throws {
    let place = try Workplace()
    try place.makeProfile()
    let outcome = try await place.run(
      ["login", "work", "-v", "--password-stdin"], input: .text(Workplace.password))
    outcome.expect(0)
    let lines = lines(outcome)
    #expect(lines.contains("> password=‹redacted›") && lines.contains("> grant_type=password"), "\(lines)")
    #expect(!outcome.error.contains(Workplace.password))
  }

  @Test("a login in the browser shows its redirect URI and its code challenge, with -q too; the trace has them as well")
  func browser() async throws {
    let place = try Workplace()
    let file = place.folder.appending(path: "login.jsonl")
    let outcome = try await place.run(
      place.browserLogin(["-q", "-v", "--trace", file.path]), browser: place.browser())
    outcome.expect(0)
    let request = try await place.lab.lastRequests().first { $0.target.hasPrefix("/authorize?") }
    let query = URLComponents(string: request?.target ?? "")?.queryItems ?? []
    func parameter(_ name: String) throws -> String { try #require(query.first { $0.name == name }?.value) }
    let redirectURI = try parameter("redirect_uri")
    let fields = lines(outcome).filter { $0.hasPrefix("> ") }
    for line in ["> client_id=cli", "> scope=openid api", "> redirect_uri=\(redirectURI)", "> response_type=code"] {
      #expect(fields.contains(line), "\(fields)")
    }
    let steps = [
      "waiting for the browser, which logs in at \(place.lab.origin)/authorize: redirect_uri=\(redirectURI), "
        + "code_challenge=\(try parameter("code_challenge")) (S256)",
      "the browser has returned to \(redirectURI)",
    ]
    let trace = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let notes = try trace.compactMap { try JSONObject(Data($0.utf8)).string("note") }
    #expect(notes.suffix(2) == steps, "\(notes)")
    let lines = lines(outcome)
    let form = try #require(lines.lastIndex(of: "> redirect_uri=\(redirectURI)"), "\(lines)")
    for step in steps { #expect(try #require(lines.firstIndex(of: "* " + step), "\(lines)") < form) }
    #expect(lines.contains { $0.hasPrefix("> code_verifier=‹opaque, 43 chars, ") }, "\(lines)")
  }

  @Test("the challenge of an API that refuses the token is shown")
  func challenge() async throws {
    let place = try await Workplace.loggedIn()
    try await place.lab.expireAccessTokens()
    let lines = lines(try await place.run("call", "-v", "me"))
    let refused = try #require(lines.firstIndex(of: "< HTTP/1.1 401 Unauthorized"), "\(lines)")
    let challenge = try #require(lines.firstIndex { $0.hasPrefix("< WWW-Authenticate: Bearer ") }, "\(lines)")
    #expect(refused < challenge && lines[challenge].contains(#"error="invalid_token""#), "\(lines)")
    #expect(lines.contains("* refreshing: the API refused the token"), "\(lines)")
  }

  @Test("the value of a -H line is shown only if its name is known to be harmless, also where a response repeats it")
  func headerLines() async throws {
    let place = try await Workplace.loggedIn()
    place.network.add("https://echo.example") { head in
      "HTTP/1.1 200 OK\n" + (head.first { $0.hasPrefix("X-JFrog") }.map { $0.lowercased() } ?? "X: y") + "\n\nok"
    }
    for level in ["-v", "-vv"] {
      let outcome = try await place.run(
        "call", level, "--no-auth", "https://echo.example/?auth=hidden-1&x=shown-1", "-H", "X-JFrog-Repo: hidden-2",
        "-H", "X-Request-Id: shown-2", "-H", "Prefer: shown-3")
      let lines = lines(outcome)
      #expect(lines.contains("> X-JFrog-Repo: ‹8 chars›") && lines.contains("< x-jfrog-repo: ‹8 chars›"), "\(lines)")
      #expect(lines.contains("> X-Request-Id: shown-2") && lines.contains("> Prefer: shown-3"), "\(lines)")
      #expect(!outcome.error.contains("hidden") && outcome.error.contains("shown-1"), "\(lines)")
    }
    let batch = try await place.run(
      ["call", "-v", "--no-auth", "--batch", "-"],
      input: .text(#"{"url":"https://echo.example/","headers":{"X-JFrog-Repo":"hidden-3"}}"#))
    #expect(lines(batch).contains("#1 > X-JFrog-Repo: ‹8 chars›") && !batch.error.contains("hidden-3"))
    let file = place.folder.appending(path: "flow.jsonl")
    let traced = try await place.run(
      "call", "--trace", file.path, "--no-auth", "https://echo.example/", "-H", "X-JFrog-Repo: hidden-4")
    traced.expect(0)
    let trace = try String(contentsOf: file, encoding: .utf8)
    #expect(trace.contains("‹8 chars›") && !trace.contains("hidden-4"), "\(trace)")
  }

  @Test("says which profile is used, and why")
  func profile() async throws {
    let place = try await Workplace.loggedIn()
    func reason(_ words: [String], _ environment: [String: String?] = [:]) async throws -> String? {
      lines(try await place.run(words + ["-v"], environment: environment)).first { $0.hasPrefix("* profile ") }
    }
    let start = "* profile work, \(place.file().path): "
    #expect(try await reason(["token"]) == start + "it is the only profile")
    #expect(try await reason(["token", "-p", "work"]) == start + "named on the command line")
    #expect(try await reason(["token"], ["AUTHCTL_PROFILE": "work"]) == start + "named by AUTHCTL_PROFILE")
    try place.makeProfile("other", "api = [\"https://other.example\"]")
    let url = place.lab.origin + "/api/me"
    #expect(try await reason(["call", url]) == start + "its api has the origin \(place.lab.origin)")
    try place.makeProfile("third", "default = true")
    #expect(try await reason(["call", url])?.hasSuffix("it has default = true") == true)
  }

  @Test("on a terminal each kind of line has its colour, also with --color always")
  func colour() async throws {
    let place = try await Workplace.loggedIn()
    try await place.lab.expireAccessTokens()
    let outcome = try await place.run("call", "-v", "--color", "always", "me")
    try await place.lab.expireAccessTokens()
    let terminal = await place.run(
      ["call", "-v", "me"], at: try FakeConsole(isOutputTerminal: true), environment: ["TERM": "xterm"])
    for start in ["\u{1B}[36m> POST /token", "\u{1B}[32m< token_type=", "\u{1B}[1m* profile work"] {
      for error in [outcome.error, terminal.error] { #expect(error.contains("ms] " + start), "\(error)") }
    }
    #expect(try await !place.run("call", "-v", "me").error.contains("\u{1B}"))
  }

  @Test("each line of a batch's request has the number of its line in the input")
  func batch() async throws {
    let place = try await Workplace.loggedIn()
    let outcome = try await place.run(["call", "-v", "--batch", "-"], input: .text("me\n\nitems\n"))
    #expect(outcome.status == 0 || outcome.status == 22, "\(outcome.error)")
    let lines = lines(outcome)
    #expect(lines.contains("#1 > GET /api/me HTTP/1.1") && lines.contains("#3 > GET /api/items HTTP/1.1"), "\(lines)")
    #expect(lines.contains { $0.hasPrefix("#1 < HTTP/1.1 ") })
    #expect(!lines.contains { $0.hasPrefix("> GET") })
  }

  @Test("the time runs on from the start of the program, through all parts of a login by URL")
  func clock() async throws {
    let place = try Workplace()
    let outcome = try await place.run(
      ["login", place.lab.origin + "/api", "--client-id", "cli", "-v"], browser: place.browser())
    outcome.expect(0)
    let times = outcome.error.split(separator: "\n").compactMap { line in
      line.firstRange(of: " ms] ").flatMap { Int(line[..<$0.lowerBound].drop { "[ ".contains($0) }) }
    }
    #expect(times.count > 20 && times == times.sorted(), "\(outcome.error)")
    let context = Context.test(home: place.folder, console: try FakeConsole())
    #expect(VerboseLog(context).start == VerboseLog(context).start)
  }

  @Test("a secret that one part of a command has sent is redacted in the trace of another part")
  func redaction() async throws {
    let place = try await Workplace.loggedIn()
    try place.makeProfile("work", "api = [\"\(place.lab.origin)/api\", \"https://other.example\"]")
    // Only the trace of the refresh sees it sent.
    let token = try #require(try place.pair().string("refresh_token"))
    place.network.add("https://other.example") { _ in
      "HTTP/1.1 200 OK\nX-Echo: was \(token)\nContent-Length: 0\n\n"
    }
    try place.waitForExpiry()
    let outcome = try await place.run("call", "-v", "https://other.example/")
    outcome.expect(0, error: "< X-Echo: was ‹redacted›")
  }

  @Test("the token of each profile is redacted in the field that its profile names")
  func fields() async throws {
    let place = try await Workplace.loggedIn(tables: "[header]\nname = \"X-First\"\nprefix = \"\"\n")
    let other = "https://other.example"
    try place.makeProfile(
      "second", "api = [\"\(other)\"]", tables: "[header]\nname = \"X-Second\"\nprefix = \"\"\n")
    try await place.logIn("second")
    place.network.add(other) { _ in "HTTP/1.1 200 OK\nContent-Length: 0\n\n" }
    let outcome = try await place.run("call", "-v", place.lab.origin + "/api/echo", other + "/")
    for (profile, field) in [("work", "X-First"), ("second", "X-Second")] {
      let token = try #require(try place.pair(profile).string("access_token"))
      #expect(outcome.error.contains("> \(field): ‹redacted \(Secret(token).fingerprint)›"), "\(outcome.error)")
      #expect(!outcome.error.contains(token))
    }
  }

  @Test("a refresh stores which process did it; another process then names it")
  func process() async throws {
    let place = try await Workplace.loggedIn()
    #expect(try await place.run("refresh").status == 0)
    let change = try place.pair().object("change")
    #expect(change.integer("number") == 2)
    #expect(change.integer("pid") == Int(ProcessInfo.processInfo.processIdentifier))
    #expect(try place.stored()?.contains("refreshed_by") == false)
  }

  @Test("the lines of a background refresh are marked as such, those of this process are not")
  func background() throws {
    let console = try FakeConsole()
    var context = Context.test(home: URL(filePath: "/nowhere"), console: console)
    #expect(VerboseLog(context).backgroundWire == nil)
    context.verbosity = Verbosity(try Invocation(typed: ["status", "-v"]), context)
    let trace = VerboseLog(context)
    let lines: [WireLine] = [.sent("POST /token HTTP/1.1"), .received("HTTP/1.1 200 OK"), .proxy("no proxy")]
    for line in lines { trace.backgroundWire?(line) }
    trace.wire?(.sent("GET /me HTTP/1.1"))
    trace.wire?(.ofRequest(3, .sent("GET /me HTTP/1.1")))
    #expect(
      console.errorLines.map { $0.replacing(#/^\[ *[0-9]+ ms\] /#, with: "") } == [
        "> background: POST /token HTTP/1.1", "< background: HTTP/1.1 200 OK", "* background: no proxy",
        "> GET /me HTTP/1.1", "#3 > GET /me HTTP/1.1",
      ])
  }

  @Test("says why a token is used without a refresh")
  func notRefreshed() async throws {
    let place = try await Workplace.loggedIn()
    let fingerprint = Secret(try #require(try place.pair().string("access_token"))).fingerprint
    let outcome = try await place.run("call", "-v", "me")
    #expect(
      lines(outcome).contains(
        "* using token \(fingerprint): valid for another 10m; refreshed if less than 1m is left"), "\(outcome.error)")
    let short = try await place.run("token", "-v", "--min-validity", "90s")
    #expect(short.error.contains("valid for another 10m; refreshed if less than 1m 30s is left"), "\(short.error)")
  }

  @Test("-vv shows decoded tokens and whole members; -v does not")
  func decoded() async throws {
    let place = try await Workplace.loggedIn(lab: ["--jwt-access-tokens"])
    try await place.lab.expireAccessTokens()
    let outcome = try await place.run("call", "-vv", "me")
    outcome.expect(0)
    let lines = lines(outcome)
    let token = try #require(try place.pair().string("access_token"))
    let fingerprint = Secret(token).fingerprint
    let header = try #require(lines.first { $0.hasPrefix("* access_token \(fingerprint), header: {") })
    let claims = try #require(lines.first { $0.hasPrefix("* access_token \(fingerprint), claims: {") })
    #expect(header.contains(#""alg":"#) && claims.contains(#""sub":"alice""#), "\(claims)")
    #expect(lines.count { $0.contains("\(fingerprint), claims") } == 1, "once for each token")
    let signature = try #require(token.split(separator: ".").last)
    #expect(!outcome.error.contains(signature))
    #expect(try await !place.run("call", "-v", "me").error.contains("claims:"))
  }

  @Test("fields and members with unknown names have their lengths with -v, their values with -vv")
  func unknownNames() async throws {
    let place = try Workplace()
    try place.makeProfile("work", tables: "[parameters]\ntoken = { hint = \"blue\" }\n")
    let body = #"{"access_token":"the-token-of-the-user","token_type":"Bearer","note":"a word"}"#
    for (option, field, member) in [
      ("-v", "> hint=‹4 chars›", "< note=‹6 chars›"), ("-vv", "> hint=blue", "< note=a word"),
    ] {
      try await place.response(at: "token", "malformed", ["body": body])
      let outcome = try await place.run(
        ["login", "work", option, "--password-stdin"], input: .text(Workplace.password))
      let lines = lines(outcome)
      #expect(outcome.status == 0 && lines.contains(field) && lines.contains(member), "\(lines)")
    }
  }

  @Test("-vv shows the bodies of a server with requests of its own, without secrets; -v does not")
  func customBodies() async throws {
    let place = try Workplace(kind: .flat)
    let words = ["login", "work"] + ServerKind.flat.options
    let outcome = try await place.run(words + ["-vv"], input: .text(Workplace.password))
    outcome.expect(0)
    let lines = lines(outcome)
    let (pair, sent) = (try place.pair(), lines.filter { $0.hasPrefix("> {") })
    #expect(sent.count == 1 && sent[0].contains("‹redacted›") && !sent[0].contains(Workplace.password), "\(lines)")
    let received = try #require(lines.first { $0.hasPrefix("< {") }, "\(lines)")
    for key in ["access_token", "refresh_token"] {
      let token = try #require(pair.string(key))
      #expect(received.contains(Secret(token).fingerprint) && !outcome.error.contains(token), "\(received)")
    }
    let header = try #require(lines.firstIndex { $0.hasPrefix("> POST ") })
    #expect(try header < #require(lines.firstIndex(of: sent[0])))
    let short = try await place.run(words + ["-v"], input: .text(Workplace.password))
    #expect(short.status == 0 && !short.error.contains("> {") && !short.error.contains("< {"), "\(short.error)")
  }

  @Test("names the proxy without its password, and the rule that excepts a host")
  func proxy() async throws {
    let place = try await Workplace.loggedIn("", tables: "[network]\nproxy = \"http://u:topsecret@proxy:3128\"\n")
    let origin = place.lab.origin
    let outcome = try await place.run("call", "-v", "me", "me")
    let line = "* proxy for \(origin): http://proxy:3128 (proxy in [network])"
    #expect(lines(outcome).filter { $0.contains("proxy") } == [line])
    let option = try await place.run("call", "-v", "-x", "http://other:1", "me")
    #expect(lines(option).contains("* proxy for \(origin): http://other:1 (--proxy)"), "\(option.error)")
    let excepted = try await place.run("call", "-v", "me", environment: ["no_proxy": "a.example, 127.0.0.1"])
    #expect(
      lines(excepted).contains(
        "* no proxy for \(origin): no_proxy contains 127.0.0.1, so http://proxy:3128 (proxy in [network]) is not used"),
      "\(excepted.error)")
    let exceptedByOption = try await place.run("call", "-v", "--noproxy", "*", "me")
    #expect(exceptedByOption.error.contains("--noproxy contains *, so"), "\(exceptedByOption.error)")
    try place.makeProfile()
    let variable = try await place.run("call", "-v", "me", environment: ["http_proxy": "http://u:topsecret@env:1"])
    #expect(lines(variable).contains("* proxy for \(origin): http://env:1 (http_proxy)"), "\(variable.error)")
    #expect(try await !place.run("call", "-v", "me").error.contains("proxy"))
    for run in [outcome, option, excepted, variable] { #expect(!run.error.contains("topsecret")) }
  }

  @Test("a short secret in an error of the server is redacted, also in the message", arguments: ["1234", "geheim"])
  func shortSecret(password: String) async throws {
    let place = try Workplace()
    try place.makeProfile()
    try await place.response(
      at: "token", "status",
      ["status": 400, "body": #"{"error":"invalid_grant","error_description":"user alice, PIN \#(password) 12345"}"#])
    let outcome = try await place.run(["login", "work", "-v", "--password-stdin"], input: .text(password))
    #expect(outcome.status == 6 || outcome.status == 3, "\(outcome.error)")
    #expect(outcome.error.contains("PIN ‹redacted› 12345"), "\(outcome.error)")
    #expect(!outcome.error.contains("PIN \(password)"))
  }
}
