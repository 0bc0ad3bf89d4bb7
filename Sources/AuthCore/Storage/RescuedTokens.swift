import FoundationEssentials

/// Refreshed tokens that could not be saved. They stay in a ``TokenRescue`` until a later run saves them.
struct RescuedTokens: Sendable {
  /// The name of the session.
  let session: String
  /// The storage that its tokens belong in.
  let storage: any TokenStorage
  /// The temporary storage of tokens that could not be saved.
  let rescue: any TokenRescue
  /// Receives events.
  let events: EventHandler

  /// Keeps a pair that replaces `former` and can't be stored.
  ///
  /// - Throws: ``RescueFailure``; the pair is then not kept.
  func hold(_ pair: TokenPair, over former: TokenPair, because error: AuthError) throws(RescueFailure) {
    if let place = storage.unfinished {
      // The storage completes the write itself, and reads the pair until then.
      let cause = error.explanation
      return events(.warning("\(cause.what): \(cause.why); the refreshed tokens are kept in \(place)"))
    }
    let secret: Secret
    do { secret = try RescuedPair(pair, over: former).stored() } catch { throw .failed("the pair can't be encoded") }
    try rescue.hold(secret, for: session)
    let reason = explained(error).explanation
    events(.warning("\(reason.what): \(reason.why)"))
  }

  /// Returns the kept pair that is not stored yet; nil if there is none.
  ///
  /// - Throws: ``AuthError/storage(_:_:)`` if this cannot be determined.
  func pair() throws(AuthError) -> TokenPair? { try held()?.pair }

  /// Returns the stored pair. A kept pair is stored first, unless another process has the session's lock and will store
  /// it.
  ///
  /// - Parameter deadline: the maximum time to wait for the lock if there is a kept pair.
  /// - Throws: ``AuthError/storage(_:_:)``, which mentions a kept pair.
  func load(_ lock: any RefreshLock, deadline: Duration = .zero) async throws(AuthError) -> TokenPair? {
    if try held() != nil {
      _ = try await lock.withLock(.exclusive, deadline: deadline) { held throws(AuthError) in
        try await putBack(holding: held)
      }
      await storage.announce()
    }
    return try await stored()
  }

  /// Returns the stored pair; nil also if the keyring has no collection.
  ///
  /// - Throws: ``AuthError/storage(_:_:)``, which mentions a kept pair.
  func stored() async throws(AuthError) -> TokenPair? {
    do throws(AuthError) {
      return try await storage.load()
    } catch {
      guard case .storage(let fault, _) = error else { throw error }
      // A kept pair shows that there was a collection.
      guard try held() == nil else { throw explained(error) }
      guard fault == .noCollection else { throw error }
      return nil
    }
  }

  /// Stores the kept pair; the caller must hold the session's lock. The pair is discarded if the session has ended or
  /// has newer tokens.
  ///
  /// - Throws: ``AuthError/storage(_:_:)``; the pair is then still kept.
  func putBack(holding lock: LockHandle) async throws(AuthError) {
    guard let held = try held() else { return }
    guard let former = try await stored(), held.follows(former) else { return try drop() }
    lock.eraseGeneration(reportingTo: events)
    do throws(AuthError) {
      if try await storage.replace(former, with: held.pair) { events(.putBack(access: held.pair.fingerprint)) }
    } catch {
      throw explained(error)
    }
    try drop()
  }

  /// Discards the kept pair.
  ///
  /// - Throws: ``AuthError/storage(_:_:)``.
  func drop() throws(AuthError) {
    do throws(RescueFailure) { try rescue.drop(for: session) } catch { throw failure(error.why) }
  }

  private func held() throws(AuthError) -> RescuedPair? {
    let secret: Secret?
    do throws(RescueFailure) { secret = try rescue.held(for: session) } catch { throw failure(error.why) }
    guard let secret else { return nil }
    do {
      return try RescuedPair(stored: secret)
    } catch {
      throw .storage(
        .damaged, "the refreshed tokens of \(session) in \(rescue.place)", why: "they are not a stored token pair",
        remedy: .logIn(session: session))
    }
  }

  private func explained(_ error: AuthError) -> AuthError {
    error.explained {
      $0.why +=
        "; the refreshed tokens are kept in \(rescue.place) until they can be stored; a reboot loses them"
    }
  }

  private func failure(_ why: String) -> AuthError {
    .storage(
      .refused, "the refreshed tokens of \(session) in \(rescue.place)", why: why, hint: "try again")
  }
}

/// A pair that could not be stored, with the fingerprint of the pair that it replaces.
struct RescuedPair: Codable {
  /// The pair to store.
  let pair: TokenPair
  private let former: String

  /// Creates a record of a pair that replaces the stored pair `former`.
  init(_ pair: TokenPair, over former: TokenPair) {
    self.pair = pair
    self.former = RescuedPair.fingerprint(former)
  }

  /// Whether this pair directly follows the stored one in the same session: an older pair never replaces a newer one.
  func follows(_ stored: TokenPair) -> Bool {
    stored.sessionID == pair.sessionID && RescuedPair.fingerprint(stored) == former
  }

  /// Identifies a pair by its tokens, because two pairs may have the same time in seconds.
  private static func fingerprint(_ pair: TokenPair) -> String {
    pair.accessToken.fingerprint + (pair.refreshToken?.fingerprint ?? "")
  }

  /// Returns the pair as a secret for a ``TokenRescue``.
  func stored() throws -> Secret { try Secret(encoding: self) }

  /// Reads the result of ``stored()``.
  init(stored secret: Secret) throws { self = try secret.decoded(as: RescuedPair.self) }
}
