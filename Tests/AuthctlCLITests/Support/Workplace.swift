import AuthCore
import Foundation
import TestSupport

@testable import AuthctlCLI

/// All that one person has, in this process: folders, a keyring in memory, and a server to log in to.
///
/// Its interface is that of the end-to-end tests' workplace.
final class Workplace: Sendable {
  /// What the keyring is like.
  enum Keyring: Sendable {
    /// It works.
    case unlocked
    /// Every operation fails so.
    case failing(StorageFault)
    /// There is none.
    static let none = Keyring.failing(.noService)
  }

  /// The password of `alice` at the server.
  static let password = "alice-pass"
  /// The home of the person.
  var folder: URL { home.url }
  /// The keyring.
  let secrets = MemorySecrets()
  /// The clocks of the machine and of the server, which move only on demand.
  let clocks = SetClocks()
  /// The memory for cached tokens.
  let cache: MemoryCache
  /// What connects the servers.
  let network = LabNetwork()
  /// The server.
  let lab: LabServer
  /// The ports that take the place of the fixed ones, which tests that run in parallel would have to share.
  let redirectPorts: [Int]
  /// The commands of `[on]`.
  let hooks = FakeHooks()
  private let home: TemporaryDirectory

  /// Creates a workplace and its server, whose access tokens live for ten minutes unless the arguments say otherwise.
  ///
  /// - Parameter parent: where its folder is.
  init(
    _ keyring: Keyring = .unlocked, lab arguments: [String] = [],
    in parent: URL = FileManager.default.temporaryDirectory
  ) throws {
    home = try TemporaryDirectory(in: parent)
    cache = MemoryCache { [clocks] in clocks.reading.boot?.seconds ?? 0 }
    redirectPorts = try (0..<3).map { _ in Int(try FreePort.find()) }
    lab = try LabServer(["--access-lifetime", "600"] + arguments) { [clocks] in clocks.reading.time }
    network.add(lab)
    if case .failing(let fault) = keyring { secrets.fail(fault) }
  }

  /// Adds another server, with the command line of authlab.
  func otherLab(_ arguments: [String] = []) throws -> LabServer {
    let lab = try LabServer(arguments) { [clocks] in clocks.reading.time }
    network.add(lab)
    return lab
  }

  // MARK: - Running

  /// The parts of a run that few tests change.
  struct Parts: Sendable {
    var browser: any Browser = NoBrowser()
    var editor: any TextEditor = FakeEditor(failure: "there is none") { $0 }
    var replacement = FakeReplacement()
    var keyring = FakeKeyring()
    var silenceTime = Duration.seconds(600)
    var askingLineTime = Duration.seconds(600)
  }

  /// Runs authctl at a console.
  func run(
    _ arguments: [String], at console: FakeConsole, environment: [String: String] = [:], with parts: Parts = Parts()
  ) async -> Outcome {
    var context = Context.test(
      home: folder, environment: environment, console: console, transport: network, secrets: secrets,
      cache: cache,
      keyring: parts.keyring, clocks: clocks, browser: parts.browser, editor: parts.editor, hooks: hooks,
      replacement: parts.replacement,
      redirectPorts: redirectPorts)
    context.silenceTime = parts.silenceTime
    context.askingLineTime = parts.askingLineTime
    let start = ContinuousClock.now
    let status = await Application(context).run(arguments)
    return Outcome(
      status: status, output: console.writtenData, error: console.error,
      seconds: start.duration(to: .now) / .seconds(1))
  }

  /// Runs authctl with a text, or nothing, at its standard input.
  func run(
    _ arguments: [String], input: ProgramInput = .nothing, environment: [String: String?] = [:],
    browser: FakeBrowser? = nil
  ) async throws -> Outcome {
    var parts = Parts()
    if let browser { parts.browser = browser }
    return await run(
      arguments, at: try FakeConsole(text: input.bytes), environment: environment.compactMapValues { $0 }, with: parts)
  }

  /// Runs authctl.
  func run(_ arguments: String..., environment: [String: String?] = [:]) async throws -> Outcome {
    try await run(arguments, environment: environment)
  }

  /// A browser whose person has an account at the server.
  func browser(_ action: FakeBrowser.Action = .approve) -> FakeBrowser { FakeBrowser(server: lab, action: action) }

  /// The arguments of a first browser login at the server.
  func browserLogin(_ more: [String] = []) -> [String] {
    ["login", "work", "--issuer", lab.origin, "--client-id", "cli", "--api", lab.origin + "/api"]
      + ["--scope", "openid", "--scope", "api"] + more
  }

  // MARK: - Profiles

  /// The folder of authctl's configuration.
  var configuration: URL { folder.appending(path: "c/authctl") }

  /// The file of a profile.
  func file(_ profile: String = "work") -> URL { configuration.appending(path: "profiles/\(profile).toml") }

  /// Writes the file of a profile.
  func write(_ text: String, as profile: String = "work") throws {
    try FileManager.default.createDirectory(
      at: file().deletingLastPathComponent(), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try Data(text.utf8).write(to: file(profile))
  }

  /// Writes the file of a profile for the server: the password flow of a public client. A line of `more` replaces the
  /// line with the same key.
  func makeProfile(_ profile: String = "work", _ more: String = "", tables: String = "") throws {
    var lines = [
      "issuer = \"\(lab.origin)\"", "flow = \"password\"", "username = \"alice\"", "client_id = \"cli\"",
      "api = [\"\(lab.origin)/api\"]", "scope = [\"api\"]",
    ]
    for line in more.split(separator: "\n") {
      lines.removeAll { $0.hasPrefix(line.prefix { $0 != "=" }) }
      lines.append(String(line))
    }
    try write(lines.joined(separator: "\n") + "\n" + tables, as: profile)
  }

  /// Writes a file that only its owner may read.
  func secretFile(_ secret: String, _ name: String = "secret") throws -> String {
    let path = try home.write(secret, to: name)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    return path
  }

  /// Writes a file, whose path is returned.
  func file(_ name: String, holding text: String) throws -> String { try home.write(text, to: name) }

  /// Runs a login by password to a profile that exists.
  func passwordLogin(_ profile: String = "work") async throws -> Outcome {
    try await run(["login", profile, "--password-stdin"], input: .text(Workplace.password))
  }

  /// Logs in to a profile that exists, by password.
  func logIn(_ profile: String = "work") async throws {
    let outcome = try await passwordLogin(profile)
    guard outcome.status == 0 else { throw SessionError("no login: \(outcome.error)") }
  }

  /// A workplace with the profile `work`, logged in to, and with fresh counters.
  static func loggedIn(_ more: String = "", tables: String = "", lab arguments: [String] = []) async throws -> Workplace
  {
    let workplace = try Workplace(lab: arguments)
    try workplace.makeProfile("work", more, tables: tables)
    try await workplace.logIn()
    try await workplace.lab.reset()
    return workplace
  }

  // MARK: - The keyring

  /// What is stored, byte for byte; nil if there is no such item.
  /// - Throws: `SessionError` if no kind of item has this name.
  func stored(_ profile: String = "work", kind: String = "tokens") throws -> String? {
    guard let kind = SecretItem.Kind(rawValue: kind) else { throw SessionError("no kind of item: \(kind)") }
    return secrets.items[SecretItem(profile: profile, kind: kind)]?.exposed
  }

  /// The client registered at the server, as it is stored; nil if there is none.
  func registration() throws -> JSONObject? {
    try secrets.items[SecretItem(registrationAt: lab.origin)].map { try JSONObject(Data($0.exposed.utf8)) }
  }

  /// The stored client secret; nil if there is none.
  func clientSecret(_ profile: String = "work") throws -> String? {
    try stored(profile, kind: "client-secret").flatMap { try JSONObject(Data($0.utf8)).string("secret") }
  }

  /// The stored pair.
  /// - Throws: `SessionError` if there is none.
  func pair(_ profile: String = "work") throws -> JSONObject {
    guard let text = try stored(profile) else { throw SessionError("nothing is stored") }
    return try JSONObject(Data(text.utf8))
  }

  /// Lets time pass until the stored access token has expired by the clock.
  func waitForExpiry(_ profile: String = "work") throws {
    guard let text = try pair(profile).string("expires_at") else { throw SessionError("no expiry is known") }
    clocks.pass(try Date(text, strategy: .iso8601).timeIntervalSince(clocks.reading.time) + 1)
  }

  /// Waits until something has happened that takes real time, for five minutes at most.
  /// - Throws: `SessionError` if it has not.
  func wait(for what: String, _ condition: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(300)
    while try await !condition() {
      guard ContinuousClock.now < end else { throw SessionError("gave up waiting for \(what)") }
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  // MARK: - Servers that respond in shapes of their own

  /// Lets requests to an endpoint get another response than authlab would give.
  func response(at endpoint: String, _ kind: String = "malformed", _ members: [String: Any] = [:]) async throws {
    let fault = members.merging(["endpoint": endpoint, "kind": kind]) { $1 }
    try await lab.fail(String(decoding: JSONSerialization.data(withJSONObject: fault), as: UTF8.self))
  }

  /// The metadata document of the server, with further members or others.
  func metadata(_ members: [String: Any] = [:]) async throws -> String {
    var document = try JSONSerialization.jsonObject(
      with: await lab.send("GET", "/.well-known/openid-configuration").body)
    if var known = document as? [String: Any] {
      for (name, value) in members { known[name] = value is NSNull ? nil : value }
      document = known
    }
    return String(decoding: try JSONSerialization.data(withJSONObject: document), as: UTF8.self)
  }
}

/// What a command finds at its standard input.
enum ProgramInput: Sendable {
  /// Nothing: the end at once.
  case nothing
  /// A pipe with these bytes in it.
  case pipe(Data)

  /// A pipe with this text in it.
  static func text(_ text: String) -> ProgramInput { .pipe(Data(text.utf8)) }

  /// The bytes; nil for nothing.
  var bytes: Data? {
    if case .pipe(let bytes) = self { bytes } else { nil }
  }
}
