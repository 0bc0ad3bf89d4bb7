public import FoundationEssentials

/// The settings of a ``TokenSession``.
public struct SessionSettings: Sendable {
  /// The rules for when a token is refreshed, and how long callers wait.
  public var policy = RefreshPolicy()
  /// The header field that carries the token.
  public var header = TokenHeader()
  /// The status codes from the API that trigger a refresh and a replay of the request.
  public var refreshOn: Set<Int> {
    get { refusals.statuses }
    set { refusals.statuses = newValue }
  }
  /// The error codes of an API that trigger a refresh and a replay, as ``refreshOn`` does. With a successful status
  /// they count only if the member `success` is false.
  public var refreshOnCodes: Set<String> {
    get { refusals.codes.refreshOnCodes }
    set { refusals.codes.refreshOnCodes = newValue }
  }
  /// The error codes of a refresh after which the user must log in. If there are any, no other code means this; without
  /// a code, 400 and 401 do. With a successful status they count only if the response has no token, or the member
  /// `success` is false.
  public var loginRequiredCodes: Set<String> {
    get { refusals.codes.loginRequiredCodes }
    set { refusals.codes.loginRequiredCodes = newValue }
  }
  /// The locations of the error code in a response, as JSON Pointers (RFC 6901); the first that finds a code counts.
  public var codeAt: [String] {
    get { refusals.codes.errorCode.map(\.description) }
    set { refusals.codes.errorCode = ResponsePointers(codesAt: newValue).errorCode }
  }
  /// Allows one caller at a time to refresh; nil for the lock that the storage brings.
  public var lock: (any RefreshLock)?
  /// Sends every event to its streams; see ``TokenSession/events``.
  package var events = EventBroadcast()
  /// Called with every event, from any thread; it must not block. Unlike a stream it drops no event.
  public var onEvent: EventHandler = { _ in }
  /// Called once when the user must log in. This is the case if the session can no longer be refreshed, or if not
  /// logged in. It is called on any thread and must not block.
  public var onLoginRequired: (@Sendable (AuthError.Explanation) -> Void)?
  /// Returns the current time.
  public var now: @Sendable () -> Date = { Date() }

  /// The rule that decides which responses from the API refuse the token; its codes are those of the server, too.
  var refusals = RefusalRule(codes: ResponsePointers(codesAt: ResponsePointers.usualCodes))
  /// Creates the identifier that distinguishes a new session from all others.
  var newSessionID: @Sendable () -> String = { UUID().uuidString }

  /// Creates the default settings.
  public init() {}

  /// Receives the events of the session.
  var handler: EventHandler {
    { [broadcast = events.handler, onEvent] event in
      broadcast(event)
      onEvent(event)
    }
  }
}
