public import FoundationEssentials

/// How a ``TokenSession`` behaves.
public struct SessionSettings: Sendable {
  /// The rules for when a token is refreshed, and how long callers wait.
  public var policy = RefreshPolicy()
  /// The field that carries the token.
  public var header = TokenHeader()
  /// The statuses of the API that mean "refresh the token and replay the request".
  public var refreshOn: Set<Int> {
    get { refusals.statuses }
    set { refusals.statuses = newValue }
  }
  /// Allows one caller at a time to refresh: a ``FileLock`` if several processes share the stored pair.
  public var lock: any RefreshLock = ProcessLock()
  /// Passes every event to its streams; see ``TokenSession/events``.
  public var events = EventBroadcast()
  /// Called with every event, from any thread; it must not block. Unlike a stream it misses none.
  public var onEvent: EventSink = { _ in }
  /// Called once when the user must log in: for a session that has died, or if not logged in. It is called on any
  /// thread and must not block.
  public var onLoginRequired: (@Sendable (AuthError.Explanation) -> Void)?
  /// The clock.
  public var now: @Sendable () -> Date = { Date() }

  /// The rule that decides which responses of the API refuse the token.
  var refusals = RefusalRule()
  /// Creates the identifier that distinguishes a new session from all others.
  var newSessionID: @Sendable () -> String = { UUID().uuidString }

  /// Creates the standard settings.
  public init() {}

  /// Takes the events of the session.
  var sink: EventSink {
    { [broadcast = events.sink, onEvent] event in
      broadcast(event)
      onEvent(event)
    }
  }
}
