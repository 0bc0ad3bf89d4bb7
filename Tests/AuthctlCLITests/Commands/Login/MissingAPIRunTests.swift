import Foundation
import TestSupport
import Testing

@testable import AuthctlCLI

/// Logins that find no API, and how one is added.
@Suite("MissingAPIRun") struct MissingAPIRunTests {
  private static let question = "API that gets the token [none]: "

  /// The name of the profile of a login to the server that found no API.
  private static func serverName(_ place: Workplace) -> String { AddressRunTests.name(place.lab) + "-server" }

  private func login(
    _ place: Workplace, _ words: [String], answers: [String]
  ) async throws -> (outcome: Outcome, console: FakeConsole) {
    let console = try FakeConsole(isTerminal: true, answers: answers)
    return (await place.run(["login"] + words, at: console, with: .init(browser: place.browser())), console)
  }

  private func addition(_ place: Workplace) -> String { "api = [\"\(place.lab.origin)/api\"]" }

  // MARK: - A login with the address of a server

  @Test("at a terminal, login ISSUER asks for the API, and then for the client; call works at once")
  func asked() async throws {
    let place = try Workplace()
    let (outcome, console) = try await login(
      place, [place.lab.origin], answers: ["x y", place.lab.origin + "/api", "cli"])
    outcome.expect(0)
    let client = "Client ID for \(place.lab.origin.dropFirst("http://".count)): "
    #expect(console.questions == [Self.question, Self.question, client])
    #expect(outcome.error.hasSuffix("Next: authctl call \(place.lab.origin)/api\n"), "\(outcome.error)")
    #expect(try AddressRunTests.text(place).contains(addition(place) + "\n"))
    #expect(try await place.run("call", "me").status == 0)
  }

  @Test("without an answer, and without a terminal, a warning has the command that adds one", arguments: [true, false])
  func warned(isTerminal: Bool) async throws {
    let place = try Workplace()
    let words = [place.lab.origin, "--client-id", "cli"]
    let outcome =
      isTerminal
      ? try await login(place, words, answers: [""]).outcome
      : try await place.run(["login"] + words, browser: place.browser())
    outcome.expect(0)
    let name = Self.serverName(place)
    #expect(
      outcome.error.contains(
        "authctl: warning: no api is set: authctl call refuses every URL; run: authctl login \(name) --api URL\n"),
      "\(outcome.error)")
    #expect(outcome.error.hasSuffix("Next: authctl inspect --online\n"), "\(outcome.error)")
    #expect(try await place.run("inspect", "--online").status == 0)
  }

  @Test("nothing is asked where --api is given, and with --non-interactive")
  func notAsked() async throws {
    for more in [["--api", "ORIGIN/api"], ["--non-interactive"]] {
      let place = try Workplace()
      let words =
        [place.lab.origin, "--client-id", "cli"] + more.map { $0.replacing("ORIGIN", with: place.lab.origin) }
      let (outcome, console) = try await login(place, words, answers: ["unused"])
      outcome.expect(0)
      #expect(console.questions.isEmpty)
      #expect(
        FileManager.default.fileExists(atPath: place.file(AddressRunTests.name(place.lab)).path) == (more.count == 2))
    }
  }

  @Test("a login that found no API leaves the host's name to the right URL, and call finds the profile with an API")
  func nameStaysFree() async throws {
    let place = try await AddressRunTests.place()
    let origin = place.lab.origin
    try await place.lab.change(#"{"resource_metadata":false}"#)
    #expect(try await AddressRunTests.login(place, origin).status == 0)
    #expect(try String(contentsOf: place.file(Self.serverName(place)), encoding: .utf8).contains("issuer"))
    // The same address, or a page of the server, is the same profile.
    for path in ["", "/account"] {
      let again = try await AddressRunTests.login(place, origin + path)
      again.expect(0, error: "Profile      \(Self.serverName(place)) ")
    }
    try await place.lab.change(#"{"resource_metadata":true}"#)
    let right = try await AddressRunTests.login(place, origin + "/api")
    right.expect(0)
    #expect(right.error.hasSuffix("Next: authctl call \(origin)/api\n"), "\(right.error)")
    #expect(try AddressRunTests.text(place).contains(addition(place)))
    let call = try await place.run("call", "me")
    call.expect(0)
  }

  @Test("of a profile that is the default and has no API, call says how to add one")
  func defaultWithoutAPI() async throws {
    let place = try await Workplace.loggedIn()
    try place.write("issuer = \"\(place.lab.origin)\"\nclient_id = \"cli\"\ndefault = true\n", as: "other")
    let outcome = try await place.run("call", "me")
    outcome.expect(2, error: "authctl login other --api URL")
  }

  // MARK: - Adding one

  /// A profile without an API, with comments.
  private func makeBare(_ place: Workplace) throws -> String {
    let text = """
      # Mine.
      issuer = "\(place.lab.origin)"
      client_id = "cli"
      flow = "password"
      username = "alice"
      scope = [
        "api",
      ]
      # api = ["https://api.example"] is what I tried.

      [network]
      timeout = "20s"

      """
    try place.write(text)
    return text
  }

  @Test("login NAME --api URL adds one line to the file of a profile that has no API, and changes nothing else")
  func added() async throws {
    let place = try Workplace()
    let text = try makeBare(place)
    let outcome = try await place.run(
      ["login", "work", "--api", place.lab.origin + "/api", "--password-stdin"], input: .text(Workplace.password))
    outcome.expect(0, error: "authctl: \(addition(place)) added to \(place.file().path)\n")
    #expect(!outcome.error.contains("no api is set"), "\(outcome.error)")
    let now = try String(contentsOf: place.file(), encoding: .utf8)
    #expect(now == text.replacing("  \"api\",\n]\n", with: "  \"api\",\n]\n\(addition(place))\n"))
    #expect(try await place.run("call", "me").status == 0)
    let again = try await place.run(
      ["login", "work", "--api", place.lab.origin + "/api", "--password-stdin"], input: .text(Workplace.password))
    #expect(again.status == 0 && !again.error.contains(" added to "), "\(again.error)")
    let other = try await place.run(
      ["login", "work", "--api", place.lab.origin, "--password-stdin"], input: .text(Workplace.password))
    #expect(
      other.status == 2 && other.error.contains("already exists with a different value for api"), "\(other.error)")
    #expect(try String(contentsOf: place.file(), encoding: .utf8) == now)
  }

  @Test("a login that fails adds nothing, and neither does one to a profile whose file says that there is none")
  func notAdded() async throws {
    let place = try Workplace()
    let text = try makeBare(place)
    let words = ["login", "work", "--api", place.lab.origin + "/api", "--password-stdin"]
    #expect(try await place.run(words, input: .text("wrong")).status == 6)
    #expect(try String(contentsOf: place.file(), encoding: .utf8) == text)
    try place.write(text.replacing("\n[network]", with: "api = []\n[network]"))
    let stated = try await place.run(words, input: .text(Workplace.password))
    stated.expect(2, error: "different value for api")
  }

  @Test("a profile of type custom without an API gets one, too")
  func custom() async throws {
    let place = try Workplace()
    let text = ServerKind.flat.profile(place.lab.origin)
    let bare = text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("api = ") }
      .joined(separator: "\n")
    #expect(bare != text)
    try place.write(bare)
    let outcome = try await place.run(
      ["login", "work", "--api", place.lab.origin + "/kind1"] + ServerKind.flat.options,
      input: .text(Workplace.password))
    outcome.expect(0)
    #expect(try await place.run("call", "me").status == 0)
  }

  // MARK: - What call says

  @Test("call advises the login that adds the API to the profile that has none, not a second profile: path, URL, -p")
  func refusal() async throws {
    let place = try Workplace()
    _ = try makeBare(place)
    try await place.logIn()
    let origin = place.lab.origin
    for (words, status, hint) in [
      (["me"], 2, "authctl login work --api URL"), (["-p", "work", "me"], 2, "authctl login work --api URL"),
      ([origin + "/api/me"], 7, "authctl login work --api \(origin)\n"),
      (["-p", "work", origin + "/api/me"], 7, "authctl login work --api \(origin);"),
      (["http://api.example/v1"], 7, "authctl login work --api https://api.example\n"),
    ] as [([String], Int32, String)] {
      let outcome = try await place.run(["call"] + words)
      #expect(outcome.status == status && outcome.error.contains(hint), "\(words): \(outcome.error)")
    }
    let typed = try await place.run(
      ["login", "work", "--api", origin, "--password-stdin"], input: .text(Workplace.password))
    typed.expect(0)
    #expect(try await place.run("call", origin + "/api/me").status == 0)
    // With an API of its own, the profile is not the one that is meant.
    let other = try await place.run("call", "https://api.example/v1")
    other.expect(7, error: "authctl login https://api.example/v1\n")
  }
}
