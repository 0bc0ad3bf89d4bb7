import Foundation
import TestSupport

/// All that one person has: a session with a keyring, folders, and a server to log in to.
final class Workplace: Sendable {
  /// The D-Bus session, whose folder is the home.
  let session: PrivateSession
  /// The server.
  let lab: Authlab
  /// What stands between the program and the server; nil if nothing does.
  let proxy: HTTP2Proxy?
  /// How the program reaches the server.
  enum Wire: CaseIterable {
    case http1, http2
  }
  /// The password of `alice` at authlab.
  static let password = "alice-pass"
  /// The built program: the one that `AUTHCTL_PROGRAM` names, or that beside the tests themselves.
  static let binary =
    ProcessInfo.processInfo.environment["AUTHCTL_PROGRAM"]
    ?? Authlab.binary.deletingLastPathComponent().appending(path: "authctl").path
  /// The folder of the test servers.
  static let servers = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Servers")

  /// Starts the session and the server, whose access tokens live for ten minutes unless the arguments say otherwise.
  ///
  /// - Parameters:
  ///   - wire: how the program reaches it.
  ///   - user: who has the session and runs authctl; nil for the tests' own user.
  init(
    _ keyring: PrivateSession.Keyring = .unlocked, lab arguments: [String] = [], over wire: Wire = .http1,
    user: uid_t? = nil
  ) throws {
    session = try PrivateSession(keyring, user: user)
    switch wire {
    case .http1:
      lab = try Authlab(["--access-lifetime", "600"] + arguments)
      proxy = nil
    case .http2:
      let port = try FreePort.find()
      lab = try Authlab(["--access-lifetime", "600", "--origin", "https://127.0.0.1:\(port)"] + arguments)
      proxy = try HTTP2Proxy(port: port, to: lab.port, in: session.directory)
    }
  }

  /// Scheme, host and port at which the program finds the server.
  var origin: String { proxy?.origin ?? lab.origin }

  /// The table `[network]` of a profile for the server: the certificate of the proxy, if there is one.
  var network: String { proxy.map { "\n[network]\ncacert = \"\($0.certificate)\"\n" } ?? "" }

  // MARK: - Running

  /// Starts authctl; a variable that is nil is taken out of the environment, and `wrapper` is a command that becomes
  /// the rest of its command line.
  func start(
    _ arguments: [String], input: ProgramInput = .nothing, environment: [String: String?] = [:],
    through wrapper: [String] = []
  ) throws -> ProgramRun {
    var all = session.environment
    for (name, value) in environment { all[name] = value }
    let words = session.asUser + wrapper + [Workplace.binary] + arguments
    return try ProgramRun(
      words[0], Array(words.dropFirst()), input: input, environment: all, folder: session.directory)
  }

  /// Runs authctl to its end.
  func run(
    _ arguments: [String], input: ProgramInput = .nothing, environment: [String: String?] = [:],
    through wrapper: [String] = []
  ) throws -> Outcome {
    try start(arguments, input: input, environment: environment, through: wrapper).wait()
  }

  /// Runs authctl to its end.
  func run(_ arguments: String..., environment: [String: String?] = [:]) throws -> Outcome {
    try run(arguments, environment: environment)
  }

  // MARK: - Profiles

  /// The folder of authctl's configuration.
  var configuration: URL { session.directory.appending(path: "c/authctl") }

  /// The file of a profile.
  func file(_ profile: String = "work") -> URL { configuration.appending(path: "profiles/\(profile).toml") }

  /// Writes the file of a profile for the server: the password flow of a public client.
  func makeProfile(_ profile: String = "work", _ more: String = "", tables: String = "") throws {
    var lines = [
      "issuer = \"\(origin)\"", "flow = \"password\"", "username = \"alice\"", "client_id = \"cli\"",
      "api = [\"\(origin)/api\"]", "scope = [\"api\"]",
    ]
    for line in more.split(separator: "\n") {
      lines.removeAll { $0.hasPrefix(line.prefix { $0 != "=" }) }
      lines.append(String(line))
    }
    let folder = file(profile).deletingLastPathComponent()
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try Data((lines.joined(separator: "\n") + "\n" + tables + network).utf8).write(to: file(profile))
    try session.giveFiles()
  }

  /// Writes a file that only its owner may read.
  func secretFile(_ secret: String, _ name: String = "secret") throws -> String {
    let file = session.directory.appending(path: name)
    try Data(secret.utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    return file.path
  }

  /// Logs in to a profile that there is, by password.
  func logIn(_ profile: String = "work") throws {
    let outcome = try run(["login", profile, "--password-stdin"], input: .text(Workplace.password))
    guard outcome.status == 0 else { throw SessionError("no login: \(outcome.error)") }
  }

  /// A workplace with the profile `work`, logged in to, and with fresh counters.
  static func loggedIn(
    _ more: String = "", tables: String = "", lab arguments: [String] = [], over wire: Wire = .http1
  ) throws -> Workplace {
    let workplace = try Workplace(lab: arguments, over: wire)
    try workplace.makeProfile("work", more, tables: tables)
    try workplace.logIn()
    try workplace.lab.reset()
    return workplace
  }

  // MARK: - The keyring

  /// What `secret-tool` reads, byte for byte; nil where there is no item.
  func stored(_ profile: String = "work", kind: String = "tokens") throws -> String? {
    let words = ["search", "application", "authctl", "profile", profile, "kind", kind]
    guard try session.run("secret-tool", words).isEmpty == false else { return nil }
    return try session.run("secret-tool", ["lookup"] + words.dropFirst())
  }

  /// The stored client secret; nil where there is none.
  func clientSecret(_ profile: String = "work") throws -> String? {
    try stored(profile, kind: "client-secret").flatMap { try JSONObject(Data($0.utf8)).string("secret") }
  }

  /// The stored pair.
  /// - Throws: `SessionError` where there is none.
  func pair(_ profile: String = "work") throws -> JSONObject {
    guard let text = try stored(profile) else { throw SessionError("nothing is stored") }
    return try JSONObject(Data(text.utf8))
  }

  /// Waits until the stored access token has expired by the clock.
  func waitForExpiry(_ profile: String = "work") throws {
    guard let text = try pair(profile).string("expires_at") else { throw SessionError("no expiry is known") }
    let end = try Date(text, strategy: .iso8601)
    try Waiting.until("the token's end") { Date() > end.addingTimeInterval(0.05) }
  }
}
