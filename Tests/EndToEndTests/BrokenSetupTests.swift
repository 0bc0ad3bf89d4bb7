import Foundation
import TestSupport
import Testing

/// Ten set-ups that are broken in ways that people meet: one command names the cause in its first lines.
@Suite("broken set-ups, end to end")
struct BrokenSetupTests {
  /// A broken set-up, and what `doctor` says about it.
  struct Setup: Sendable, CustomTestStringConvertible {
    let name: String
    /// The start of the line that names the cause, without its mark.
    let check: String
    /// The cause, and the command that helps; ORIGIN stands for the server's.
    let cause: [String]
    /// The exit status.
    let status: Int32
    /// How far the local clock is ahead, in seconds.
    var ahead = 0
    /// Breaks a workplace.
    let make: @Sendable () throws -> Workplace

    var testDescription: String { name }
  }

  private static let secretClient =
    "client_id = \"svc\"\nclient_authentication = \"client_secret_basic\"\nflow = \"client-credentials\""

  static let setups: [Setup] = [
    Setup(
      name: "wrong audience", check: "work: session",
      cause: ["access token: aud is https://other.example; this profile calls ORIGIN/api", "authctl login work"],
      status: 0
    ) {
      let place = try Workplace(lab: ["--jwt-access-tokens"])
      try place.lab.change(#"{"token_audience":"https://other.example"}"#)
      try place.makeProfile()
      try place.logIn()
      return place
    },
    Setup(
      name: "missing scope", check: "work: scope",
      cause: ["access token: scope lacks write, which this profile requests", "authctl login work"], status: 0
    ) {
      let place = try Workplace()
      try place.lab.change(#"{"granted_scope":"api"}"#)
      try place.makeProfile("work", "scope = [\"api\", \"write\"]")
      try place.logIn()
      return place
    },
    Setup(
      name: "expired refresh token", check: "work: session",
      cause: ["the server has refused the refresh token (invalid_grant: The refresh token has expired.)"]
        + ["run: authctl login work"],
      status: 3
    ) {
      let place = try Workplace.loggedIn(lab: ["--access-lifetime", "1", "--refresh-lifetime", "1"])
      let end = Date() + 1.1
      try Waiting.until("the end of both tokens") { Date() > end }
      _ = try place.run("refresh", "work")
      return place
    },
    Setup(
      name: "clock two hours off", check: "work: clock",
      cause: ["the local clock is 2h ahead of the server's", "run: timedatectl set-ntp true"], status: 0, ahead: 7200
    ) { try Workplace.loggedIn() },
    Setup(
      name: "redirect mismatch", check: "work: redirect",
      cause: ["the server does not accept the redirect URI http://127.0.0.1/callback of cli: ORIGIN/authorize returned"]
        + ["authctl profile edit work"],
      status: 6
    ) {
      let place = try Workplace.loggedIn(lab: ["--redirect-uri", "http://127.0.0.1/other"])
      try place.makeProfile("work", "flow = \"browser\"")
      return place
    },
    Setup(
      name: "proxy down", check: "work: proxy",
      cause: [
        "can't be reached through the proxy http://127.0.0.1:1 (proxy in [network])", "authctl profile edit work",
      ],
      status: 5
    ) {
      let place = try Workplace.loggedIn()
      try place.makeProfile("work", tables: "[network]\nproxy = \"http://user:pw@127.0.0.1:1\"\n")
      return place
    },
    Setup(
      name: "issuer with slash", check: "work: metadata",
      cause: ["the metadata is for issuer 'ORIGIN'", "the issuer value that the server publishes: ORIGIN;"], status: 6
    ) {
      let place = try Workplace.loggedIn()
      try place.makeProfile("work", "issuer = \"\(place.lab.origin)/\"")
      return place
    },
    Setup(
      name: "client secret changed", check: "work: client",
      cause: ["the server does not know svc, or refuses its authentication: it returned 401, invalid_client"]
        + ["authctl login work"],
      status: 6
    ) {
      let place = try Workplace()
      try place.makeProfile("work", BrokenSetupTests.secretClient)
      let login = try place.run(["login", "work", "--client-secret-stdin"], input: .text("svc-secret"))
      guard login.status == 0, let stored = try place.stored("work", kind: "client-secret") else {
        throw SessionError("no login: \(login.error)")
      }
      try place.session.run(
        "secret-tool", ["store", "--label", "x", "application", "authctl", "profile", "work", "kind", "client-secret"],
        input: stored.replacing("svc-secret", with: "former-secret"))
      return place
    },
    Setup(
      name: "token of another environment", check: "work: session",
      cause: ["the issuer in the profile has changed since the login", "run: authctl login work"], status: 3
    ) {
      let place = try Workplace.loggedIn()
      let text = try String(contentsOf: place.file(), encoding: .utf8)
      let members = "issuer = \"\(place.lab.origin)/staging\""
      try place.lab.change(#"{"issuer_path":"/staging"}"#)
      try Data(text.replacing("issuer = \"\(place.lab.origin)\"", with: members).utf8).write(to: place.file())
      return place
    },
  ]

  @Test("doctor names the cause and the command that helps in its first five lines", arguments: setups)
  func cause(setup: Setup) throws {
    let place = try setup.make()
    let outcome =
      setup.ahead == 0 ? try place.run("doctor", "work") : try place.run("doctor", "work", ahead: setup.ahead)
    try expectCause(setup.check, setup.cause, place.lab.origin, outcome)
    #expect(outcome.status == setup.status)
    #expect(outcome.error.isEmpty, "\(outcome.error)")
    #expect(!outcome.text.contains("user:pw"))
  }

  @Test("a private CA: doctor names the certificate and the key of the profile in its first five lines")
  func privateAuthority() throws {
    let server = try CertificateServer()
    let place = try Workplace()
    try place.makeProfile("work", "issuer = \"\(server.issuer)\"\napi = [\"\(server.api)\"]")
    let outcome = try place.run("doctor", "work")
    try expectCause("work: tls", ["certificate", "cacert in [network]"], server.issuer, outcome)
    #expect(outcome.status == 5)
    try place.makeProfile(
      "work", "issuer = \"\(server.issuer)\"\napi = [\"\(server.api)\"]",
      tables: "[network]\ncacert = \"\(server.folder)/ca.pem\"\n")
    let trusted = try place.run("doctor", "work")
    #expect(trusted.text.contains("✓ work: tls: the certificate of "), "\(trusted.text)")
  }

  @Test("a server that takes the connection and never responds: an error within the limit, no hang")
  func silentServer() throws {
    let place = try Workplace.loggedIn()
    try place.lab.fail(#"{"endpoint":"*","kind":"hang"}"#)
    let outcome = try place.run("doctor", "work")
    try expectCause("work: connection", [place.lab.origin, "run: curl -v"], place.lab.origin, outcome)
    #expect(outcome.status == 5)
  }

  @Test("a keyring that never responds: an error, no hang")
  func silentKeyring() throws {
    let place = try Workplace.loggedIn()
    let keyring = try #require(place.session.keyringProcess)
    kill(keyring, SIGSTOP)
    defer { kill(keyring, SIGCONT) }
    let outcome = try place.run("doctor", "work")
    try expectCause("keyring", ["did not respond within 8s"], place.lab.origin, outcome)
    #expect(outcome.status == 4)
  }

  @Test("each state of a real keyring is named")
  func keyringStates() throws {
    let place = try Workplace.loggedIn()
    #expect(try place.run("doctor", "--offline").text.contains("✓ unlocked: the collection is unlocked\n"))
    try place.session.lockCollection()
    try expectCause("unlocked", ["the keyring is locked"], "", place.run("doctor", "--offline"))
    place.session.killKeyring()
    try expectCause("keyring", ["no keyring is running"], "", place.run("doctor", "--offline"))
    place.session.killBus()
    let outcome = try place.run("doctor", "--offline")
    try expectCause("bus", ["no D-Bus session bus responds"], "", outcome)
    #expect(outcome.status == 4)
  }

  private func expectCause(
    _ check: String, _ cause: [String], _ origin: String, _ outcome: Outcome,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let lines = outcome.text.split(separator: "\n").prefix(5).map(String.init)
    let index = lines.firstIndex { $0.hasPrefix("✗ \(check): ") || $0.hasPrefix("! \(check): ") }
    let first = try #require(index, "\(outcome.text)\(outcome.error)", sourceLocation: location)
    let shown = lines[first...].prefix(2).joined(separator: "\n")
    for words in cause {
      #expect(shown.contains(words.replacing("ORIGIN", with: origin)), "\(outcome.text)", sourceLocation: location)
    }
  }
}
