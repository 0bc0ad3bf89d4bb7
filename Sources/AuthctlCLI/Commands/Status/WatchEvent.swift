import AuthCore
import FoundationEssentials

/// An event of a profile, for `status --watch`.
struct WatchEvent: Sendable, Equatable {
  /// What happened; the raw value is the member `event`.
  enum Kind: String, Sendable {
    /// The state when the watch begins, when the profile is added or edited, and when it can't be read or can be again.
    case state
    /// A login has stored a session.
    case loggedIn = "logged_in"
    /// The tokens were refreshed.
    case refreshed
    /// A refresh failed, and the stored tokens are unchanged.
    case refreshFailed = "refresh_failed"
    /// The server has refused the refresh token.
    case loginRequired = "login_required"
    /// The tokens were removed.
    case loggedOut = "logged_out"
    /// The file of the profile was removed.
    case removed
  }

  /// What happened.
  let kind: Kind
  /// The process that caused it; nil if unknown.
  var process: Int32?
  /// The number of changes between the previous event and this one that no event describes.
  var skipped = 0
  /// The failure of a refresh; for ``Kind/state`` why the profile can't be read.
  var failure: AuthError?

  /// Creates an event.
  init(_ kind: Kind, process: Int32? = nil, skipped: Int = 0, failure: AuthError? = nil) {
    self.kind = kind
    self.process = process
    self.skipped = skipped
    self.failure = failure
  }

  /// Compares two readings of a session's stored pair; nil if nothing has happened in between.
  ///
  /// Of several changes the event describes the last one; the others are counted.
  init?(from former: TokenPair?, to pair: TokenPair?) {
    guard let pair else {
      guard former != nil else { return nil }
      self.init(.loggedOut)
      return
    }
    guard let kind = WatchEvent.kind(from: former, to: pair) else { return nil }
    self.init(kind, process: pair.change?.process.pid, skipped: WatchEvent.skipped(from: former, to: pair))
  }

  private static func kind(from former: TokenPair?, to pair: TokenPair) -> Kind? {
    guard let former, former.sessionID == pair.sessionID, pair.tokenType != "Basic" else {
      return former?.accessToken == pair.accessToken && former?.sessionID == pair.sessionID ? nil : .loggedIn
    }
    // A refusal of the access token that follows is not reported again.
    if pair.lastError?.final == true, former.lastError?.final != true { return .loginRequired }
    return pair.accessToken != former.accessToken || pair.lastRefresh != former.lastRefresh ? .refreshed : nil
  }

  private static func skipped(from former: TokenPair?, to pair: TokenPair) -> Int {
    let (old, new) = (former?.change?.number ?? 0, pair.change?.number ?? 0)
    // A session that began after a logout counts from 1 again.
    return max(0, new - (new > old ? old : 0) - 1)
  }

  /// Returns the event as a JSON object with stable keys; an unknown time is null, and the state of a removed profile.
  func json(of profile: WatchedProfile, _ context: Context) -> JSONValue {
    var members: [String: JSONValue] = [
      "event": .string(kind.rawValue), "profile": .string(profile.name.string),
      "time": .string(context.now().rfc3339),
      "state": kind == .removed ? .null : .string(profile.state.rawValue),
      "expires_at": profile.expiresAt.map { .string($0.rfc3339) } ?? .null,
    ]
    if let process { members["pid"] = .integer(Int64(process)) }
    if skipped > 0 { members["skipped"] = .integer(Int64(skipped)) }
    if let failure {
      let report = ErrorReport(failure).about(profile.name.string, context).named(context.program)
      if kind == .refreshFailed {
        members["code"] = .string(report.status.word)
        members["message"] = .string(report.message)
      } else {
        members["error"] = report.object
      }
    }
    return .object(members)
  }

  /// The event as a line for people: `work: refreshed by process 1234, at 12:03:04`.
  func text(profile: ProfileName, state: ProfileStatus.State, at time: String) -> String {
    let words = kind == .state ? state.rawValue : kind.rawValue
    var text = "\(profile): " + words.replacing(bytes: "_", with: " ")
    if let process { text += " by process \(process)" }
    text += ", at \(time)"
    if skipped > 0 { text += " (and \(skipped) earlier \(skipped == 1 ? "change" : "changes"))" }
    // Why a profile can't be read is in the table.
    if kind == .refreshFailed, let failure { text += ": " + ErrorReport(failure).message }
    return Escaped.line(text)
  }
}
