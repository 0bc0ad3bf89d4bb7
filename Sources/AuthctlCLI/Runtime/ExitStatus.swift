/// What a command's end tells its caller: what to do next.
enum ExitStatus: Int32, Sendable, CaseIterable {
  /// All went well.
  case ok = 0
  /// Anything that isn't below.
  case failed = 1
  /// The command line or the profile is invalid and must be fixed.
  case usage = 2
  /// A person must log in.
  case loginRequired = 3
  /// The keyring is locked, absent, or refuses.
  case keyring = 4
  /// The same may work later.
  case tryLater = 5
  /// The authorization server refuses.
  case refused = 6
  /// The token would have gone to an origin that isn't the profile's.
  case origin = 7
  /// The API responded with status 400 or more.
  case http = 22
  /// `exec`: the command is there and can't be run, as in a shell.
  case notExecutable = 126
  /// `exec`: the command is not there, as in a shell.
  case notFound = 127

  /// The word for it in JSON.
  var word: String {
    switch self {
    case .ok: "ok"
    case .failed: "failed"
    case .usage: "usage"
    case .loginRequired: "login_required"
    case .keyring: "keyring"
    case .tryLater: "try_later"
    case .refused: "refused"
    case .origin: "origin"
    case .http: "http"
    case .notExecutable: "not_executable"
    case .notFound: "not_found"
    }
  }
}

extension [ExitStatus] {
  /// The worst of several statuses: those that need a user come before those that may resolve without one.
  var worst: ExitStatus {
    let order: [ExitStatus] = [.ok, .http, .tryLater, .refused, .origin, .keyring, .loginRequired, .usage, .failed]
    return self.max { (order.firstIndex(of: $0) ?? 0) < (order.firstIndex(of: $1) ?? 0) } ?? .ok
  }
}
