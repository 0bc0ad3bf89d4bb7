import Foundation
import TestSupport
import Testing

/// Errors whose hint names a command: typed as it stands there, the command does what it promises.
@Suite("hints, end to end")
struct HintTests {
  /// An error with the command that its hint names.
  struct Hint: Sendable, CustomTestStringConvertible {
    let error: String
    /// The command with its placeholders.
    let command: String
    /// The profile that the command leaves logged in, or out.
    var session: (profile: String, isLoggedIn: Bool)?
    let provoke: @Sendable (Workplace) throws -> Outcome

    var testDescription: String { error }
  }

  static let hints: [Hint] = [
    Hint(error: "not logged in", command: "authctl login work", session: ("work", true)) { place in
      try place.run("call", "me")
    },
    Hint(
      error: "a refresh token that is refused", command: "authctl login work",
      session: ("work", true)
    ) { place in
      try place.logInWithBrowser()
      let refusal: [String: Any] = [
        "status": 400, "body": #"{"error":"invalid_grant"}"#, "count": 1,
      ]
      try place.response(at: "token", "status", refusal)
      return try place.run("refresh", "work")
    },
    Hint(error: "damaged tokens", command: "authctl login work", session: ("work", true)) { place in
      let attributes = "application authctl profile work kind tokens"
      _ = try place.session.run(
        "sh", ["-c", "echo damaged | secret-tool store --label x \(attributes)"])
      return try place.run("call", "me")
    },
    Hint(
      error: "no such profile", command: "authctl login URL -p wrk",
      session: ("wrk", true)
    ) { place in
      try place.lab.change(#"{"resource_metadata":true}"#)
      return try place.run("refresh", "wrk")
    },
    Hint(
      error: "no profile at all",
      command: "authctl login URL"
    ) { place in
      try place.lab.change(#"{"resource_metadata":true}"#)
      try FileManager.default.removeItem(at: place.file())
      return try place.run("call", "me")
    },
    Hint(
      error: "removing a profile that is logged in", command: "authctl logout work",
      session: ("work", false)
    ) {
      place in
      try place.logInWithBrowser()
      return try place.run("profile", "remove", "work")
    },
    Hint(
      error: "removing a profile that is logged in and can't be read",
      command: "authctl profile remove work --force",
      session: ("work", false)
    ) { place in
      try place.logInWithBrowser()
      try Data("nonsense".utf8).write(to: place.file())
      return try place.run("profile", "remove", "work")
    },
    Hint(error: "the token of a password", command: "authctl call --profile basic URL") { place in
      try Data(
        "type = \"basic\"\nusername = \"alice\"\napi = [\"\(place.lab.origin)/kind2/basic\"]\n".utf8
      )
      .write(to: place.file("basic"))
      try place.logIn("basic")
      return try place.run("token", "--profile", "basic")
    },
    Hint(error: "no such command", command: "authctl -h") { place in try place.run("xyzzy") },
  ]

  @Test("a command that a hint names works as it stands there", arguments: hints)
  func follow(hint: Hint) throws {
    let place = try Workplace()
    try place.makeProfile("work", "flow = \"browser\"")
    let outcome = try hint.provoke(place)
    try #require(outcome.status != 0 && outcome.error.contains(hint.command), "\(outcome.error)")
    var command = hint.command
    for (name, value) in [("login", "/api"), ("basic", "/kind2/basic/echo")] {
      command = command.replacing("\(name) URL", with: "\(name) \(place.lab.origin)\(value)")
    }
    if command.contains("login http") { command += " --client-id cli" }
    let script = "authctl() { \"$0\" \"$@\"; }\n\(command)"
    let followed = try place.run(
      [], environment: place.browser(), through: ["/bin/sh", "-c", script])
    #expect(followed.status == 0, "\(command): \(followed.error)")
    guard let session = hint.session else { return }
    #expect(try (place.stored(session.profile) != nil) == session.isLoggedIn)
  }

  @Test("a private key that is missing: the login that the hint names stores it and works")
  func clientKey() throws {
    let key = try ClientKey(.p256)
    let place = try Workplace(lab: ["--key-client", "key:\(key.publicFile)"])
    let client = "client_id = \"key\"\nclient_authentication = \"private_key_jwt\"\nflow = \"client-credentials\""
    try place.makeProfile("work", client)
    let outcome = try place.run("login", "work", "--non-interactive")
    #expect(outcome.status == 3)
    try #require(outcome.error.contains("authctl login work --client-key-file FILE\n"), "\(outcome.error)")
    let followed = try place.run("login", "work", "--client-key-file", key.file)
    followed.expect(0)
  }

  @Test("a profile that names another server: the login that the hint names is one at that server")
  func changedServer() throws {
    let place = try Workplace()
    let other = try Authlab()
    try place.makeProfile("work", "flow = \"browser\"")
    try place.logInWithBrowser()
    try place.makeProfile("work", "flow = \"browser\"\nissuer = \"\(other.origin)\"")
    let outcome = try place.run("token")
    #expect(outcome.status == 3)
    try #require(outcome.error.contains("authctl login work\n"), "\(outcome.error)")
    try place.logInWithBrowser()
    #expect(try place.run("refresh", "work").status == 0)
    #expect(try other.count("token.refresh_token") == 1)
  }

  @Test("an endpoint that the metadata lacks: with the line that the hint names, the login works")
  func missingEndpoint() throws {
    let place = try Workplace()
    try place.lab.change(
      #"{"oauth_discovery_omits":["token_endpoint"],"openid_discovery_omits":["token_endpoint"]}"#)
    try place.makeProfile()
    let outcome = try place.run(["login", "work", "--password-stdin"], input: .text(Workplace.password))
    #expect(outcome.status == 6)
    let hint = "authctl profile edit work; add token = \"https://…\" to [endpoints]\n"
    try #require(outcome.error.contains(hint), "\(outcome.error)")
    let editor = place.session.directory.appending(path: "editor")
    let line = "token = \"\(place.lab.origin)/token\""
    try Data("printf '[endpoints]\\n\(line)\\n' >>\"$1\"\n".utf8).write(to: editor)
    let terminal = try PseudoTerminal()
    let edit = try place.start(
      ["profile", "edit", "work"], input: .terminal(terminal),
      environment: ["VISUAL": nil, "EDITOR": "sh \(editor.path)"])
    #expect(try edit.wait().status == 0)
    try place.logIn()
  }

  @Test(
    "an API that names its authorization server: the login that the hint names works", arguments: [[], ["--no-auth"]])
  func discoverable(options: [String]) throws {
    let place = try Workplace()
    try place.lab.change(
      #"{"resource_metadata":true,"resource_metadata_url":"\#(place.lab.origin)/resource-metadata"}"#)
    let outcome = try place.run(["call"] + options + [place.lab.origin + "/api/items?q=a&r=b"])
    try #require(outcome.status != 0)
    let hint = try #require(outcome.error.firstMatch(of: /authctl (login http\S+)/)?.1)
    let script = "\"$0\" \(hint) -p fresh --client-id cli"
    let followed = try place.run([], environment: place.browser(), through: ["/bin/sh", "-c", script])
    #expect(followed.status == 0, "\(hint): \(followed.error)")
    #expect(try place.run("call", "me").status == 0)
  }

  @Test(
    "a logout without a revocation endpoint: the tokens are deleted here, and the message says how long they stay valid"
  )
  func noRevocationEndpoint() throws {
    let place = try Workplace()
    try place.lab.change(
      #"{"oauth_discovery_omits":["revocation_endpoint"],"openid_discovery_omits":["revocation_endpoint"]}"#
    )
    try place.makeProfile()
    try place.logIn()
    let outcome = try place.run("logout", "work")
    outcome.expect(0)
    #expect(
      outcome.error
        == "work: logged out here; the server has no revocation endpoint: the tokens stay valid at the server "
        + "until they expire\n")
    #expect(try place.stored() == nil)
    #expect(try place.lab.count("revoke.ok") == 0)
  }

  @Test("the time of an earlier failure and the time to wait add up to what the server requires")
  func waiting() throws {
    let place = try Workplace.loggedIn()
    try place.response(at: "token", "retry_after", ["status": 503, "milliseconds": 600_000])
    let first = try place.run("refresh", "work")
    try #require(
      first.status == 5 && first.error.contains("the tokens are kept; try again in 10m"),
      "\(first.error)")
    var outcome = try place.run("refresh", "work")
    try Waiting.until("a second to have passed") {
      outcome = try place.run("refresh", "work")
      return !outcome.error.contains("just now")
    }
    let match = try #require(
      outcome.error.firstMatch(
        of: /\(asked (\d+)s ago\)\n  nothing is lost, the tokens are kept; try again in 9m (\d+)s/),
      "\(outcome.error)")
    let (passed, left) = (try #require(Int(match.1)), try #require(Int(match.2)))
    #expect(passed + left == 60)
  }
}

extension Workplace {
  fileprivate func logInWithBrowser() throws {
    let outcome = try run(["login", "work"], environment: browser())
    guard outcome.status == 0 else { throw SessionError("no login: \(outcome.error)") }
  }
}
