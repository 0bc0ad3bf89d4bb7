/// The exit status of a command. It lets the caller decide what to do next.
enum ExitStatus: Int32, Sendable, CaseIterable {
  /// Success.
  case ok = 0
  /// Any other failure.
  case failed = 1
  /// The command line or the profile is invalid and must be fixed.
  case usage = 2
  /// The user must log in.
  case loginRequired = 3
  /// The keyring is locked, missing, or refuses the operation.
  case keyring = 4
  /// A retry may succeed later.
  case tryLater = 5
  /// The authorization server refuses the request.
  case refused = 6
  /// The token would have been sent to an origin that is not in the profile's `api`.
  case origin = 7
  /// The API responded with status 400 or more.
  case http = 22
  /// `exec`: the command exists but can't be run, as in a shell.
  case notExecutable = 126
  /// `exec`: the command does not exist, as in a shell.
  case notFound = 127

  /// The status as a word for JSON.
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
