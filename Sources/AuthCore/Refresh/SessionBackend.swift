import FoundationEssentials

/// What a session is made of: where its pair is stored, what refreshes and revokes it, and who watches.
package struct SessionBackend: Sendable {
  /// The session's name in messages: the profile's name.
  let name: String
  /// Where the pair is stored.
  let storage: any TokenStorage
  /// Exchanges the pair for a new one.
  let refresher: any TokenRefresher
  /// Revokes a pair, also one that was obtained for a session which has ended meanwhile.
  var revocation: any TokenRevocation = NoRevocation()
  /// The server whose secrets are stored beside the pair; nil if the pair is all that is stored.
  var server: AuthorizationServer?
  /// Lets one process at a time refresh.
  var lock: any RefreshLock = ProcessLock()
  /// Keeps refreshed tokens that cannot be stored.
  var rescue: any TokenRescue = NoRescue()
  /// Decides in which process a refresh runs.
  var runner: any RefreshRunner = InProcessRefresh()
  /// When to refresh, and how long to wait.
  var policy = RefreshPolicy()
  /// The clock.
  var now: @Sendable () -> Date = { Date() }
  /// Takes every event.
  var events: EventSink = { _ in }
}
