/// The five kinds of server with requests of their own, as authlab plays them.
public enum ServerKind: Int, CaseIterable, Sendable {
  case flat = 1
  case silent, flagged, nested, enveloped

  /// The name in authlab's paths and counters.
  public var name: String { "kind\(rawValue)" }

  /// The counter of the request by which a test logs in.
  public var login: String { "\(name).\(self == .nested ? "register" : self == .enveloped ? "guest" : "login").ok" }

  /// The options of that login beside the password on standard input.
  public var options: [String] {
    switch self {
    case .flat, .silent, .flagged: ["--username", "alice", "--password-stdin"]
    case .nested: ["--flow", "register", "--field", "name=Ada", "--field", "email=ada@x.example", "--password-stdin"]
    case .enveloped: ["--flow", "guest", "--field", "name=Ada"]
    }
  }

  /// What the API says is the name of who has logged in so.
  public var user: String { [.nested, .enveloped].contains(self) ? "Ada" : "alice" }

  /// The profile; `top` and `tables` go before and after.
  public func profile(_ origin: String, top: String = "", tables: String = "") -> String {
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
