import AuthCore
import Foundation
import TestSupport
import Testing

@testable import AuthctlCLI

@Suite("Contradictions") struct ContradictionTests {
  private struct NoStore: SecretStore {
    func load(_ item: SecretItem) async throws(AuthError) -> Secret? { nil }
    func save(_ secret: Secret, as item: SecretItem) async throws(AuthError) {}
    func clear(_ item: SecretItem) async throws(AuthError) {}
  }

  private struct NoTransport: HTTPTransport {
    func send(_ transfer: Transfer) async throws -> TransferResponse {
      throw TransportError.unusable(detail: "a test sends nothing")
    }
  }

  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    let oauth = "issuer = \"https://id.example\"\nclient_id = \"cli\"\nflow = \"password\"\n"
    let profiles = [
      "public": oauth, "confidential": oauth + "client_authentication = \"client_secret_basic\"\n",
      "custom": """
      type = "custom"
      base = "https://api.example"
      [requests.login]
      url = "/login"
      json = { username = "{username}", password = "{password}" }
      [response]
      access_token = "/token"

      """,
    ]
    for (name, text) in profiles { try folder.write(text, to: "authctl/profiles/\(name).toml") }
    try folder.write("secret", to: "secret")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: folder.url.appending(path: "secret").path)
  }

  /// Runs a command at a terminal; the status, what was asked, and the messages.
  private func run(_ words: [String]) async throws -> (status: Int32, questions: [String], error: String) {
    let console = try FakeConsole(isTerminal: true)
    let environment = ["HOME": folder.url.path, "XDG_CONFIG_HOME": folder.url.path]
    let context = Context(
      environment: environment, console: console, transport: { NoTransport() }, secrets: { _ in NoStore() })
    let status = await Application(context).run(words)
    return (status, console.questions, console.error)
  }

  @Test(
    "a call that can't be made is refused before the password of -u is asked for",
    arguments: [
      ["--no-auth"], ["-X", "a b"], ["-H", "Authorization: x"], ["-H", "@/nowhere"], ["-r", "x"], ["-A", "a\u{1}"],
      ["-E", "c:password"], ["-x", "http://u:p@proxy.example"], ["--resolve", "x"], ["--unix-socket", ""], ["-o", ""],
      ["-f", "--no-fail"], ["-w", "@/nowhere"], ["-T", "/nowhere"], ["-d", "a", "-F", "b=c"], ["-d", "@/nowhere"],
      ["-C", "1", "-r", "1-"], ["-C", "9", "-T", "/dev/null"], ["-p", "absent", "path"], ["http://api.example/"],
    ])
  func call(words: [String]) async throws {
    let outcome = try await run(["call", "-u", "alice", "https://api.example/x"] + words)
    let status: Int32 = words == ["http://api.example/"] ? 7 : 2
    #expect(outcome.status == status && outcome.questions.isEmpty, "\(outcome)")
  }

  @Test("a call that can be made asks for the password of -u, once for all addresses")
  func asked() async throws {
    let outcome = try await run(["call", "-u", "alice", "https://api.example/x", "https://api.example/y"])
    #expect(outcome.questions == ["Password of alice: "] && outcome.status == 2)
  }

  @Test(
    "a login that can't use a secret is refused before anything is asked",
    arguments: [
      ["public", "--client-secret-stdin"], ["public", "--client-key-stdin"],
      ["confidential", "--flow", "token", "--client-secret-stdin"],
      ["confidential", "--client-secret-stdin", "--flow", "token-exchange", "--actor-token-type", "jwt"],
      ["confidential", "--client-secret-stdin", "--password-stdin"],
      ["confidential", "--client-secret-stdin", "--client-secret-file", "SECRET"],
      ["confidential", "--password-stdin", "--password-file", "SECRET"],
      ["confidential", "--flow", "device", "--client-secret-stdin", "--subject-token-file", "/x"],
      ["custom", "--password-stdin", "--field", "password=@SECRET"], ["custom", "--field", "name=x"],
    ])
  func login(words: [String]) async throws {
    let secret = folder.url.appending(path: "secret").path
    let outcome = try await run(["login"] + words.map { $0.replacing("SECRET", with: secret) })
    #expect(outcome.status == 2 && outcome.questions.isEmpty, "\(outcome)")
  }

  @Test("the file of a field that is a secret is refused if others may read it")
  func field() async throws {
    let secret = folder.url.appending(path: "secret").path
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: secret)
    let outcome = try await run(["login", "custom", "--username", "alice", "--field", "password=@\(secret)"])
    #expect(outcome.status == 2, "\(outcome)")
    #expect(outcome.error.contains("\(secret): other users may access it (mode 644)"), "\(outcome)")
  }
}
