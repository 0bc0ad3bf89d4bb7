public import FoundationEssentials

/// Gives out the access token of one session and renews it: once, whoever and however many ask.
///
/// The order of steps is what keeps a session alive: read; if the token will do, use it; else take the lock of all
/// processes, read again, adopt what another one has renewed, or exchange and save before anything else happens.
public actor TokenManager {
  /// When a token is renewed, and how long one waits.
  public struct Policy: Sendable {
    /// Renew when less than this is left of the access token.
    public var refreshBefore: Duration
    /// How long to wait for another process that renews.
    public var lockDeadline: Duration
    /// How long a request waits for a renewal while its token is still valid.
    public var patience: Duration
    /// How long nobody asks a server again that has just failed.
    public var failureRest: Duration
    /// How long a token that was refused right after it was issued is not refreshed again for that.
    public var refusalRest: Duration
    /// How long a token counts as just issued.
    public var freshness: Duration
    /// How long to wait before a pair that could not be saved is saved once more, one entry an attempt.
    public var savePauses: [Duration]

    /// Three quarters of a minute: within it a person can unlock a keyring, and a service can be started anew.
    public static let standardSavePauses: [Duration] = [1, 2, 3, 5, 8, 13, 13].map { .seconds($0) }

    /// Makes a policy.
    public init(
      refreshBefore: Duration = .seconds(60), lockDeadline: Duration = .seconds(60),
      patience: Duration = .seconds(2), failureRest: Duration = .seconds(2),
      savePauses: [Duration] = Policy.standardSavePauses, refusalRest: Duration = .seconds(300),
      freshness: Duration = .seconds(30)
    ) {
      self.refreshBefore = refreshBefore
      self.lockDeadline = lockDeadline
      self.patience = patience
      self.failureRest = failureRest
      self.savePauses = savePauses
      self.refusalRest = refusalRest
      self.freshness = freshness
    }
  }

  let session: String
  let storage: any TokenStorage
  /// What could not be stored.
  nonisolated let held: HeldTokens
  let lock: any RefreshLock
  /// Makes a new pair of the stored one, for whoever holds the lock.
  public nonisolated let exchange: Exchange
  let runner: any ExchangeRunner
  let renewal: any TokenRenewal
  let policy: Policy
  let now: @Sendable () -> Date
  let events: EventSink
  private var running: Task<Result<TokenPair, AuthError>, Never>?
  /// The refusal that this process remembers, whether or not it could be stored.
  var refusal: (token: Secret, at: Date)?

  /// Puts a manager together.
  ///
  /// - Parameters:
  ///   - session: its name in messages (the profile's name).
  ///   - revocation: who revokes tokens that were got for a session which has ended meanwhile.
  ///   - rescue: keeps what was renewed and can't be stored.
  ///   - runner: says in which process an exchange runs.
  public init(
    session: String, storage: any TokenStorage, lock: any RefreshLock, renewal: any TokenRenewal,
    revocation: (any TokenRevocation)? = nil, rescue: any TokenRescue = NoRescue(),
    runner: any ExchangeRunner = ExchangeInProcess(), policy: Policy,
    now: @escaping @Sendable () -> Date, events: @escaping EventSink
  ) {
    held = HeldTokens(session: session, storage: storage, rescue: rescue, events: events)
    exchange = Exchange(
      session: session, storage: storage, held: held, renewal: renewal, revocation: revocation, policy: policy,
      now: now,
      events: events)
    self.runner = runner
    self.session = session
    self.storage = storage
    self.lock = lock
    self.renewal = renewal
    self.policy = policy
    self.now = now
    self.events = events
  }

  /// The pair whose access token is to be used now, renewed first where needed.
  ///
  /// - Parameters:
  ///   - rejected: a token that the API has refused: any other one that has not expired will do. It is given out again
  ///     if it was refused right after it was issued, and ``refreshPause(_:)`` is not nil.
  ///   - minValidity: how long the token must be valid at the least; nil for the policy's `refreshBefore`.
  /// - Throws: ``AuthError`` with what to do next. Where no `minValidity` is demanded, a token that is still valid is
  ///   given out also when its renewal fails for now or takes its time.
  public func token(replacing rejected: Secret? = nil, minValidity: Duration? = nil) async throws(AuthError)
    -> TokenPair
  {
    var pair = try await loaded()
    var rejected = rejected
    if pair.accessToken == rejected {
      pair = try await afterVerdict(on: pair)
      if refreshPause(pair) != nil { rejected = nil }
    }
    guard let reason = reasonToRenew(pair, rejected: rejected, minValidity: minValidity) else {
      events(.usable(access: pair.fingerprint))
      return pair
    }
    if pair.accessToken == rejected { return try await replacement(of: pair, because: reason) }
    guard !hasExpired(pair), minValidity == nil else { return try await renewed(pair, because: reason) }
    guard renewal.canRenew(pair) else { return pair }
    return await renewedInTime(pair, because: reason)
  }

  /// Renews now, however long the token is still valid, unless another process does just that.
  public func renew() async throws(AuthError) -> TokenPair {
    let pair = try await renewed(try await loaded(), because: "asked to")
    // To be used it need not be stored yet; to be called renewed it must.
    if try held.pair() != nil { return try await loaded() }
    return pair
  }

  /// Waits until a renewal that has begun is at its end: a program must not exit before.
  public func finishRenewal() async {
    _ = await running?.value
  }

  func loaded() async throws(AuthError) -> TokenPair {
    let pair = try await held.load(lock)
    events(.loaded(access: pair?.fingerprint, expiresAt: pair?.expiresAt))
    guard let pair else { throw notLoggedIn() }
    try validate(pair)
    return pair
  }

  /// Checks that a stored pair may be used: it belongs to the server that would renew it, and is not known to be dead.
  nonisolated func validate(_ pair: TokenPair) throws(AuthError) {
    try renewal.validate(pair)
    guard pair.isDead else { return }
    let code = pair.lastError.map { " (\(Printable.text($0.error, limit: 80)))" } ?? ""
    throw .loginRequired(
      .init(
        "profile \(session)",
        why: "the API has refused the access token, and the server the refresh token\(code)",
        remedy: .logIn(session: session)))
  }

  /// Another pair than one that the API has refused. If there will be none, that is remembered: no command uses the
  /// refused token again.
  private func replacement(of pair: TokenPair, because reason: String) async throws(AuthError) -> TokenPair {
    do throws(AuthError) {
      return try await renewed(pair, because: reason)
    } catch {
      if case .loginRequired = error { await rememberRefusal(of: pair) }
      throw error
    }
  }

  private func rememberRefusal(of refused: TokenPair) async {
    do throws(AuthError) {
      try await note { [now] pair in
        guard pair.accessToken == refused.accessToken, pair.lastError?.final == true, pair.accessTokenRefusedAt == nil
        else { return false }
        pair.accessTokenRefusedAt = now()
        return true
      }
    } catch {
      events(.warning("the refusal of the access token can't be stored: \(error.explanation.why)"))
    }
  }

  /// A token that is valid is used when its renewal fails or takes too long; the renewal itself goes on.
  private func renewedInTime(_ pair: TokenPair, because reason: String) async -> TokenPair {
    let task = renewalTask(pair, because: reason)
    let events = self.events
    let patience = policy.patience
    // Not a task group: that one would wait for the renewal, whichever of the two is first.
    let (outcomes, outcome) = AsyncStream.makeStream(of: TokenPair.self)
    Task {
      switch await task.value {
      case .success(let renewed): outcome.yield(renewed)
      case .failure(let error):
        events(.warning("\(error.explanation.what): \(error.explanation.why); the token is still valid and used"))
        outcome.yield(pair)
      }
    }
    let timer = Task {
      try await ContinuousClock().sleep(for: patience)
      outcome.yield(pair)
    }
    defer { timer.cancel() }
    for await first in outcomes { return first }
    return pair
  }

  private func renewed(_ pair: TokenPair, because reason: String) async throws(AuthError) -> TokenPair {
    let renewed = try await renewalTask(pair, because: reason).value.get()
    // It may be adopted from a login that another process has made meanwhile, perhaps at another server.
    try validate(renewed)
    return renewed
  }

  /// One renewal at a time in this process; it outlives the cancellation of whoever asked for it.
  private func renewalTask(_ pair: TokenPair, because reason: String) -> Task<Result<TokenPair, AuthError>, Never> {
    if let running { return running }
    let renewer = Renewer(self)
    let task = Task.detached { [weak self] in
      let result: Result<TokenPair, AuthError>
      do throws(AuthError) {
        result = .success(try await renewer.renewed(pair, because: reason))
      } catch {
        result = .failure(error)
      }
      await self?.ended()
      return result
    }
    running = task
    return task
  }

  private func ended() { running = nil }

  /// Whether a pair would be given out as it is, were it read from the store now.
  nonisolated func isGood(_ pair: TokenPair) -> Bool {
    reasonToRenew(pair, rejected: nil, minValidity: nil) == nil
  }

  private nonisolated func reasonToRenew(_ pair: TokenPair, rejected: Secret?, minValidity: Duration?) -> String? {
    if let rejected, pair.accessToken == rejected { return "the API refused the token" }
    guard let remaining = pair.remaining(at: now()) else { return nil }
    if remaining <= 0 { return "the token has expired" }
    guard rejected == nil else { return nil }
    let wanted = minValidity?.seconds ?? standardMargin(pair)
    return remaining < wanted ? "the token is valid for less than \(DurationText.describe(wanted))" : nil
  }

  /// A token that lives no longer than `refreshBefore` would be renewed at each use: it has a quarter of its life.
  private nonisolated func standardMargin(_ pair: TokenPair) -> Double {
    let life = pair.expiresAt?.timeIntervalSince(pair.issuedAt) ?? .infinity
    let wanted = policy.refreshBefore.seconds
    return life > wanted ? wanted : max(0, life / 4)
  }

  private func hasExpired(_ pair: TokenPair) -> Bool { pair.remaining(at: now()).map { $0 <= 0 } ?? false }

  nonisolated func notLoggedIn() -> AuthError {
    .loginRequired(
      .init("profile \(session)", why: "not logged in", remedy: .logIn(session: session)))
  }
}
