public import FoundationEssentials

/// A step in obtaining, using or revoking a token, reported as it happens for logs, traces and observers.
///
/// Tokens appear as fingerprints only.
public enum AuthEvent: Sendable, Equatable, Codable {
  /// The stored pair was read; `access` is nil if there is none.
  case loaded(access: String?, expiresAt: Date?)
  /// The stored access token is used for this request, for the stated reason.
  case usable(access: String, because: String)
  /// The access token can be reused from the cache for this many seconds.
  case cached(access: String, seconds: Int)
  /// The access token can't be reused from the cache, for the stated reason.
  case notCached(because: String)
  /// Another process is refreshing the token; this process waits for it.
  case waiting
  /// Another process has stored the token in the meantime; it is used. `by` is nil if the token is from a login, and
  /// `age` is the time in seconds since it was stored, nil if unknown.
  case adopted(access: String, by: RefreshingProcess?, age: Double?)
  /// An earlier refresh was started and never completed: its process was killed, or the machine lost power.
  case cutShort(began: Date)
  /// A refresh starts.
  case refreshing(because: String)
  /// The server responded with new tokens.
  case refreshed(access: String, refreshTokenRotated: Bool, expiresAt: Date?)
  /// The new pair was saved to the store.
  case saved(access: String)
  /// The new pair, which could not be stored after its refresh, is stored now.
  case putBack(access: String)
  /// A refresh failed.
  case refreshFailed(reason: String)
  /// A failed request is sent again after a pause, in seconds.
  case retrying(reason: String, pause: Double)
  /// A request or a refresh is delayed for at most this many seconds, for the stated reason.
  case pausing(because: String, pause: Double)
  /// The refresh token is no longer valid: the user must log in.
  case loginRequired(reason: String)
  /// The API refused the token; the request is replayed with a new one.
  case replaying(status: Int)
  /// The API refused the refreshed token, too; further refusals cause no refresh for `pause` seconds.
  case refusedAgain(status: Int, pause: Double)
  /// The API requires a nonce in the DPoP proof; the request is sent again with it.
  case retryingWithNonce
  /// The server's clock is this many seconds ahead of the local one; negative if it is behind.
  case clockDiffers(by: Double)
  /// Metadata was found.
  case discovered(url: String)
  /// The tokens were revoked at the server.
  case revoked
  /// The stored pair was removed.
  case cleared
  /// A warning for the user.
  case warning(String)

  /// The names in the encoded form, on which readers of trace files rely.
  enum CodingKeys: String, CodingKey, CaseIterable {
    case loaded, usable, cached, notCached, waiting, adopted, cutShort, refreshing, refreshed, saved, putBack
    case refreshFailed, retrying, pausing, loginRequired, replaying, refusedAgain
    // The former name of the case.
    case retryingWithNonce = "provingAnew"
    case clockDiffers, discovered, revoked, cleared, warning
  }
}

/// Receives events. It is called from any thread and must not block.
public typealias EventHandler = @Sendable (AuthEvent) -> Void
