import AuthCore
import Foundation
import TestSupport
import Testing

@testable import AuthctlCLI

/// `login` without arguments.
@Suite("LoginQuestions") struct LoginQuestionsTests {
  private static let address = "Address of the API or of its server: "
  private static let api = "API that gets the token [none]: "
  private static func client(_ place: Workplace) -> String {
    "Client ID for \(place.lab.origin.dropFirst("http://".count)): "
  }
  private static let flow = "Flow, browser or device [browser]: "

  /// Runs `login` at a terminal with these answers.
  private func login(
    _ place: Workplace, _ answers: [String], options: [String] = [], browser: FakeBrowser? = nil
  ) async throws -> (outcome: Outcome, console: FakeConsole) {
    let console = try FakeConsole(isTerminal: true, answers: answers)
    let parts = Workplace.Parts(browser: browser ?? place.browser())
    return (await place.run(["login"] + options, at: console, with: parts), console)
  }

  private func text(_ place: Workplace, suffix: String = "") throws -> String {
    let name = AddressRunTests.name(place.lab) + suffix
    return try String(contentsOf: place.file(name), encoding: .utf8)
      .replacing(place.lab.origin, with: "ORIGIN").replacing(name, with: "NAME")
  }

  private func nothingWasStored(_ place: Workplace) -> Bool {
    !FileManager.default.fileExists(atPath: place.configuration.path) && place.secrets.items.isEmpty
  }

  @Test("asks for the address and what is missing, and writes the same profile as login URL")
  func first() async throws {
    let place = try await AddressRunTests.place()
    let (outcome, console) = try await login(place, [place.lab.origin + "/api", "", "cli"])
    outcome.expect(0)
    #expect(console.questions == [Self.address, Self.flow, Self.client(place)])
    let lines = console.errorLines
    #expect(lines.first?.hasPrefix("API          \(place.lab.origin)/api ") == true, "\(lines)")
    #expect(lines.count { $0.hasPrefix("API ") || $0.hasPrefix("Server ") } == 2, "found once: \(lines)")
    #expect(try await place.run("call", "/me").status == 0)
    let other = try await AddressRunTests.place()
    #expect(try await AddressRunTests.login(other, other.lab.origin + "/api").status == 0)
    // The client was asked for after discovery: its line may be another one.
    #expect(try text(place).split(separator: "\n").sorted() == text(other).split(separator: "\n").sorted())
  }

  @Test("a host without a scheme is enough; options that name nothing still apply")
  func host() async throws {
    let place = try await AddressRunTests.place()
    let host = place.lab.origin.dropFirst("http://".count)
    let (outcome, console) = try await login(place, ["  \(host)/api ", "browser", "cli"], options: ["--json"])
    outcome.expect(0)
    #expect(console.written.contains("\"state\""))
    #expect(try text(place).contains("flow = \"browser\"\n"))
  }

  @Test("for a server's address it asks for the API", arguments: [true, false])
  func server(isGiven: Bool) async throws {
    let place = try Workplace()
    let api = isGiven ? place.lab.origin + "/api" : ""
    let (outcome, console) = try await login(place, [place.lab.origin, api, "", "cli"])
    outcome.expect(0)
    #expect(console.questions == [Self.address, Self.api, Self.flow, Self.client(place)])
    #expect(try text(place, suffix: isGiven ? "" : "-server").contains("api = [\"ORIGIN/api\"]") == isGiven)
  }

  @Test("metadata that must not be used ends the login: no answer could change it")
  func unsafe() async throws {
    let place = try Workplace()
    place.network.add("https://api.example") { _ in
      "HTTP/1.1 200 OK\nContent-Type: application/json\n\n"
        + #"{"resource":"https://bank.example","authorization_servers":["https://id.example"]}"#
    }
    let (outcome, console) = try await login(place, ["https://api.example"])
    outcome.expect(6)
    #expect(console.questions == [Self.address])
  }

  @Test("a host without a dot, a port or a path is an address here")
  func shortHosts() async throws {
    for text in ["intranet/api", "intranet:8080", "[2001:db8::1]:80"] {
      let place = try Workplace()
      let (outcome, console) = try await login(place, [text])
      outcome.expect(5)
      #expect(console.questions == [Self.address])
      let typed = try await place.run("login", text)
      #expect(typed.status == 2)
      #expect(typed.error.contains("authctl login \(text.contains("[") ? "'" : "")https://\(text)"), "\(typed.error)")
    }
  }

  @Test("an answer that can't be used is explained, and asked for again")
  func again() async throws {
    let place = try await AddressRunTests.place()
    let answers = ["", "http://api.example.com", "work", place.lab.origin + "/api", "telephone", "", "cli"]
    let (outcome, console) = try await login(place, answers)
    outcome.expect(0)
    #expect(console.questions.count { $0 == Self.address } == 4 && console.questions.count { $0 == Self.flow } == 2)
    #expect(outcome.error.contains("plain http") && outcome.error.contains("type browser or device"))
  }

  @Test("the end of the input, at any question, leaves nothing behind: status 2", arguments: 0...2)
  func ended(answered: Int) async throws {
    let place = try Workplace()
    let answers = [place.lab.origin, ""].prefix(answered)
    let (outcome, console) = try await login(place, Array(answers))
    #expect(outcome.status == 2 && console.questions.count == answered + 1, "\(console.questions)")
    #expect(
      outcome.error.hasSuffix("authctl: login: the input has ended; nothing was stored\n  run: authctl login URL\n"))
    #expect(nothingWasStored(place))
    #expect(try await place.lab.count("token") == 0)
  }

  @Test(
    "a keyring that can't be read ends a first login before its first question and request: status 4",
    arguments: [
      ([], "the keyring can't be read: it is "), (["gh", "--template", "github"], "the keyring: it is "),
      (["https://api.example"], "the keyring: it is "),
    ])
  func noKeyring(options: [String], message: String) async throws {
    let place = try Workplace(.none)
    let (outcome, console) = try await login(place, ["https://api.example"], options: options)
    #expect(outcome.status == 4 && console.questions.isEmpty, "\(console.questions)")
    #expect(outcome.error.hasPrefix("authctl: \(message)"), "\(outcome.error)")
    #expect(place.network.sent == 0)
  }

  @Test("with profiles, whose stores may be others, the keyring is read when the address needs it, before any request")
  func noKeyringForAnother() async throws {
    let place = try Workplace(.none)
    let key = place.folder.appending(path: "store.key").path
    #expect(try await place.run("profile", "new-key", key).status == 0)
    let store = "store = \"file\"\nstore_key = \"\(key)\""
    try place.makeProfile("one", store)
    try place.makeProfile("two", store + "\napi = [\"https://two.example\"]")
    let choice = "Profile: "
    let (outcome, console) = try await login(place, ["3", "https://api.example"])
    #expect(outcome.status == 4 && console.questions == [choice, Self.address], "\(console.questions)")
    #expect(place.network.sent == 0)
    let (known, asked) = try await login(place, ["3", place.lab.origin + "/api", Workplace.password])
    known.expect(0)
    #expect(asked.questions.prefix(2) == [choice, Self.address])
  }

  @Test("a login that is denied after the questions leaves nothing behind: status 6")
  func denied() async throws {
    let place = try await AddressRunTests.place()
    let (outcome, _) = try await login(
      place, [place.lab.origin + "/api", "", "cli"], browser: place.browser(.deny))
    outcome.expect(6)
    #expect(nothingWasStored(place))
  }

  @Test("the name of a template starts from it, and its values are asked for")
  func template() async throws {
    let place = try Workplace()
    let base = place.lab.origin + "/" + ServerKind.flat.name
    let (outcome, console) = try await login(place, ["json-pair", base, "alice", Workplace.password])
    outcome.expect(0)
    #expect(console.questions.prefix(2).last?.hasPrefix("base (") == true, "\(console.questions)")
    #expect(try String(contentsOf: place.file("json-pair"), encoding: .utf8).contains("base = \"\(base)\""))
  }

  @Test("asks nothing where there is no terminal or --non-interactive: status 2, and the command is named")
  func noTerminal() async throws {
    let place = try Workplace()
    let piped = try await place.run("login")
    let (refused, console) = try await login(place, [place.lab.origin], options: ["--non-interactive"])
    for outcome in [piped, refused] {
      outcome.expect(2, error: "authctl login URL")
    }
    #expect(console.questions.isEmpty)
    #expect(try await place.lab.lastRequests().isEmpty)
  }

  // MARK: - With profiles

  @Test("with one profile, or a default one, it is the login of that profile", arguments: [false, true])
  func one(hasOthers: Bool) async throws {
    let place = try Workplace()
    try place.makeProfile("work", hasOthers ? "default = true" : "")
    if hasOthers { try place.makeProfile("ci") }
    let (outcome, console) = try await login(place, [Workplace.password])
    outcome.expect(0)
    #expect(console.questions.count == 1 && console.hiddenQuestions == console.questions)
    #expect(try place.stored("work") != nil)
  }

  @Test(
    "with several profiles one is chosen by its number or name",
    arguments: [(["2"], "work"), (["ci"], "ci"), (["0", "4", "x", "", "1"], "ci")])
  func several(answers: [String], name: String) async throws {
    let place = try Workplace()
    for name in ["work", "ci"] { try place.makeProfile(name) }
    let (outcome, console) = try await login(place, answers + [Workplace.password])
    outcome.expect(0)
    #expect(outcome.error.hasPrefix("  1  ci\n  2  work\n  3  another address\n"), "\(outcome.error)")
    #expect(console.questions.dropLast() == Array(repeating: "Profile: ", count: answers.count)[...])
    #expect(try place.stored(name) != nil)
    #expect(place.secrets.items.count == 1)
    let piped = try await place.run("login")
    piped.expect(2, error: "more than one profile matches: ci, work")
  }

  @Test("with several profiles another address can be chosen; one that a profile is for is that profile's login")
  func another() async throws {
    let place = try await AddressRunTests.place()
    for name in ["work", "ci"] {
      try place.write("type = \"basic\"\nusername = \"alice\"\napi = [\"https://\(name).example\"]\n", as: name)
    }
    let (outcome, console) = try await login(place, ["3", place.lab.origin + "/api", "", "cli"])
    outcome.expect(0)
    #expect(console.questions == ["Profile: ", Self.address, Self.flow, Self.client(place)])
    #expect(try place.stored(AddressRunTests.name(place.lab)) != nil)
    let (known, second) = try await login(place, ["4", "https://ci.example", "secret"])
    #expect(known.status == 0 && second.questions.count == 3, "\(known.error)")
    #expect(place.secrets.items.keys.contains { $0.profile == "ci" && $0.kind == .password })
  }
}
