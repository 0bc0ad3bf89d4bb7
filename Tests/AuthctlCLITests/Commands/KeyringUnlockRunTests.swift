import AuthCore
import Foundation
import TestSupport
import Testing

@testable import AuthctlCLI

@Suite("keyring unlock, in process")
struct KeyringUnlockRunTests {
  private let place: Workplace

  init() throws { place = try Workplace() }

  private func run(
    _ arguments: [String] = [], _ keyring: FakeKeyring, at console: FakeConsole? = nil, input: String? = nil,
    environment: [String: String] = [:]
  ) async throws -> Outcome {
    await place.run(
      ["keyring", "unlock"] + arguments, at: try console ?? FakeConsole(text: input.map { Data($0.utf8) }),
      environment: environment, with: .init(keyring: keyring))
  }

  /// The folder of a service's credentials, with this one in it.
  private func credential(_ name: String, _ text: String) throws -> [String: String] {
    let file = try place.file("credentials/\(name)", holding: text)
    return ["CREDENTIALS_DIRECTORY": URL(filePath: file).deletingLastPathComponent().path]
  }

  @Test(
    "one line end at the end of the password is dropped, and nothing else",
    arguments: [
      ("pw", "pw"), ("pw\n", "pw"), ("pw\r\n", "pw"), ("pw\n\n", "pw\n"), (" p w \t\n", " p w \t"), ("\np", "\np"),
    ])
  func lineEnd(text: String, password: String) async throws {
    let file = try place.secretFile(text)
    let environment = try credential("authctl-keyring", text)
    for (arguments, input) in [(["--password-stdin"], text), (["--password-file", file], ""), ([], "")] {
      let keyring = FakeKeyring(.locked(password))
      let outcome = try await run(arguments, keyring, input: input, environment: environment)
      outcome.expect(0)
      #expect(outcome.error == "authctl: keyring unlocked\n")
      #expect(keyring.given == [password], "\(arguments)")
      #expect(keyring.now == .unlocked)
    }
  }

  @Test("a keyring that does not exist is created")
  func created() async throws {
    let keyring = FakeKeyring(.missing)
    let outcome = try await run(["--password-stdin"], keyring, input: "new")
    #expect(outcome.status == 0 && outcome.text.isEmpty)
    #expect(outcome.error == "authctl: keyring created and unlocked\n")
    #expect(keyring.given == ["new"] && keyring.now == .unlocked)
    #expect(try await run(["-q", "--password-stdin"], FakeKeyring(), input: "new").error.isEmpty)
  }

  @Test("an unlocked keyring needs no password: nothing is asked or read", arguments: [true, false])
  func unlocked(isTerminal: Bool) async throws {
    let keyring = FakeKeyring(.unlocked)
    let console = try FakeConsole(isTerminal: isTerminal, text: Data("pw".utf8))
    for arguments in [[], ["--password-stdin"], ["--password-file", "/nonexistent"]] {
      let outcome = try await run(arguments, keyring, at: console)
      outcome.expect(0)
    }
    #expect(console.questions.isEmpty && keyring.given.isEmpty)
    #expect(console.error == String(repeating: "authctl: the keyring is already unlocked\n", count: 3))
    #expect(try await run(["--quiet"], keyring).error.isEmpty)
    // Standard input still has all of it.
    if !isTerminal { #expect(try console.readAllInput(for: "the rest") == "pw") }
  }

  @Test("at a terminal the password is asked for without echo", arguments: [[], ["--password-stdin"]])
  func prompt(arguments: [String]) async throws {
    let keyring = FakeKeyring(.locked("pw"))
    let console = try FakeConsole(answers: ["pw"])
    #expect(try await run(arguments, keyring, at: console).status == 0)
    #expect(console.hiddenQuestions == ["Password of the keyring: "])
    #expect(keyring.given == ["pw"])
  }

  @Test("a wrong password: status 4, and no word of it anywhere")
  func wrong() async throws {
    let keyring = FakeKeyring(.locked("right"))
    let outcome = try await run(["-vv", "--password-stdin"], keyring, input: "wrong-secret")
    #expect(outcome.status == 4)
    #expect(!(outcome.error + outcome.text).contains("wrong-secret"))
    #expect(keyring.now == .locked("right"))
  }

  @Test("without a source and a terminal: status 2, and the service is not started", arguments: [true, false])
  func noSource(isTerminal: Bool) async throws {
    let keyring = FakeKeyring()
    let console = try FakeConsole(isTerminal: isTerminal)
    let outcome = try await run(isTerminal ? ["--non-interactive"] : [], keyring, at: console)
    #expect(outcome.status == 2)
    #expect(
      outcome.error == """
        authctl: the keyring's password: it is missing, and there is no terminal to ask at
          use --password-stdin, --password-file FILE, or the systemd credential authctl-keyring

        """)
    #expect(keyring.given.isEmpty && console.questions.isEmpty)
  }

  @Test(
    "two sources: status 2",
    arguments: [
      (["--password-stdin", "--password-file", "f"], "stdin", "file"),
      (["--password-credential", "c", "--password-file", "f"], "file", "credential"),
      (["--password-credential=c", "--password-stdin"], "stdin", "credential"),
    ])
  func together(arguments: [String], one: String, other: String) async throws {
    // Found before the keyring is looked at.
    let outcome = try await run(arguments, FakeKeyring(.unlocked), input: "pw")
    #expect(outcome.status == 2)
    #expect(outcome.error.hasPrefix("authctl: --password-\(one): can't be combined with --password-\(other)\n"))
  }

  @Test("an empty password, or one with a null character: status 2", arguments: ["", "\n", "p\0w"])
  func unusable(text: String) async throws {
    let keyring = FakeKeyring()
    for arguments in [["--password-stdin"], ["--password-file", try place.secretFile(text)]] {
      let outcome = try await run(arguments, keyring, input: text)
      outcome.expect(2)
    }
    #expect(try await run([], keyring, at: FakeConsole(answers: [""])).status == 2)
    #expect(keyring.given.isEmpty)
  }

  @Test("a password file that others may read, or that is missing: status 2, also without a bus")
  func file() async throws {
    let file = try place.secretFile("pw")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    for keyring in [FakeKeyring(.locked("pw")), FakeKeyring(.failing(.noBus))] {
      let outcome = try await run(["--password-file", file], keyring)
      #expect(outcome.status == 2)
      #expect(
        outcome.error == """
          authctl: the keyring's password: \(file): other users may access it (mode 644)
            run: chmod 600 \(file); or use --password-stdin

          """)
      #expect(try await run(["--password-file", file + "x"], keyring).status == 2)
      #expect(keyring.given.isEmpty)
    }
  }

  @Test("an option goes before the usual credential, which goes before a prompt")
  func credentials() async throws {
    var environment = try credential("authctl-keyring", "usual\n")
    environment.merge(try credential("other", "named\n")) { $1 }
    let file = try place.secretFile("filed")
    let lines: [([String], String)] = [
      ([], "usual"), (["--password-credential", "other"], "named"), (["--password-file", file], "filed"),
      (["--password-stdin"], "typed"),
    ]
    for (arguments, password) in lines {
      let keyring = FakeKeyring()
      let console = try FakeConsole(isTerminal: arguments.isEmpty, text: Data("typed".utf8))
      let outcome = try await run(arguments, keyring, at: console, environment: environment)
      outcome.expect(0)
      #expect(keyring.given == [password] && console.questions.isEmpty)
    }
  }

  @Test("a credential that the service does not have: status 2, with the line that adds it")
  func noCredential() async throws {
    let environment = try credential("authctl-keyring", "usual")
    let missing = try await run(["--password-credential", "other"], FakeKeyring(), environment: environment)
    #expect(missing.status == 2)
    #expect(missing.error.contains("\n  add LoadCredential=other:/path/to/the/file to the service"), "\(missing.error)")
    #expect(try await run(["--password-credential", "other"], FakeKeyring()).status == 2)
    let path = try await run(["--password-credential", "../other"], FakeKeyring(), environment: environment)
    #expect(path.status == 2)
    #expect(path.error.contains("not the name of a credential"), "\(path.error)")
  }

  @Test("a keyring that can't be read: status 4, before anything is asked", arguments: [StorageFault.noBus, .locked])
  func failing(fault: StorageFault) async throws {
    let keyring = FakeKeyring(.failing(fault))
    let console = try FakeConsole(isTerminal: true, answers: ["pw"])
    let outcome = try await run([], keyring, at: console)
    #expect(outcome.status == 4)
    #expect(outcome.error == "authctl: the keyring: it is \(fault.rawValue)\n  check it\n")
    #expect(console.questions.isEmpty && keyring.given.isEmpty)
    let error = try await run(["--errors=json", "--password-stdin"], keyring, input: "pw").errorJSON()
    #expect(error.string("code") == "keyring" && error.integer("exit") == 4)
  }

  @Test("keyring alone shows its help: status 2; no operand is accepted")
  func family() async throws {
    let outcome = try await place.run("keyring")
    #expect(outcome.status == 2 && outcome.error.contains("keyring unlock"))
    #expect(try await run(["extra"], FakeKeyring(.unlocked)).status == 2)
  }
}
