import Foundation
import TestSupport
import Testing

@Suite("login without a browser, end to end")
struct LoginTests {
  func passwordLogin(_ place: Workplace, _ more: String...) -> [String] {
    ["login", "work", "--flow", "password", "--issuer", place.lab.origin, "--client-id", "cli", "--username", "alice"]
      + ["--api", place.lab.origin + "/api"] + more
  }

  func clientLogin(_ place: Workplace, client: String = "svc", _ more: [String] = []) -> [String] {
    ["login", "ci", "--flow", "client-credentials", "--issuer", place.lab.origin, "--client-id", client]
      + ["--api", place.lab.origin + "/api", "--client-secret-stdin"] + more
  }

  func mode(_ url: URL) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    return (attributes[.posixPermissions] as? Int ?? 0) & 0o777
  }

  @Test("the password from standard input: pair stored, profile written with modes 0600 and 0700")
  func passwordFromInput() throws {
    let place = try Workplace()
    let outcome = try place.run(passwordLogin(place, "--password-stdin"), input: .text("alice-pass\n"))
    try #require(outcome.status == 0, "\(outcome.error)")
    #expect(try mode(place.file()) == 0o600)
    #expect(try mode(place.file().deletingLastPathComponent()) == 0o700)
    #expect(try mode(place.configuration) == 0o700)
    let text = try String(contentsOf: place.file(), encoding: .utf8)
    #expect(text.contains("client_id = \"cli\""))
    #expect(!text.contains(Workplace.password))
    #expect(try place.run("call", "me").json().string("sub") == "alice")
  }

  @Test("the item in the keyring is what the contract says")
  func item() throws {
    let place = try Workplace.loggedIn()
    let pair = try place.pair()
    for key in ["access_token", "refresh_token", "token_type", "expires_at", "scope"] {
      #expect(pair.string(key)?.isEmpty == false, "\(key)")
    }
    #expect(pair.integer("version") == 1)
    let found = try place.session.run("sh", ["-c", "exec secret-tool search application authctl profile work 2>&1"])
    for line in ["label = authctl: work", "attribute.kind = tokens", "attribute.profile = work"] {
      #expect(found.contains(line), "\(line)")
    }
  }

  @Test("the password from the terminal, which does not show it and is as before afterwards")
  func passwordFromTerminal() throws {
    let place = try Workplace()
    let terminal = try PseudoTerminal()
    let run = try place.start(passwordLogin(place), input: .terminal(terminal))
    let prompt = try terminal.read(until: "Password of alice at \(place.lab.origin.dropFirst("http://".count)): ")
    try Waiting.until("no echo") { !terminal.echoes }
    try terminal.type("alice-pass\n")
    let rest = try terminal.read(until: "logged in")
    #expect(try run.wait().status == 0)
    #expect(!(prompt + rest).contains("alice-pass"))
    #expect(terminal.echoes)
  }

  @Test(
    "Ctrl-C and Ctrl-\\ at the question for the password: the terminal shows again what is typed",
    arguments: [("\u{03}", 130), ("\u{1C}", 131)] as [(String, Int32)])
  func interruptAtPrompt(key: String, status: Int32) throws {
    let place = try Workplace()
    let terminal = try PseudoTerminal()
    let run = try place.start(passwordLogin(place), input: .terminal(terminal))
    _ = try terminal.read(until: "Password of alice at ")
    try Waiting.until("no echo") { !terminal.echoes }
    try terminal.type(key)
    #expect(try run.wait().status == status)
    #expect(terminal.echoes)
    #expect(try place.stored() == nil)
  }

  @Test("client credentials: the secret is kept in the keyring, and used again when the token has expired")
  func clientCredentials() throws {
    let place = try Workplace()
    try place.lab.change(#"{"access_lifetime":1}"#)
    let outcome = try place.run(clientLogin(place), input: .text("svc-secret\n"))
    try #require(outcome.status == 0, "\(outcome.error)")
    #expect(try place.clientSecret("ci") == "svc-secret")
    #expect(try String(contentsOf: place.file("ci"), encoding: .utf8).contains("svc-secret") == false)
    try place.lab.change(#"{"access_lifetime":600}"#)
    try place.waitForExpiry("ci")
    #expect(try place.run("call", "me").json().string("sub") == "svc")
    #expect(try place.lab.count("token.client_credentials.ok") == 2)
  }

  @Test("a client secret that is needed is asked for without echo, once, by the client's and the server's name")
  func clientSecretFromTerminal() throws {
    let place = try Workplace()
    let terminal = try PseudoTerminal()
    let arguments = clientLogin(place).filter { $0 != "--client-secret-stdin" }
    let run = try place.start(arguments, input: .terminal(terminal))
    let server = place.lab.origin.dropFirst("http://".count)
    let prompt = try terminal.read(until: "Client secret of svc at \(server): ")
    try Waiting.until("no echo") { !terminal.echoes }
    try terminal.type("svc-secret\n")
    let rest = try terminal.read(until: "logged in")
    #expect(try run.wait().status == 0)
    #expect(!(prompt + rest).contains("svc-secret"))
    #expect(terminal.echoes)
    #expect(try place.clientSecret("ci") == "svc-secret")
    #expect(try String(contentsOf: place.file("ci"), encoding: .utf8).contains("client_secret_basic"))
    let again = try place.run("login", "ci")
    again.expect(0)
  }

  @Test(
    "an option that reads a secret or a token from standard input turns echo off on a terminal",
    arguments: [
      ("client-credentials", ["--client-secret-stdin"], "svc-secret\n"),
      ("client-credentials", ["--client-key-stdin"], "a key\n\u{04}"),
      ("password", ["--password-stdin"], "alice-pass\n"),
      ("jwt-bearer", ["--assertion-stdin"], "ey.\n"), ("token-exchange", ["--subject-token-stdin"], "a-token\n"),
      ("token-exchange", [], "a-token\n"), ("token", [], "a-token\n\u{04}"),
    ])
  func hiddenInput(flow: String, options: [String], typed: String) throws {
    let place = try Workplace()
    let terminal = try PseudoTerminal()
    let common = ["--issuer", place.lab.origin, "--username", "alice", "--api", place.lab.origin + "/api"]
    let client = flow == "client-credentials" ? "svc" : "cli"
    let run = try place.start(
      ["login", "work", "--flow", flow, "--client-id", client] + common + options, input: .terminal(terminal))
    try Waiting.until("no echo") { !terminal.echoes }
    try terminal.type(typed)
    let status = try run.wait().status
    #expect(
      ["client-credentials", "password", "token"].contains(flow) && !options.contains("--client-key-stdin")
        ? status == 0 : status != 0)
    #expect(terminal.echoes)
    let word = typed.prefix { $0 != "\n" }
    #expect(try !terminal.readToEnd().contains(word))
  }

  @Test("tokens from standard input: one bare access token, or the JSON of a token response")
  func tokens() throws {
    let place = try Workplace()
    let form = [
      (name: "grant_type", value: "password"), ("username", "alice"), ("password", "alice-pass"), ("client_id", "cli"),
    ]
    let response = try place.lab.post("/token", form: form)
    let access = try #require(try response.string("access_token"))
    let options = [
      "--flow", "token", "--issuer", place.lab.origin, "--client-id", "cli", "--api", place.lab.origin + "/api",
    ]
    let bare = try place.run(["login", "bare"] + options, input: .text(access + "\n"))
    bare.expect(0)
    #expect(try place.run("call", "-p", "bare", "me").json().string("sub") == "alice")
    let whole = try place.run(["login", "whole"] + options, input: .pipe(response.body))
    whole.expect(0)
    #expect(try place.pair("whole").string("refresh_token") == response.string("refresh_token"))
    try place.lab.expireAccessTokens()
    #expect(try place.run("call", "-p", "whole", "me").status == 0)
    #expect(try place.run("call", "-p", "bare", "me").status == 3)
  }
}
