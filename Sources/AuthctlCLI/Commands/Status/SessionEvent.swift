import AuthCore
import FoundationEssentials

/// An event of a session, for `status --watch`.
struct SessionEvent: Sendable, Equatable {
  /// What happened; the raw value is the member `event`.
  enum Kind: String, Sendable {
    /// Nothing yet: the state when the watch begins.
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
  }

  /// What happened.
  let kind: Kind
  /// The process that caused it; nil if unknown.
  var process: Int32?
  /// The number of changes between the previous event and this one that no event describes.
  var skipped = 0
  /// The failure of a refresh.
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
    guard let kind = SessionEvent.kind(from: former, to: pair) else { return nil }
    self.init(kind, process: pair.change?.process.pid, skipped: SessionEvent.skipped(from: former, to: pair))
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

  /// The event as a JSON object with stable keys; an unknown time is null.
  func json(_ status: ProfileStatus, profile: ProfileName, at time: Date) -> JSONValue {
    var members: [String: JSONValue] = [
      "event": .string(kind.rawValue), "profile": .string(profile.string), "time": .string(time.formatted(.iso8601)),
      "state": .string(status.state.rawValue),
      "expires_at": status.expiresAt.map { .string($0.formatted(.iso8601)) } ?? .null,
    ]
    if let process { members["pid"] = .integer(Int64(process)) }
    if skipped > 0 { members["skipped"] = .integer(Int64(skipped)) }
    if let failure {
      let report = ErrorReport(failure)
      members["code"] = .string(report.status.word)
      members["message"] = .string(report.message)
    }
    return .object(members)
  }

  /// The event as a line for people: `work: refreshed by process 1234, at 12:03:04`.
  func text(profile: ProfileName, at time: String) -> String {
    var text = "\(profile): " + kind.rawValue.replacing("_", with: " ")
    if let process { text += " by process \(process)" }
    text += ", at \(time)"
    if skipped > 0 { text += " (and \(skipped) earlier \(skipped == 1 ? "change" : "changes"))" }
    if let failure { text += ": " + ErrorReport(failure).message }
    return Escaped.line(text)
  }
}
