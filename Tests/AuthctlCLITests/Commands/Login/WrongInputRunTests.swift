import Foundation
import TestSupport
import Testing

@testable import AuthctlCLI

/// Wrong or incomplete input on the way to the first call: the message names what to type next, and that works.
///
/// In the command lines and messages, `ORIGIN` is the server, and `HOST` its host and port.
@Suite("WrongInputRun") struct WrongInputRunTests {
  /// One input.
  struct Row: Sendable, CustomTestStringConvertible {
    let typed: String
    let status: Int32
    /// Text that the message has to contain.
    let names: String
    /// What is typed next, with this status; nil if nothing can be in a test.
    var next: String?
    var nextStatus: Int32 = 0
    /// The origin of a server that appears before that; nil for none.
    var server: String?
    /// The settings of that server.
    var settings = #"{"resource_metadata":true,"resource_path":""}"#
    var prepare: @Sendable (Workplace) async throws -> Void = { _ in }

    var testDescription: String { typed }
  }

  private static let metadata: @Sendable (Workplace) async throws -> Void = {
    try await $0.lab.change(#"{"resource_metadata":true}"#)
  }

  /// Makes a server reachable at an origin whose every response is the same.
  private static func server(
    _ origin: String, _ head: String, _ body: String = ""
  ) -> @Sendable (Workplace) async throws -> Void {
    { $0.network.add(origin) { _ in "HTTP/1.1 \(head)\n\n\(body)" } }
  }

  private static let input: [Row] = [
    Row(
      typed: "login api.example.com", status: 2, names: "authctl login https://api.example.com\n",
      next: "login https://api.example.com", server: "https://api.example.com"),
    Row(
      typed: "login api.example.com/v1?x", status: 2, names: "authctl login https://api.example.com/v1\n",
      next: "login https://api.example.com/v1", server: "https://api.example.com"),
    Row(
      typed: "login HOST/api", status: 2, names: "authctl login ORIGIN/api\n", next: "login ORIGIN/api",
      prepare: metadata),
    Row(
      typed: "login http://api.example.com/v1", status: 2, names: "authctl login https://api.example.com/v1\n",
      next: "login https://api.example.com/v1", server: "https://api.example.com"),
    Row(
      typed: "login https://alice:secret-1@api.example.com/v1?x", status: 2,
      names: "authctl login https://api.example.com/v1\n",
      next: "login https://api.example.com/v1", server: "https://api.example.com"),
    Row(typed: "login https://", status: 2, names: "authctl login https://HOST/PATH\n"),
    Row(typed: "login https:/api.example.com", status: 2, names: "authctl login https://HOST/PATH\n"),
    Row(typed: "login ftp://files.example.com", status: 2, names: "authctl login https://HOST/PATH\n"),
    Row(typed: "login https://api.example.com -p a/b", status: 2, names: "use 1 to 64 letters, digits and . _ -"),
    Row(
      typed: "login nosuch", status: 2, names: "authctl login URL -p nosuch\n", next: "login ORIGIN/api -p nosuch",
      prepare: metadata),
    Row(
      typed: "login ORIGIN/api --type basic", status: 2, names: "authctl login NAME --type … --api ORIGIN/api\n"),
    Row(typed: "login ORIGIN/api ORIGIN/api", status: 2, names: "login accepts one URL|PROFILE argument, got 2"),
    Row(
      typed: "login --scope api", status: 2, names: "authctl login URL …, or authctl login NAME …\n",
      next: "login ORIGIN/api --scope api", prepare: metadata),
  ]

  private static let servers: [Row] = [
    Row(typed: "login ORIGIN/", status: 0, names: "Server       ORIGIN "),
    Row(typed: "login ORIGIN/.well-known/openid-configuration", status: 0, names: "Server       ORIGIN "),
    Row(
      typed: "login work --issuer ORIGIN/", status: 6,
      names: "use exactly the issuer value that the server publishes: ORIGIN\n", next: "login work --issuer ORIGIN"),
    Row(
      typed: "login https://gone.example/v1", status: 5, names: "authctl login https://gone.example/v1\n",
      next: "login https://gone.example/v1", server: "https://gone.example"),
    Row(
      typed: "login ORIGIN", status: 6, names: "add the path of one, as in ORIGIN/realms/NAME\n",
      next: "login ORIGIN/realms/x"
    ) { try await $0.lab.change(#"{"issuer_path":"/realms/x"}"#) },
    Row(
      typed: "login https://id.example/common/v2.0", status: 6,
      names: "with the name of your tenant: authctl login https://id.example/TENANT/v2.0\n",
      next: "login https://id.example/acme/v2.0", server: "https://id.example",
      settings: #"{"issuer_path":"/acme/v2.0"}"#,
      prepare: server("https://id.example", "200 OK", #"{"issuer":"https://id.example/{tenantid}/v2.0"}"#)),
    Row(
      typed: "login ORIGIN", status: 6, names: "if you trust that issuer: authctl login https://other.example\n",
      next: "login https://other.example", server: "https://other.example"
    ) { try await $0.lab.change(#"{"announced_issuer":"https://other.example"}"#) },
    Row(
      typed: "login https://old.example/oauth", status: 6,
      names: "a server without metadata: authctl login NAME --template oauth2-endpoints\n",
      next: "login old --template oauth2-endpoints --field authorization=ORIGIN/authorize --field token=ORIGIN/token",
      prepare: server("https://old.example", "404 Not Found")),
  ]

  private static let apis: [Row] = [
    Row(
      typed: "login https://page.example", status: 6, names: "authctl login https://page.example --issuer ISSUER;",
      next: "login https://page.example --issuer ORIGIN",
      prepare: server("https://page.example", "200 OK\nContent-Type: text/html", "<!doctype html>")),
    Row(
      typed: "login https://bare.example/v1", status: 6,
      names: "authctl login https://bare.example/v1 --issuer ISSUER;",
      next: "login https://bare.example/v1 --issuer ORIGIN", prepare: server("https://bare.example", "404 Not Found")),
    Row(
      typed: "login https://moved.example", status: 6, names: "if the address has moved: authctl login ORIGIN/api\n",
      next: "login ORIGIN/api"
    ) { place in
      try await metadata(place)
      let target = place.lab.origin + "/api?from=moved"
      place.network.add("https://moved.example") { _ in "HTTP/1.1 301 Moved\nLocation: \(target)\n\n" }
    },
    Row(
      typed: "login ORIGIN/api", status: 6, names: "authctl login NAME --issuer ISSUER --api ORIGIN/api\n",
      next: "login named --issuer ORIGIN --api ORIGIN/api"
    ) { place in
      try await metadata(place)
      try await place.lab.change(#"{"resource_members":"{\"resource\":\"https://evil.example/api\"}"}"#)
    },
    Row(
      typed: "login ORIGIN/api", status: 6, names: "authctl login ORIGIN/api --issuer ISSUER\n",
      next: "login ORIGIN/api --issuer ORIGIN"
    ) { place in
      try await metadata(place)
      try await place.lab.change(#"{"resource_members":"{\"authorization_servers\":null}"}"#)
    },
    Row(
      typed: "login ORIGIN/api", status: 6, names: "authctl login ORIGIN/api --issuer ORIGIN\n",
      next: "login ORIGIN/api --issuer ORIGIN"
    ) { place in
      try await metadata(place)
      let servers = #"{\"authorization_servers\":[\"\#(place.lab.origin)/\"]}"#
      try await place.lab.change(#"{"resource_members":"\#(servers)"}"#)
    },
    Row(
      typed: "login ORIGIN/api --issuer https://other.example", status: 2,
      names: "use that server: authctl login ORIGIN/api\n",
      next: "login ORIGIN/api", prepare: metadata),
    Row(
      typed: "login ORIGIN/api", status: 5, names: "authctl login ORIGIN/api --issuer ORIGIN\n",
      next: "login ORIGIN/api --issuer ORIGIN"
    ) { place in
      try await metadata(place)
      let servers = #"{\"authorization_servers\":[\"https://gone.example\",\"\#(place.lab.origin)\"]}"#
      try await place.lab.change(#"{"resource_members":"\#(servers)"}"#)
    },
  ]

  /// Makes the server call itself plain http, as behind a proxy that ends TLS.
  private static func plain(_ members: String) -> @Sendable (Workplace) async throws -> Void {
    { place in
      let lab = try place.otherLab(["--origin", "https://id.example"])
      try await lab.change(members)
    }
  }

  private static let proxied: [Row] = [
    Row(
      typed: "login https://id.example", status: 6, names: "must know its public https address: ask its operator",
      next: "login https://id.example", server: "https://id.example",
      prepare: plain(#"{"announced_issuer":"http://id.example"}"#)),
    Row(
      typed: "login https://id.example", status: 6, names: "must know its public https address: ask its operator",
      next: "login https://id.example", server: "https://id.example",
      prepare: plain(#"{"discovery_members":"{\"token_endpoint\":\"http://id.example/token\"}"}"#)),
    Row(
      typed: "login work --issuer https://id.example", status: 6,
      names: "must know its public https address: ask its operator", next: "login work --issuer https://id.example",
      server: "https://id.example", prepare: plain(#"{"announced_issuer":"http://id.example"}"#)),
  ]

  private static let ports: [Row] = [
    Row(
      typed: "login http://127.0.0.1:2", status: 6, names: "run: authctl login https://127.0.0.1:2\n",
      next: "login https://127.0.0.1:2 --client-id cli", server: "https://127.0.0.1:2",
      prepare: server("http://127.0.0.1:2", "400 Bad Request", "Client sent an HTTP request to an HTTPS server."))
  ]

  private static let clients: [Row] = [
    Row(
      typed: "login work --issuer ORIGIN --client-id svc", status: 6,
      names: "authctl login work --issuer ORIGIN --client-id svc --client-authentication client_secret_basic "
        + "--client-secret-stdin"),
    Row(
      typed: "login work --issuer ORIGIN --client-id svc --flow device", status: 6,
      names: "authctl login work --issuer ORIGIN --client-id svc --flow device "
        + "--client-authentication client_secret_basic --client-secret-stdin"),
    Row(
      typed: "login ci --issuer ORIGIN --client-id cli --flow client-credentials --client-authentication none",
      status: 2, names: "the client-credentials flow needs a client with a secret or a key\n"),
    Row(
      typed: "login work --scope read", status: 0, names: "authctl: --scope is for this login; "
    ) {
      try $0.makeProfile("work", "flow = \"browser\"")
    },
    Row(
      typed: "login ORIGIN/api", status: 6,
      names: "names the server ORIGIN; to use it: authctl login ORIGIN/api --issuer ORIGIN\n",
      next: "login ORIGIN/api --issuer ORIGIN"
    ) { place in
      try await metadata(place)
      try await place.lab.change(
        #"{"resource_path":"/other","resource_metadata_url":"\#(place.lab.origin)/resource-metadata"}"#)
    },
    Row(
      typed: "call --cacert /nothing.pem me", status: 2, names: "--cacert /nothing.pem: there is no such file",
      next: "call me", prepare: loggedIn),
  ]

  private static let loggedIn: @Sendable (Workplace) async throws -> Void = { place in
    try place.makeProfile()
    try await place.logIn()
  }

  private static let calls: [Row] = [
    Row(
      typed: "call https://unknown.example:8443/v1/it's?q=1", status: 2,
      names: #"authctl login 'https://unknown.example:8443/v1/it'\''s'"# + "\n",
      next: "login https://unknown.example:8443/v1/it's", server: "https://unknown.example:8443"),
    Row(
      typed: "call https://unknown.example/v1/x?q=1", status: 7, names: "authctl login https://unknown.example/v1/x\n",
      next: "login https://unknown.example/v1/x", server: "https://unknown.example", prepare: loggedIn),
    Row(
      typed: "call -p work https://unknown.example/v1/x", status: 7,
      names: "authctl login https://unknown.example/v1/x;", next: "login https://unknown.example/v1/x",
      server: "https://unknown.example", prepare: loggedIn),
    Row(
      typed: "call http://unknown.example/x", status: 2, names: "authctl login https://unknown.example/x\n",
      next: "login https://unknown.example/x", server: "https://unknown.example"),
    Row(
      typed: "call me", status: 2, names: "run: authctl login URL\n", next: "login ORIGIN/api", prepare: metadata),
    Row(
      typed: "call POST echo", status: 22, names: "did you mean: authctl call -X POST echo\n", next: "call -X POST echo"
    ) { place in
      try await loggedIn(place)
      try await place.lab.fail(#"{"endpoint":"api","kind":"status","status":404,"count":1}"#)
    },
    Row(
      typed: "call -p work POST echo", status: 22, names: "did you mean: authctl call -p work -X POST echo\n",
      next: "call -p work -X POST echo"
    ) { place in
      try await loggedIn(place)
      try await place.lab.fail(#"{"endpoint":"api","kind":"status","status":404,"count":1}"#)
    },
    Row(
      typed: "call --profile work HOST/api/me?a=b", status: 22,
      names: "did you mean: authctl call -p work 'ORIGIN/api/me?a=b'\n", next: "call -p work ORIGIN/api/me?a=b"
    ) { place in
      try await loggedIn(place)
      try await place.lab.fail(#"{"endpoint":"api","kind":"status","status":404,"count":1}"#)
    },
    Row(
      typed: "call -p work -T nofile echo", status: 2,
      names: "authctl: -T nofile: can't be read: No such file or directory\n", next: nil, prepare: loggedIn),
    Row(
      typed: "login -p second https://unknown.example/v1", status: 5,
      names: "authctl login https://unknown.example/v1 -p second", next: "login https://unknown.example/v1 -p second",
      server: "https://unknown.example"),
    Row(
      typed: "login -p second http://unknown.example/v1", status: 2,
      names: "authctl login https://unknown.example/v1 -p second\n",
      next: "login https://unknown.example/v1 -p second", server: "https://unknown.example"),
    Row(
      typed: "call HOST/api/me?a=b", status: 22, names: "did you mean: authctl call 'ORIGIN/api/me?a=b'\n",
      next: "call ORIGIN/api/me?a=b"
    ) { place in
      try await loggedIn(place)
      try await place.lab.fail(#"{"endpoint":"api","kind":"status","status":404,"count":1}"#)
    },
  ]

  private static func filled(_ text: String, _ place: Workplace) -> String {
    text.replacing("ORIGIN", with: place.lab.origin)
      .replacing("HOST/api", with: place.lab.origin.dropFirst("http://".count) + "/api")
  }

  /// Runs a command line; a login has a client and a browser.
  private func run(_ line: String, _ place: Workplace, _ lab: LabServer) async throws -> Outcome {
    let words = Self.filled(line, place).split(separator: " ").map(String.init)
    return try await place.run(
      words
        + (words[0] == "login" && line.contains(/ORIGIN|example/) && !words.contains("--client-id")
          ? ["--client-id", "cli"] : []),
      browser: FakeBrowser(server: lab))
  }

  @Test("what was tried is a line for each reason; with --quiet the message contains all places")
  func tried() async throws {
    let place = try Workplace()
    place.network.add("https://bare.example") { head in
      head[0].contains("openid-configuration") ? "HTTP/1.1 200 OK\n\n<p>" : "HTTP/1.1 404 Not Found\n\n"
    }
    let outcome = try await place.run("login", "https://bare.example/v1")
    #expect(outcome.status == 6)
    let places = outcome.error.split(separator: "\n").filter { $0.hasPrefix("Tried ") }
    let known = "https://bare.example/.well-known/"
    #expect(
      places == [
        "Tried        https://bare.example/v1".padded(to: 48) + " (404 and names no resource_metadata)",
        "Tried        \(known)oauth-protected-resource/v1 (404, as at 3 more addresses)",
        "Tried        https://bare.example/v1/.well-known/openid-configuration (is not JSON, as at 1 more address)",
      ], "\(outcome.error)")
    #expect(
      outcome.error.contains(
        "authctl: discovery of https://bare.example/v1: https://bare.example/v1/.well-known/openid-configuration "
          + "is not JSON; https://bare.example/.well-known/openid-configuration is not JSON\n"), "\(outcome.error)")
    let quiet = try await place.run("--quiet", "login", "https://bare.example/v1")
    #expect(!quiet.error.contains("Tried") && quiet.error.contains("/oauth-protected-resource/v1, "))
  }

  @Test(
    "the message names what to type next, and typing that works",
    arguments: input + servers + proxied + ports + clients + apis + calls)
  func row(row: Row) async throws {
    let place = try Workplace()
    try await row.prepare(place)
    let sent = place.network.sent
    let outcome = try await run(row.typed, place, place.lab)
    #expect(outcome.status == row.status, "\(outcome.error)")
    #expect(outcome.error.contains(Self.filled(row.names, place)), "\(outcome.error)")
    #expect(!outcome.error.contains("secret-1"))
    if row.status == 2, !row.names.contains("that server:") { #expect(place.network.sent == sent, "nothing is sent") }
    guard let next = row.next else { return }
    let lab = try row.server.map { try place.otherLab(["--origin", $0]) }
    try await lab?.change(row.settings)
    let followed = try await run(next, place, lab ?? place.lab)
    #expect(followed.status == row.nextStatus, "\(next): \(followed.error)")
  }
}
