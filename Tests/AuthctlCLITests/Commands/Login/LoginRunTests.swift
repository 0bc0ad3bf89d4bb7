import Foundation
import TestSupport
import Testing

@Suite("LoginRun") struct LoginRunTests {
  func passwordLogin(_ place: Workplace, _ more: String...) -> [String] {
    ["login", "work", "--flow", "password", "--issuer", place.lab.origin, "--client-id", "cli", "--username", "alice"]
      + ["--api", place.lab.origin + "/api"] + more
  }

  func clientLogin(_ place: Workplace, client: String = "svc", _ more: [String] = []) -> [String] {
    ["login", "ci", "--flow", "client-credentials", "--issuer", place.lab.origin, "--client-id", client]
      + ["--api", place.lab.origin + "/api", "--client-secret-stdin"] + more
  }

  @Test("the password from a file, which others must not be able to read: status 2, nothing is sent")
  func passwordFromFile() async throws {
    let place = try Workplace()
    let file = try place.secretFile("alice-pass\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    let refused = try await place.run(passwordLogin(place, "--password-file", file))
    refused.expect(2)
    #expect(refused.error.contains("(mode 644)") && refused.error.contains("run: chmod 600 \(file)"))
    #expect(try await place.lab.count("token") == 0)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    let outcome = try await place.run(passwordLogin(place, "--password-file", file))
    outcome.expect(0)
  }

  @Test("without a terminal and without an option for it, a password is missing: status 2, nothing sent")
  func noTerminal() async throws {
    let place = try Workplace()
    let outcome = try await place.run(passwordLogin(place))
    outcome.expect(2, error: "--password-stdin")
    #expect(try await place.lab.count("token") == 0)
  }

  @Test("a wrong password: status 6, nothing stored, no profile written")
  func wrongPassword() async throws {
    let place = try Workplace()
    let outcome = try await place.run(passwordLogin(place, "--password-stdin"), input: .text("wrong"))
    outcome.expect(6)
    #expect(outcome.text.isEmpty)
    #expect(!outcome.error.contains("wrong-"))
    #expect(try place.stored() == nil)
    #expect(!FileManager.default.fileExists(atPath: place.file().path))
  }

  @Test("settings that make a file which can't be read again: status 2, nothing stored, no profile written")
  func unreadableFile() async throws {
    let place = try Workplace()
    let audience = String(repeating: "a", count: 70_000)
    let arguments = ["login", "work", "--flow", "token", "--api", "https://api.example.com", "--audience", audience]
    let outcome = try await place.run(arguments, input: .text("opaque"))
    #expect(outcome.status == 2, "\(outcome.error.prefix(300))")
    #expect(try place.stored() == nil)
    #expect(!FileManager.default.fileExists(atPath: place.file().path))
  }

  @Test("a file that does not exist is refused before the network is used")
  func missingFile() async throws {
    let place = try Workplace()
    let arguments = [
      "login", "work", "--discover", "\(place.lab.origin)/api", "--client-id", "cli", "--cacert", "none.pem",
    ]
    let outcome = try await place.run(arguments)
    outcome.expect(2, error: "there is no such file")
    #expect(try await place.lab.lastRequests().isEmpty)
  }

  @Test("a login to a profile without api warns that its token may go nowhere", arguments: [true, false])
  func warnsWithoutAPI(hasAPI: Bool) async throws {
    let place = try Workplace()
    let arguments = hasAPI ? passwordLogin(place) : passwordLogin(place).dropLast(2)
    let outcome = try await place.run(arguments + ["--password-stdin"], input: .text(Workplace.password))
    outcome.expect(0)
    #expect(outcome.error.contains("authctl: warning: no api is set") == !hasAPI, "\(outcome.error)")
  }

  @Test("without a terminal a client secret that is needed is missing: status 2, the options named, nothing sent")
  func noClientSecret() async throws {
    let place = try Workplace()
    let outcome = try await place.run(clientLogin(place).filter { $0 != "--client-secret-stdin" })
    outcome.expect(2)
    #expect(outcome.error.contains("--client-secret-stdin") && outcome.error.contains("--client-secret-file"))
    #expect(try await place.lab.count("token") == 0)
  }

  @Test(
    "a client secret with special characters arrives in each encoding of Basic and in the form (real-servers.md, 17)",
    arguments: [
      ("form", ["--basic-encoding", "form"]), ("percent", ["--basic-encoding", "percent"]), ("percent", []),
      ("raw", ["--basic-encoding", "raw"]), ("raw", ["--client-authentication", "client_secret_post"]),
    ])
  func oddSecret(serverEncoding: String, options: [String]) async throws {
    let place = try Workplace()
    try await place.lab.change(#"{"basic_encoding":"\#(serverEncoding)"}"#)
    let outcome = try await place.run(clientLogin(place, client: "odd", options), input: .text("conf secret/+%&=é"))
    outcome.expect(0)
    #expect(try place.clientSecret("ci") == "conf secret/+%&=é")
  }

  @Test(
    "a client secret that the server decodes otherwise: status 6, and the hint names the ways out (real-servers.md, 17)"
  )
  func wrongEncoding() async throws {
    let place = try Workplace()
    try await place.lab.change(#"{"basic_encoding":"raw"}"#)
    let outcome = try await place.run(clientLogin(place, client: "odd"), input: .text("conf secret/+%&=é"))
    outcome.expect(6)
    #expect(outcome.error.contains("client_secret_post") && outcome.error.contains("basic_encoding"))
    #expect(!outcome.error.contains("conf secret"))
    #expect(try place.stored("ci", kind: "client-secret") == nil)
  }

  @Test(
    "text that is not a token is refused: status 2, nothing stored",
    arguments: ["", "\n", "two words", "{\"a\":", "{\"refresh_token\":\"x\"}"])
  func garbage(text: String) async throws {
    let place = try Workplace()
    let outcome = try await place.run(
      ["login", "work", "--flow", "token", "--client-id", "cli", "--api", place.lab.origin], input: .text(text))
    outcome.expect(2)
    #expect(try place.stored() == nil)
    #expect(!FileManager.default.fileExists(atPath: place.file().path))
  }

  @Test("a setting that the profile's file says otherwise: status 2, the file stays, nothing is sent")
  func conflict() async throws {
    let place = try Workplace()
    try place.makeProfile()
    let before = try Data(contentsOf: place.file())
    let outcome = try await place.run(
      ["login", "work", "--client-id", "other", "--password-stdin"], input: .text(Workplace.password))
    outcome.expect(2, error: "--client-id")
    #expect(try Data(contentsOf: place.file()) == before)
    #expect(try await place.lab.lastRequests().isEmpty)
  }

  @Test("an unknown or ill-typed key of a profile: status 2 with file, line, column and the nearest known key")
  func strictProfile() async throws {
    let place = try Workplace()
    try place.makeProfile("work", "refresh_befor = \"60s\"")
    let outcome = try await place.run("status", "work")
    #expect(outcome.status == 2)
    #expect(outcome.error.contains("work.toml:7:1"), "\(outcome.error)")
    #expect(outcome.error.contains("did you mean 'refresh_before'"), "\(outcome.error)")
  }

  @Test("--json prints the session, without any token")
  func json() async throws {
    let place = try Workplace()
    try place.makeProfile()
    let outcome = try await place.run(
      ["login", "work", "--password-stdin", "--json"], input: .text(Workplace.password))
    outcome.expect(0)
    #expect(try outcome.json().string("state") == "valid")
    #expect(!outcome.text.contains(try #require(try place.pair().string("access_token"))))
  }

  @Test(
    "a secret as an argument is refused, and not repeated",
    arguments: ["--password", "--client-secret", "--refresh-token"])
  func secretArgument(option: String) async throws {
    let place = try Workplace(.none)
    let outcome = try await place.run("login", "work", "\(option)=do-not-tell")
    #expect(outcome.status == 2)
    #expect(!outcome.error.contains("do-not-tell"), "\(outcome.error)")
  }
}
