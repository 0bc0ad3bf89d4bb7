import Foundation
import TestSupport

/// The five kinds of server with requests of their own, as authlab plays them.
enum ServerKind: Int, CaseIterable, Sendable {
  case flat = 1
  case silent, flagged, nested, enveloped

  /// The name in authlab's paths and counters.
  var name: String { "kind\(rawValue)" }

  /// The counter of the request by which a test logs in.
  var login: String { "\(name).\(self == .nested ? "register" : self == .enveloped ? "guest" : "login").ok" }

  /// The options of that login beside the password on standard input.
  var options: [String] {
    switch self {
    case .flat, .silent, .flagged: ["--username", "alice", "--password-stdin"]
    case .nested: ["--flow", "register", "--field", "name=Ada", "--field", "email=ada@x.example", "--password-stdin"]
    case .enveloped: ["--flow", "guest", "--field", "name=Ada"]
    }
  }

  /// What the API says is the name of who has logged in so.
  var user: String { [.nested, .enveloped].contains(self) ? "Ada" : "alice" }

  /// The profile; `top` and `tables` go before and after.
  func profile(_ origin: String, top: String = "", tables: String = "") -> String {
    let folder = "\(origin)/\(name)" + (self == .flagged ? "/api" : "")
    return """
      type = "custom"
      base = "\(folder)"
      api = ["\(origin)/\(name)/api"]
      \(top)
      \(requests)
      [requests.refresh]
      url = "/auth/refresh"
      json = { refreshToken = "{refresh_token}" }
      \(tables)

      """
  }

  private var requests: String {
    switch self {
    case .flat:
      """
      refresh_before = "120s"
      [requests.login]
      url = "/auth/login"
      json = { username = "{username}", password = "{password}" }
      [requests.revoke]
      url = "/auth/logout"
      json = { refreshToken = "{refresh_token}" }
      [response]
      access_token = "/accessToken"
      refresh_token = "/refreshToken"
      expires_in = ["/accessTokenExpiresIn", "/expiresIn"]
      refresh_expires_in = "/refreshTokenExpiresIn"
      error_message = "/message"
      """
    case .silent:
      """
      [requests.login]
      url = "/auth/login"
      json = { username = "{username}", password = "{password}" }
      [response]
      access_token = "/accessToken"
      refresh_token = "/refreshToken"
      """
    case .flagged:
      """
      secrets = ["id_token"]
      [requests.login]
      url = "/auth/login"
      json = { username = "{username}", password = "{password}" }
      [requests.identity]
      url = "/auth/identity"
      json = { idToken = "{id_token}" }
      [response]
      access_token = "/accessToken"
      refresh_token = "/refreshToken"
      success = "/success"
      error_code = "/errorCode"
      error_message = "/message"
      login_required_codes = ["REFRESH_TOKEN_EXPIRED"]
      refresh_on_codes = ["TOKEN_EXPIRED"]
      """
    case .nested:
      """
      access_token_lifetime = "1h"
      refresh_before = "30s"
      [requests.register]
      url = "/auth/register"
      json = { name = "{name}", email = "{email}", password = "{password}" }
      [requests.login]
      url = "/auth/login"
      json = { email = "{email}", password = "{password}" }
      [response]
      access_token = "/token/accessToken"
      refresh_token = "/token/refreshToken"
      error_message = "/message"
      """
    case .enveloped:
      """
      flow = "guest"
      [requests.guest]
      url = "/auth/guest/register"
      multipart = { name = "{name}", image = "@{image?}" }
      [response]
      access_token = "/data/accessToken"
      refresh_token = "/data/refreshToken"
      success = "/success"
      error_code = "/code"
      error_message = "/message"
      login_required_codes = ["REFRESH_TOKEN_EXPIRED"]
      """
    }
  }
}

extension Workplace {
  /// Starts the session and the server, with the profile `work` of a kind that has not been logged in to.
  convenience init(kind: ServerKind, top: String = "", tables: String = "", lab arguments: [String] = []) throws {
    try self.init(lab: arguments)
    try makeProfile(kind, top: top, tables: tables)
  }

  /// Writes the profile `work` of a kind.
  func makeProfile(_ kind: ServerKind, top: String = "", tables: String = "") throws {
    try write(kind.profile(lab.origin, top: top, tables: tables))
  }

  /// Writes the file of the profile `work`.
  func write(_ text: String) throws {
    try FileManager.default.createDirectory(
      at: file().deletingLastPathComponent(), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try Data(text.utf8).write(to: file())
  }

  /// Logs in to the profile `work` of a kind.
  func logIn(_ kind: ServerKind, _ more: [String] = []) throws -> Outcome {
    try run(["login", "work"] + kind.options + more, input: .text(Workplace.password))
  }

  /// A workplace with the profile `work` of a kind, logged in to, and with fresh counters.
  static func loggedIn(
    _ kind: ServerKind, top: String = "", tables: String = "", lab arguments: [String] = []
  ) throws -> Workplace {
    let place = try Workplace(kind: kind, top: top, tables: tables, lab: arguments)
    let outcome = try place.logIn(kind)
    guard outcome.status == 0 else { throw SessionError("no login: \(outcome.error)") }
    try place.lab.reset()
    return place
  }
}
