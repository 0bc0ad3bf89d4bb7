public import FoundationEssentials

/// A step in the life of a token, as it happens: what logs, traces and watchers are made of.
///
/// Tokens appear as fingerprints only.
public enum AuthEvent: Sendable, Equatable, Codable {
  /// The stored pair was read; `access` is nil where there is none.
  case loaded(access: String?, expiresAt: Date?)
  /// The stored access token is good for this request.
  case usable(access: String)
  /// Another process is renewing; we wait for it.
  case waiting
  /// Another process has renewed meanwhile; its result is used.
  case adopted(access: String)
  /// An earlier renewal was begun and never ended: its process was killed, or the machine lost its power.
  case cutShort(began: Date)
  /// A renewal begins.
  case refreshing(because: String)
  /// The server answered with new tokens.
  case refreshed(access: String, refreshTokenRotated: Bool, expiresAt: Date?)
  /// The new pair is in the store.
  case saved(access: String)
  /// The new pair, which could not be stored when it was got, now is.
  case putBack(access: String)
  /// A renewal failed.
  case refreshFailed(reason: String)
  /// A failed request is sent again after a pause, in seconds.
  case retrying(reason: String, pause: Double)
  /// The refresh token is dead: a person must log in.
  case loginRequired(reason: String)
  /// The API refused the token; the request is replayed with a new one.
  case replaying(status: Int)
  /// The API refused the refreshed token, too; the next refusals cause no refresh for so many seconds.
  case refusedAgain(status: Int, pause: Double)
  /// The API wants a nonce in the proof of possession; the request is sent again with it.
  case provingAnew
  /// The server's clock is so many seconds ahead of the local one, or behind it where that is negative.
  case clockDiffers(by: Double)
  /// Metadata was found.
  case discovered(url: String)
  /// The tokens were revoked at the server.
  case revoked
  /// The stored pair was removed.
  case cleared
  /// Something that the person should know.
  case warning(String)
}

/// Takes events; it is called from any thread and must not block.
public typealias EventSink = @Sendable (AuthEvent) -> Void
