import AuthCore
import Foundation
import TestSupport
import Testing

@testable import AuthctlCLI

/// The mistakes of a new user: the message, what it says to type, and that typing it works.
///
/// In the command lines and messages, `ORIGIN` is the server.
@Suite("NewcomerRun") struct NewcomerRunTests {
  /// One mistake.
  struct Mistake: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let typed: String
    let status: Int32
    /// Text that the message has to contain: the cause, and what to type.
    let says: [String]
    /// What is typed next, as the message says it, and with what else it asks for; nil if nothing that is typed helps.
    var next: String?
    /// The origin of a server with an API and its metadata that is started before the next command; nil for none.
    var server: String?
    /// What the person does at the page of a login that is typed first.
    var action = FakeBrowser.Action.approve
    /// Leads to the mistake.
    var prepare: @Sendable (Workplace) async throws -> Void = { _ in }
    /// What changes before the next command.
    var change: @Sendable (Workplace) async throws -> Void = { _ in }

    init(
      _ testDescription: String, typed: String, status: Int32, says: [String], next: String? = nil,
      server: String? = nil,
      action: FakeBrowser.Action = .approve,
      prepare: @escaping @Sendable (Workplace) async throws -> Void = { _ in },
      change: @escaping @Sendable (Workplace) async throws -> Void = { _ in }
    ) {
      self.testDescription = testDescription
      (self.typed, self.status, self.says, self.next) = (typed, status, says, next)
      (self.server, self.action, self.prepare, self.change) = (server, action, prepare, change)
    }
  }

  private static let loggedIn: @Sendable (Workplace) async throws -> Void = { place in
    try place.makeProfile()
    try await place.logIn()
  }

  /// A service with a client secret, not logged in.
  private static let serviceProfile: @Sendable (Workplace) async throws -> Void = {
    let client = [
      "flow = \"client-credentials\"", "client_id = \"svc\"", "client_authentication = \"client_secret_basic\"",
    ]
    try $0.makeProfile("work", client.joined(separator: "\n"))
  }

  private static let typing = [
    Mistake(
      "a command with a typo", typed: "logn ORIGIN/api", status: 2,
      says: ["unknown command 'logn'", "did you mean 'login'?"], next: "login ORIGIN/api --client-id cli"),
    Mistake(
      "an option with a typo", typed: "login ORIGIN/api --client_id cli", status: 2,
      says: ["unknown option '--client_id'", "did you mean '--client-id'?"], next: "login ORIGIN/api --client-id cli"),
    Mistake(
      "a profile with a typo", typed: "call -p wrok me", status: 2,
      says: ["profile wrok: there is no such profile", "did you mean 'work'?"], next: "call -p work me",
      prepare: loggedIn),
    Mistake(
      "two profiles", typed: "call me", status: 2,
      says: ["more than one profile matches: home, work", "--profile NAME"], next: "call --profile work me"
    ) { place in
      for name in ["work", "home"] {
        try place.makeProfile(name)
        try await place.logIn(name)
      }
    },
    Mistake(
      "a password as an argument", typed: "login work --password alice-pass", status: 2,
      says: ["unknown option '--password'", "did you mean '--password-stdin' or"], next: "login work --password-stdin"
    ) { try $0.makeProfile() },
    Mistake(
      "a client secret as an argument", typed: "login work --client-secret svc-secret", status: 2,
      says: ["unknown option '--client-secret'", "'--client-secret-stdin'?"], next: "login work --client-secret-stdin",
      prepare: serviceProfile),
    Mistake(
      "an address without its scheme", typed: "login api.example.com", status: 2,
      says: ["authctl login https://api.example.com\n"], next: "login https://api.example.com --client-id cli",
      server: "https://api.example.com"),
    Mistake(
      "http instead of https", typed: "login http://api.example.com/v1", status: 2,
      says: ["plain http", "authctl login https://api.example.com/v1\n"],
      next: "login https://api.example.com/v1 --client-id cli", server: "https://api.example.com"),
    Mistake(
      "a port on which no server listens", typed: "login http://127.0.0.1:1/api", status: 5,
      says: [
        "connection refused", "check the address and the network, then run: authctl login http://127.0.0.1:1/api",
      ],
      next: "login http://127.0.0.1:1/api --client-id cli", server: "http://127.0.0.1:1"),
    Mistake(
      "a host that does not exist", typed: "login https://api.invalid", status: 5,
      says: ["cannot resolve api.invalid", "check the address and the network"]),
    Mistake(
      "a scheme of something else", typed: "login ftp://files.example.com", status: 2,
      says: ["authctl login https://HOST/PATH\n"]),
    Mistake(
      "the method before the path", typed: "call POST echo", status: 22,
      says: ["the API returned 404", "did you mean: authctl call -X POST echo\n"], next: "call -X POST echo"
    ) { place in
      try await loggedIn(place)
      try await place.lab.fail(#"{"endpoint":"api","kind":"status","status":404,"count":1}"#)
    },
    Mistake(
      "a key with a typo in the file", typed: "call me", status: 2,
      says: ["work.toml:7:1: unknown key 'isuer'", "did you mean 'issuer'?"]
    ) { try $0.makeProfile("work", "isuer = \"x\"") },
  ]

  private static let logins = [
    Mistake(
      "no client", typed: "login ORIGIN/api", status: 2,
      says: [
        "client_id is missing: the server does not register clients", "authctl login ORIGIN/api --client-id ID\n",
      ],
      next: "login ORIGIN/api --client-id cli"),
    Mistake(
      "a client that the server does not know", typed: "login ORIGIN/api --client-id nope --timeout 1s", status: 6,
      says: ["refuses http://127.0.0.1:", "/callback for client nope (400)"], next: "login ORIGIN/api --client-id cli"),
    Mistake(
      "a redirect URI that is not registered", typed: "login ORIGIN/api --client-id cli --timeout 1s", status: 6,
      says: ["/callback for client cli (400)", "register it, or use --redirect-uri URI"],
      next: "login ORIGIN/api --client-id cli --redirect-uri http://127.0.0.1/other"
    ) { try await $0.lab.change(#"{"redirect_uris":["http://127.0.0.1/other"]}"#) },
    Mistake(
      "an issuer without an API", typed: "login work --issuer ORIGIN --client-id cli", status: 0,
      says: ["authctl login work --api "], next: "login work --api ORIGIN/api"),
    Mistake(
      "a confidential client without its secret", typed: "login work", status: 2,
      says: ["the client's secret is not stored", "use --client-secret-stdin"],
      next: "login work --client-secret-stdin",
      prepare: serviceProfile),
    Mistake(
      "a scope that the server does not know", typed: "login work --password-stdin", status: 6,
      says: ["invalid_scope"], next: "login work --password-stdin"
    ) {
      try $0.makeProfile("work", "scope = [\"nope\"]")
    } change: {
      try $0.makeProfile()
    },
    Mistake(
      "a user whom the server does not know", typed: "login work --password-stdin", status: 6,
      says: ["The user name or the password is wrong", "check user name and password"],
      next: "login work --password-stdin"
    ) {
      try $0.makeProfile("work", "username = \"bob\"")
    } change: {
      try $0.makeProfile()
    },
    Mistake(
      "a login without the password", typed: "login work", status: 2,
      says: ["the password: it is missing", "use --password-stdin"], next: "login work --password-stdin"
    ) { try $0.makeProfile() },
    Mistake(
      "the login is denied at the page", typed: "login ORIGIN/api --client-id cli", status: 6,
      says: ["the login was denied (access_denied: ", "log in again if that was not intended"],
      next: "login ORIGIN/api --client-id cli", action: .deny),
    Mistake(
      "the browser is closed", typed: "login ORIGIN/api --client-id cli --no-browser --timeout 1s", status: 5,
      says: ["the browser did not return within 1s", "log in again"], next: "login ORIGIN/api --client-id cli"),
    Mistake(
      "a clock that is two hours ahead", typed: "login ORIGIN/api --client-id cli", status: 6,
      says: ["the ID token has expired", "check this machine's clock"]
    ) { try await $0.lab.change(#"{"clock_offset":-7200}"#) },
    Mistake(
      "no keyring", typed: "login work --password-stdin", status: 4, says: ["the keyring"],
      next: "login work --password-stdin"
    ) { place in
      try place.makeProfile()
      place.secrets.fail(.noService)
    } change: {
      $0.secrets.fail(nil)
    },
  ]

  private static let calls = [
    Mistake(
      "a call before any login", typed: "call ORIGIN/api/me", status: 2,
      says: ["no profile configured yet", "run: authctl login ORIGIN/api/me\n"],
      next: "login ORIGIN/api/me --client-id cli"),
    Mistake(
      "a call before the login of its profile", typed: "call me", status: 3,
      says: ["profile work: not logged in", "run: authctl login work\n"], next: "login work --password-stdin"
    ) { try $0.makeProfile() },
    Mistake(
      "a refresh before the login", typed: "refresh work", status: 3,
      says: ["profile work: not logged in", "run: authctl login work\n"], next: "login work --password-stdin"
    ) { try $0.makeProfile() },
    Mistake(
      "an address of another API", typed: "call https://api.example.com/x", status: 7,
      says: [
        "no profile has the origin https://api.example.com", "log in to it: authctl login https://api.example.com/x",
      ],
      next: "login https://api.example.com/x --client-id cli",
      server: "https://api.example.com", prepare: loggedIn),
    Mistake(
      "a session that the server has ended", typed: "call me", status: 3,
      says: ["the server refuses the refresh token", "run: authctl login work\n"], next: "login work --password-stdin"
    ) { place in
      try await loggedIn(place)
      try await place.lab.revokeAll()
    },
    Mistake(
      "a locked keyring", typed: "call me", status: 4, says: ["the keyring: it is locked"], next: "call me"
    ) { place in
      try await loggedIn(place)
      place.secrets.fail(.locked)
    } change: {
      $0.secrets.fail(nil)
    },
    Mistake(
      "the token of a password", typed: "token", status: 2,
      says: ["it has a password and no token", "authctl call --profile work URL"],
      next: "call --profile work ORIGIN/kind2/basic/me"
    ) { place in
      try place.write("type = \"basic\"\nusername = \"alice\"\napi = [\"\(place.lab.origin)/kind2/basic\"]\n")
      try await place.logIn()
    },
  ]

  private func run(_ line: String, _ place: Workplace, _ browser: FakeBrowser) async throws -> Outcome {
    let words = Self.filled(line, place).split(separator: " ").map(String.init)
    let secret = line.contains("--client-secret-stdin") ? "svc-secret" : Workplace.password
    return try await place.run(
      words, input: line.contains("-stdin") ? .text(secret) : .nothing, browser: browser)
  }

  private static func filled(_ text: String, _ place: Workplace) -> String {
    text.replacing("ORIGIN", with: place.lab.origin)
  }

  @Test("the message names the cause and what to type, and typing it works", arguments: typing + logins + calls)
  func mistake(_ mistake: Mistake) async throws {
    let place = try Workplace()
    try await place.lab.change(#"{"resource_metadata":true}"#)
    try await mistake.prepare(place)
    let outcome = try await run(mistake.typed, place, place.browser(mistake.action))
    #expect(outcome.status == mistake.status, "\(outcome.error)")
    for text in mistake.says { #expect(outcome.error.contains(Self.filled(text, place)), "\(outcome.error)") }
    guard let next = mistake.next else { return }
    try await mistake.change(place)
    let lab = try mistake.server.map { try place.otherLab(["--origin", $0]) } ?? place.lab
    if mistake.server != nil { try await lab.change(#"{"resource_metadata":true,"resource_path":""}"#) }
    let followed = try await run(next, place, FakeBrowser(server: lab))
    #expect(followed.status == 0, "\(next): \(followed.error)")
  }
}
