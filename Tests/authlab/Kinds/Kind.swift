/// The five kinds of server with requests of their own, each below its own path, such as `/kind1/auth/login`.
enum Kind: Int, CaseIterable, Sendable {
  /// A flat JSON pair with lifetimes, and a logout.
  case flat = 1
  /// A flat pair without any lifetime, and HTTP Basic.
  case silent
  /// A success flag and error codes.
  case flagged
  /// Registration, and the tokens in an object of their own.
  case nested
  /// Guests by multipart, an envelope, and JWT access tokens.
  case enveloped

  /// What can be asked for.
  enum Operation: String, CaseIterable, Sendable {
    case login, register, guest, identity, refresh, logout, api, basic, unknown
  }

  /// The name in counters, and the client to which the tokens are issued: `kind1`.
  var name: String { "kind\(rawValue)" }

  /// The kind below whose path a path is.
  init?(path: String) {
    guard let first = path.split(separator: "/").first, let kind = Kind.allCases.first(where: { $0.name == first })
    else { return nil }
    self = kind
  }

  /// What a path asks for; the third kind has all of it below `/api`. A version (`/v1`) before it is passed over, and
  /// `auth/` may be left out.
  func operation(_ path: String) -> Operation {
    var parts = path.split(separator: "/").dropFirst().map(String.init)
    if parts.first == "v1" { parts.removeFirst() }
    if self == .flagged, parts.prefix(2) == ["api", "auth"] { parts.removeFirst() }
    switch parts.prefix(3).joined(separator: "/") {
    case "auth/login", "login": return .login
    case "auth/register", "register": return .register
    case "auth/guest/register": return .guest
    case "auth/identity": return .identity
    case "auth/refresh", "refresh": return .refresh
    case "auth/logout": return .logout
    case "me": return .api
    default: return parts.first == "api" ? .api : parts.first == "basic" ? .basic : .unknown
    }
  }
}
