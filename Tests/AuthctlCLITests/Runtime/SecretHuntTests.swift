import AuthCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AuthctlCLI

/// Every command and flow with `-vv`, and a search for each secret in all that is printed.
@Suite("no secret is printed") struct SecretHuntTests {
  /// The secrets that a workplace has stored or sent, and the runs to search.
  private final class Hunt {
    let place: Workplace
    private(set) var outcomes: [(words: String, outcome: Outcome)] = []
    private(set) var secrets: Set<String> = []

    init(_ place: Workplace) { self.place = place }

    /// Runs a command with `-vv`, and collects what is stored and was sent by then.
    @discardableResult
    func run(
      _ words: [String], input: ProgramInput = .nothing, browser: FakeBrowser? = nil, status: Int32 = 0
    ) async throws -> Outcome {
      let outcome = try await place.run(words + ["-vv"], input: input, browser: browser)
      #expect(outcome.status == status, "\(words): \(outcome.error)")
      try await add(outcome, words)
      return outcome
    }

    func add(_ outcome: Outcome, _ words: [String]) async throws {
      outcomes.append((words.joined(separator: " "), outcome))
      for secret in place.secrets.items.values { collect(try JSONValue(parsing: Array(secret.exposed.utf8)), "") }
      for request in try await place.lab.lastRequests() {
        for (name, value) in fields(request.form ?? "") { collect(.string(value), name) }
        for field in request.headers where field.count == 2 { collect(header: field[0], field[1]) }
      }
    }

    func add(_ secret: String) { secrets.insert(secret) }

    private func collect(_ value: JSONValue, _ name: String) {
      switch value {
      case .object(let members):
        // The parts of a private key (RFC 7518, section 6).
        for (name, value) in members { collect(value, name == "d" ? "private_key" : name) }
      case .array(let values): for value in values { collect(value, name) }
      case .string(let text) where Self.isSecret(name): secrets.insert(text)
      default: break
      }
    }

    private func collect(header name: String, _ value: String) {
      guard ["authorization", "dpop", "cookie"].contains(name.lowercased()) else { return }
      let token = value.split(separator: " ").last.map(String.init) ?? value
      secrets.insert(token)
      guard let data = Data(base64Encoded: token) else { return }
      let password = String(decoding: data, as: UTF8.self).split(separator: ":", maxSplits: 1).last.map(String.init)
      if let password { secrets.formUnion([password, password.removingPercentEncoding ?? password]) }
    }

    private func fields(_ form: String) -> [(String, String)] {
      form.split(separator: "&").compactMap { field in
        let parts = field.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        return (parts[0], parts[1].replacing("+", with: " ").removingPercentEncoding ?? parts[1])
      }
    }

    private static func isSecret(_ name: String) -> Bool {
      // The session's identifier opens nothing, and the claims of the ID token are shown by `inspect`.
      SecretNames.isSecret(name) && !["session_id", "id_token_claims"].contains(name)
    }

    /// Searches all output, except what the runs may print.
    ///
    /// - Parameter bodies: the commands whose standard output is the API's, or the token that was asked for.
    func expectNothing(atLeast count: Int, bodies: [String] = []) {
      let wanted = secrets.filter { $0.count > 3 }
      #expect(wanted.count >= count, "\(wanted.count)")
      for (words, outcome) in outcomes {
        let isBody = bodies.contains { words.hasPrefix($0) }
        let texts = [outcome.error] + (isBody ? [] : [outcome.text])
        for secret in wanted {
          for form in Self.forms(secret) {
            for text in texts { #expect(!text.contains(form), "\(words): \(form.prefix(12))… in \(text)") }
          }
        }
      }
    }

    private static func forms(_ secret: String) -> Set<String> {
      let encoded = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? secret
      // The signature of a JWT is a secret by itself.
      let parts = secret.split(separator: ".")
      let signature = parts.count == 3 && secret.hasPrefix("eyJ") ? [String(parts[2])] : []
      return Set([secret, encoded, Data(secret.utf8).base64EncodedString()] + signature)
    }
  }

  private static let bodies = ["call", "token"]

  @Test("of a browser login with registration, calls, a replay, a batch, refreshes, reports and a logout")
  func browser() async throws {
    let place = try Workplace(lab: ["--jwt-access-tokens", "--registration"])
    let hunt = Hunt(place)
    let login = [
      "login", "work", "--issuer", place.lab.origin, "--api", place.lab.origin + "/api", "--scope", "openid", "--scope",
      "api",
    ]
    try await hunt.run(login, browser: place.browser())
    try await hunt.run(["call", "me"])
    try await hunt.run(["call", "-d", "a=b", "-H", "Cookie: id=cookie-secret", "echo/x?access_token=query-secret"])
    for secret in ["cookie-secret", "query-secret"] { hunt.add(secret) }
    try await place.lab.expireAccessTokens()
    let replay = try await hunt.run(["call", "-d", "a=b", "echo"])
    #expect(replay.error.contains("to replay the request"), "\(replay.error)")
    try await hunt.run(["call", "--batch", "-"], input: .text("me\n{\"url\":\"echo\",\"body\":\"x\"}\n"))
    try await hunt.run(["call", "--simulate", "refused", "me"])
    try await hunt.run(["refresh", "work"])
    try await hunt.run(["token"])
    for words in [
      ["status"], ["status", "work", "--json"], ["inspect"], ["inspect", "--json"], ["inspect", "--online"],
      ["profile", "show", "work", "--request"], ["profile", "list"],
    ] { try await hunt.run(words) }
    let doctor = try await place.run("doctor", "-vv")
    try await hunt.add(doctor, ["doctor"])
    try await hunt.add(try await place.run("doctor", "--json", "-vv"), ["doctor", "--json"])
    try await hunt.run(["logout", "work"])
    hunt.expectNothing(atLeast: 15, bodies: Self.bodies)
  }

  @Test("of logins by password and client credentials, right and wrong, with short secrets too")
  func secrets() async throws {
    let place = try Workplace()
    let hunt = Hunt(place)
    try place.makeProfile()
    try await hunt.run(["login", "work", "--password-stdin"], input: .text(Workplace.password))
    try await hunt.run(["login", "work", "--password-stdin"], input: .text("wrong-password"), status: 6)
    for method in ["client_secret_basic", "client_secret_post"] {
      let options = [
        "--issuer", place.lab.origin, "--client-id", "odd", "--api", place.lab.origin + "/api", "--flow",
        "client-credentials", "--client-secret-stdin", "--client-authentication", method,
      ]
      try await hunt.run(["login", method] + options, input: .text("conf secret/+%&=é"))
      try await hunt.run(["refresh", method])
      try await hunt.run(["inspect", method, "--online"])
      let wrong = options.map { $0 == "odd" ? "svc" : $0 }
      try await hunt.run(["login", "bad-\(method)"] + wrong, input: .text("geheim"), status: 6)
    }
    hunt.expectNothing(atLeast: 8, bodies: Self.bodies)
  }

  @Test("of a refused refresh, and of tokens that are bound to a key")
  func refused() async throws {
    let place = try Workplace()
    let hunt = Hunt(place)
    try place.makeProfile("work", "dpop = true")
    try await hunt.run(["login", "work", "--password-stdin"], input: .text(Workplace.password))
    try await hunt.run(["call", "echo"])
    try await hunt.run(["refresh", "work"])
    try await place.lab.revokeAll()
    try await hunt.run(["refresh", "work"], status: 3)
    try await hunt.run(["logout", "work"])
    hunt.expectNothing(atLeast: 6, bodies: Self.bodies)
  }

  @Test("of keys that can't be used: damaged, and of another login")
  func keys() async throws {
    let place = try Workplace()
    let hunt = Hunt(place)
    try place.makeProfile("work", "dpop = true")
    try await hunt.run(["login", "work", "--password-stdin"], input: .text(Workplace.password))
    let key = try #require(try place.stored(kind: "dpop-key"))
    let other = String(repeating: "Q", count: 43)
    let part = try #require(try JSONObject(Data(key.utf8)).string("d"))
    for (stored, words) in [
      (key.replacing("P-256", with: "P-999"), "can't be read"), (key.replacing(part, with: other), "another login"),
    ] {
      place.secrets.put(Secret(stored), as: SecretItem(profile: "work", kind: .dpopKey))
      let outcome = try await hunt.run(["call", "echo"], status: 3)
      #expect(outcome.error.contains(words), "\(outcome.error)")
      for command in ["status", "inspect"] { try await hunt.run([command]) }
      for format in [[], ["--json"]] {
        try await hunt.add(try await place.run(["doctor", "--offline", "-vv"] + format), ["doctor"])
      }
    }
    hunt.expectNothing(atLeast: 6, bodies: Self.bodies)
  }

  @Test("of a server whose requests have a secret in the path and in a header field of any name")
  func oddPlaces() async throws {
    let place = try Workplace()
    let hunt = Hunt(place)
    let origin = "https://odd.example"
    try place.write(
      """
      type = "custom"
      base = "\(origin)"
      api = ["\(origin)/api"]
      [requests.login]
      url = "/enter/{password}"
      headers = { X-Any = "{password}" }
      json = { username = "{username}" }
      [response]
      access_token = "/accessToken"
      error_message = "/message"

      """)
    place.network.add(origin) { head in
      // The last part of the path in the request line.
      let word = head[0].split(separator: " ")[1].split(separator: "/").last ?? ""
      let body = #"{"message":"\#(word) is wrong"}"#
      return "HTTP/1.1 400 Bad Request\nX-Echo: \(word)\nContent-Length: \(body.utf8.count)\n"
        + "Content-Type: application/json\n\n\(body)"
    }
    hunt.add("sesame")
    let words = ["login", "work", "--username", "alice", "--password-stdin", "-vv"]
    let outcome = try await place.run(words, input: .text("sesame"))
    #expect(outcome.status != 0 && outcome.error.contains(": ‹redacted› is wrong"), "\(outcome.error)")
    #expect(outcome.error.contains("/enter/‹redacted›") && outcome.error.contains("> X-Any: ‹redacted›"))
    try await hunt.add(outcome, words)
    hunt.expectNothing(atLeast: 1)
  }

  @Test("of servers with requests of their own", arguments: ServerKind.allCases)
  func custom(kind: ServerKind) async throws {
    let place = try Workplace(kind: kind)
    let hunt = Hunt(place)
    try await hunt.run(["login", "work"] + kind.options, input: .text(Workplace.password))
    try await hunt.run(["call", place.lab.origin + "/api/me"])
    try await hunt.add(try await place.run("refresh", "work", "-vv"), ["refresh"])
    try await hunt.run(["status", "work"])
    try await hunt.run(["logout", "work"])
    hunt.expectNothing(atLeast: 2, bodies: Self.bodies)
  }

  /// The traces of `--trace`, in one folder.
  private static func traces(in place: Workplace) -> [String] {
    ["har", "html", "mmd", "jsonl"].flatMap { ["--trace", place.folder.appending(path: "trace.\($0)").path] }
  }

  /// The texts of the traces, with a backslash for each that JSON escapes.
  private static func traced(in place: Workplace) throws -> [String] {
    try ["har", "html", "mmd", "jsonl"].map { ending in
      let text = try String(contentsOf: place.folder.appending(path: "trace.\(ending)"), encoding: .utf8)
      return text.replacing("\\\\", with: "\\")
    }
  }

  /// Whether a text contains the beginning, the middle or the end of a secret in some notation.
  private static func contains(_ text: String, _ notation: String) -> Bool {
    let middle = notation.index(notation.startIndex, offsetBy: notation.count / 2)
    return [notation.prefix(14), notation[middle...].prefix(14), notation.suffix(14)].contains { text.contains($0) }
  }

  @Test("of an API that repeats the token in any encoding, and that issues secrets of its own in any form")
  func echo() async throws {
    let place = try Workplace()
    let origin = "https://echo.example"
    try place.makeProfile("work", #"api = ["\#(origin)"]"#)
    #expect(try await place.run(["login", "work", "--password-stdin"], input: .text(Workplace.password)).status == 0)
    let item = try #require(place.secrets.items.first { $0.key.kind == .tokens }?.value)
    let token = try #require(try JSONValue(parsing: Array(item.exposed.utf8))["access_token"]?.string)
    let base64 = { (text: String) in Data(text.utf8).base64EncodedString() }
    let url = token.utf8.map { "%" + String($0, radix: 16) }.joined()
    let json = token.utf8.map { "\\u00" + String($0, radix: 16) }.joined()
    let own = "UNKNOWN-of-the-API-0123456789"
    // Each with what must not be found: without the characters that depend on what is around the token.
    let notations: [(text: String, secret: String)] =
      [
        token, url, url.replacing("%", with: "%25"), url.replacing("%", with: "%2525"), json,
        token.utf8.map { "&#\($0);" }.joined(), token.utf8.map { String($0, radix: 16) }.joined(),
      ].map { ($0, $0) }
      + ["", "x", "xy", #"{"Authorization":"Bearer "#].map { lead in
        let text = base64(lead + token + "xyz")
        return (text, String(text.dropFirst(lead.count / 3 * 4 + 4).dropLast(8)))
      }
      + [
        "<access_token>\(own)</access_token>", "access_token: \(own)", "token = \(own)", "user_code=\(own)",
        #"{"token":{"value":"\#(own)"}}"#, #"{"access_token":{"token":"\#(own)"}}"#,
        #"{"kty":"oct","k":"\#(own)"}"#, #"{"access\u005ftoken":"\#(own)"}"#, "next=https%3A%2F%2Fh%3Fcode%3D\(own)",
        "-----BEGIN PRIVATE KEY-----\n\(own)\n-----END PRIVATE KEY-----",
      ].map { ($0, own) }
    let texts = notations.map(\.text)
    let number = Mutex(0)
    place.network.add(origin) { head in
      let text = texts[number.withLock { $0 }]
      let field = text.replacing("\n", with: " ")
      return "HTTP/1.1 200 OK\nX-Echo: \(field)\nLocation: /x?next=\(field.replacing(" ", with: "+"))\n"
        + "Content-Length: \(text.utf8.count)\nContent-Type: text/plain\n\n\(text)"
    }
    for (index, notation) in notations.enumerated() {
      number.withLock { $0 = index }
      let isQuery = !notation.text.contains { " <{\n\\".contains($0) }
      let address = "\(origin)/?a=1&next=" + (isQuery ? notation.text : "")
      let outcome = try await place.run(["call", address, "-vv"] + Self.traces(in: place))
      #expect(outcome.status == 0, "\(outcome.error)")
      #expect(outcome.error.contains("‹redacted›"))
      for text in try [outcome.error] + Self.traced(in: place) {
        #expect(!Self.contains(text, notation.secret), "\(notation.text): \(text)")
        #expect(text.contains("echo.example"))
      }
    }
  }

  @Test(
    "of a server whose errors quote the tokens of the session, which were not all sent",
    arguments: [
      (400, #"{"error":"invalid_request","error_description":"for @A and @R, not S"}"#),
      (400, #"{"error":"@A","error_description":"of @R"}"#), (503, #"{"error":"x","message":"@A @R"}"#),
      (400, "the tokens @A and @R of S"), (200, "<p>@A, @R</p>"), (401, #"{"error_description":"@A @R"}"#),
    ])
  func quotedTokens(status: Int, body: String) async throws {
    let place = try Workplace()
    try place.makeProfile()
    #expect(try await place.run(["login", "work", "--password-stdin"], input: .text(Workplace.password)).status == 0)
    let item = try #require(place.secrets.items.first { $0.key.kind == .tokens }?.value)
    let pair = try JSONValue(parsing: Array(item.exposed.utf8))
    let tokens = try ["access_token", "refresh_token"].map { try #require(pair[$0]?.string) }
    let text = body.replacing("@A", with: tokens[0]).replacing("@R", with: tokens[1])
    place.network.add(place.lab.origin) { _ in
      "HTTP/1.1 \(status) X\nContent-Length: \(text.utf8.count)\nContent-Type: application/json\n\n\(text)"
    }
    for words in [
      ["refresh", "work"], ["inspect", "--online"], ["call", "me"], ["doctor", "work"], ["logout", "work"],
    ] {
      for more in [[], ["-vv"], ["-vv"] + Self.traces(in: place)] {
        guard more.count < 2 || !["inspect", "doctor"].contains(words[0]) else { continue }
        let outcome = try await place.run(words + more)
        let files = more.count < 2 ? [] : try Self.traced(in: place)
        for shown in [outcome.error] + (words[0] == "call" ? [] : [outcome.text]) + files {
          for token in tokens { #expect(!Self.contains(shown, token), "\(words) \(more): \(shown)") }
        }
      }
    }
  }

  @Test("of a login on another device: only the user code is printed, for the user")
  func device() async throws {
    let place = try Workplace()
    try await place.lab.change(#"{"device_interval":0}"#)
    let hunt = Hunt(place)
    let console = try FakeConsole(isTerminal: true, isOutputTerminal: true)
    console.pressEnter()
    let browser = NotingBrowser { [lab = place.lab] _ in
      (try? await lab.decideDevices(#"{"decision":"allow"}"#)) != nil
    }
    let words = ["login", "work", "--flow", "device", "--issuer", place.lab.origin, "--client-id", "cli", "-vv"]
    let outcome = await place.run(
      words + ["--api", place.lab.origin + "/api", "--scope", "api"], at: console, environment: ["TERM": "xterm"],
      with: .init(browser: browser))
    #expect(outcome.status == 0, "\(outcome.error)")
    try await hunt.add(outcome, words)
    #expect(outcome.error.contains("user_code=‹redacted›"), "\(outcome.error)")
    hunt.expectNothing(atLeast: 3)
  }
}
