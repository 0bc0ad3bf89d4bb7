import FoundationEssentials
public import Logging

extension AuthEvent: CustomStringConvertible {
  /// The event as one line of text, without any secret.
  public var description: String {
    switch self {
    case .loaded(let access?, let expiresAt): "stored token \(access), \(AuthEvent.expiry(expiresAt))"
    case .loaded: "no stored tokens"
    case .usable(let access, let reason): "using token \(access): \(reason)"
    case .cached(let access, let seconds): "token \(access) cached for \(DurationText.describe(Double(seconds)))"
    case .notCached(let reason): "token not cached: \(reason)"
    case .waiting: "another process is refreshing the token: waiting"
    case .adopted(let access, let process?, let age):
      "token \(access) was refreshed by \(process)\(AuthEvent.ago(age)), using it"
    case .adopted(let access, nil, let age):
      "token \(access) was stored by another process\(AuthEvent.ago(age)), using it"
    case .cutShort(let began):
      "the refresh of \(began.rfc3339) was cut short before its response was stored: "
        + "trying the old refresh token again"
    case .refreshing(let reason): "refreshing: \(reason)"
    case .refreshed(let access, let rotated, let expiresAt):
      "refreshed: token \(access), \(AuthEvent.expiry(expiresAt)), refresh token \(rotated ? "rotated" : "kept")"
    case .saved(let access): "token \(access) stored"
    case .putBack(let access): "token \(access), which could not be stored after its refresh, is stored now"
    case .refreshFailed(let reason): "refresh failed: \(reason)"
    case .retrying(let reason, let pause): "\(reason): retrying in \(pause) s"
    case .pausing(let reason, let pause): "\(reason): waiting up to \(DurationText.describe(pause))"
    case .loginRequired(let reason): "login required: \(reason)"
    case .replaying(let status): "the API returned \(status): refreshing the token to replay the request"
    case .refusedAgain(let status, let pause):
      "the API returned \(status): the token was refreshed and refused again; not refreshed for "
        + DurationText.describe(pause.rounded(.up))
    case .retryingWithNonce: "the API requires a DPoP nonce: sending the request again with it"
    case .clockDiffers(let seconds): LocalClock.warning(off: seconds)
    case .discovered(let url): "metadata found at \(url)"
    case .revoked: "tokens revoked at the server"
    case .cleared: "stored tokens removed"
    case .warning(let text): "warning: \(text)"
    }
  }

  private static func ago(_ age: Double?) -> String {
    age.map { " \(DurationText.describe(max(0, $0))) ago" } ?? ""
  }

  /// Returns a copy whose texts, which may quote a server, are changed.
  func changingTexts(_ change: (String) -> String) -> AuthEvent {
    switch self {
    case .refreshing(let reason): .refreshing(because: change(reason))
    case .refreshFailed(let reason): .refreshFailed(reason: change(reason))
    case .notCached(let reason): .notCached(because: change(reason))
    case .retrying(let reason, let pause): .retrying(reason: change(reason), pause: pause)
    case .loginRequired(let reason): .loginRequired(reason: change(reason))
    case .discovered(let url): .discovered(url: change(url))
    case .warning(let text): .warning(change(text))
    // Without a text, or with one of ours. No `default`: a server's text must not be forgotten.
    case .loaded, .usable, .cached, .waiting, .adopted, .cutShort, .refreshed, .saved, .putBack, .pausing, .replaying,
      .refusedAgain, .retryingWithNonce, .clockDiffers, .revoked, .cleared:
      self
    }
  }

  private static func expiry(_ date: Date?) -> String {
    date.map { "expires \($0.rfc3339)" } ?? "expiry unknown"
  }

  /// The level at which the event is logged.
  public var level: Logger.Level {
    switch self {
    case .warning, .clockDiffers, .cutShort, .refreshFailed, .retrying, .refusedAgain: .warning
    case .loginRequired: .error
    case .refreshed, .replaying, .adopted, .putBack, .revoked, .cleared: .info
    case .loaded, .usable, .cached, .notCached, .waiting, .refreshing, .saved, .pausing, .retryingWithNonce,
      .discovered:
      .debug
    }
  }

  /// Returns a handler that writes every event to a logger.
  public static func log(to logger: Logger) -> EventHandler {
    { event in logger.log(level: event.level, "\(event.description)") }
  }
}
