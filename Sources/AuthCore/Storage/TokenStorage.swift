import FoundationEssentials
import Synchronization

/// Stores the token pair of one session.
public protocol TokenStorage: Sendable {
  /// Reads the pair; nil only if it certainly does not exist.
  ///
  /// - Throws: ``AuthError/storage(_:_:)``.
  func load() async throws(AuthError) -> TokenPair?

  /// Writes the pair atomically, replacing the former one.
  ///
  /// - Throws: ``AuthError/storage(_:_:)``; the former pair is then still there.
  func save(_ pair: TokenPair) async throws(AuthError)

  /// Writes the pair only if the stored one is from the same session. Neither a logout nor another login is undone.
  ///
  /// - Returns: false if the session is no longer stored.
  /// - Throws: ``AuthError/storage(_:_:)``; the former pair is then still there.
  func replace(_ former: TokenPair, with pair: TokenPair) async throws(AuthError) -> Bool

  /// Removes the pair; it is not an error if there is none.
  ///
  /// - Throws: ``AuthError/storage(_:_:)``.
  func clear() async throws(AuthError)
}

extension TokenStorage {
  /// Reads first, then writes: for a storage that can't do both in one step.
  public func replace(_ former: TokenPair, with pair: TokenPair) async throws(AuthError) -> Bool {
    guard let stored = try await load(), stored.sessionID == former.sessionID else { return false }
    try await save(pair)
    return true
  }
}

/// Stores the pair of a profile as one item of a ``SecretStore``.
public struct SecretTokenStorage: TokenStorage {
  private let store: any SecretStore
  private let item: SecretItem
  private let clock: @Sendable () -> ClockReading
  private let process: RefreshingProcess
  private let unannounced = UnannouncedChange()

  /// Creates a storage for a profile in a store.
  public init(_ store: any SecretStore, profile: String) {
    self.init(store, profile: profile, clock: { ClockReading.system() })
  }

  /// Creates a storage for a profile in a store.
  ///
  /// - Parameters:
  ///   - clock: the reading with which the pair's dates are compared.
  ///   - process: the process that the changes are attributed to.
  package init(
    _ store: any SecretStore, profile: String, clock: @escaping @Sendable () -> ClockReading,
    process: RefreshingProcess = .current
  ) {
    self.store = store
    self.clock = clock
    self.process = process
    item = SecretItem(profile: profile, kind: .tokens)
  }

  public func load() async throws(AuthError) -> TokenPair? {
    guard let secret = try await store.load(item) else { return nil }
    do {
      let pair = try TokenPair(stored: secret).read(at: clock())
      // No refresh follows that would show observers that they have missed a final refusal: it is reported again.
      if pair.lastError?.final == true { unannounced.number.withLock { $0 = $0 ?? pair.change?.number } }
      return pair
    } catch let error as TokenPair.UnknownVersion {
      throw damaged("it was written by a later version (format \(error.version))", hint: "use the later version")
    } catch {
      throw damaged("it is not a stored token pair", remedy: .logIn(session: item.profile))
    }
  }

  /// Writes the pair. Its change, if it has one, is that of the pair that it replaces.
  public func save(_ pair: TokenPair) async throws(AuthError) {
    var pair = pair
    pair.change = TokenPair.Change(number: (pair.change?.number ?? 0) + 1, process: process)
    try await store.save(try encoded(pair), as: item)
    unannounced.number.withLock { $0 = pair.change?.number }
  }

  public func replace(_ former: TokenPair, with pair: TokenPair) async throws(AuthError) -> Bool {
    try await replace(former, with: pair, isReserving: false)
  }

  /// Writes the mark that a refresh has begun, and reserves room for its result if the store can do that.
  fileprivate func mark(_ former: TokenPair, with marked: TokenPair) async throws(AuthError) -> Bool {
    try await replace(former, with: marked, isReserving: true)
  }

  private func replace(
    _ former: TokenPair, with pair: TokenPair, isReserving: Bool
  ) async throws(AuthError) -> Bool {
    guard let stored = try await load(), stored.sessionID == former.sessionID else { return false }
    let pair = pair.counted(after: stored, by: process)
    let secret = try encoded(pair)
    let isReplaced =
      if isReserving, let store = store as? any ReservingSecretStore {
        try await store.replaceReserving(item, with: secret)
      } else {
        try await store.replace(item, with: secret)
      }
    guard isReplaced else { return false }
    if pair.change?.number != stored.change?.number { unannounced.number.withLock { $0 = pair.change?.number } }
    return true
  }

  /// The time limit of an announcement: a command must not wait for a keyring that hangs after the tokens are stored.
  private static let announcementTime = Duration.seconds(2)

  /// Reports the last change to the observers of the store, unless that has been done. Call it without the lock.
  func announceChange() async {
    let number = unannounced.number.withLock { number in
      defer { number = nil }
      return number
    }
    guard let number, let store = store as? any ObservableSecretStore else { return }
    // The number is stored: if this fails, the next change shows observers that they have missed one.
    _ = await TimeLimit.run(SecretTokenStorage.announcementTime) { [item] in try? await store.announce(number, of: item)
    }
  }

  fileprivate func releaseReservation() { (store as? any ReservingSecretStore)?.releaseReservation() }

  /// Where the last write waits to be completed, as a phrase; nil if it is complete.
  fileprivate var unfinished: String? { (store as? any ReservingSecretStore)?.unfinished }

  public func clear() async throws(AuthError) {
    try await store.clear(item)
  }

  private func encoded(_ pair: TokenPair) throws(AuthError) -> Secret {
    do {
      return try pair.stored()
    } catch {
      throw .failed("storing the tokens", why: "they can't be encoded", hint: "report this as a bug")
    }
  }

  private func damaged(_ why: String, hint: String = "", remedy: AuthError.Remedy? = nil) -> AuthError {
    .storage(.damaged, "the stored tokens of \(item.profile)", why: why, hint: hint, remedy: remedy)
  }
}

/// The number of a change that is stored and not announced yet; nil if there is none.
private final class UnannouncedChange: Sendable {
  let number = Mutex<Int?>(nil)
}

extension TokenStorage {
  /// Reports the last change to the observers of the store, if it can be observed. Call it without the lock.
  func announce() async { await (self as? SecretTokenStorage)?.announceChange() }

  /// Writes the mark that a refresh has begun as ``replace(_:with:)``, and reserves room for its result.
  func mark(_ former: TokenPair, with marked: TokenPair) async throws(AuthError) -> Bool {
    guard let tokens = self as? SecretTokenStorage else { return try await replace(former, with: marked) }
    return try await tokens.mark(former, with: marked)
  }

  /// Gives back the room that ``mark(_:with:)`` has reserved, if no write has used it.
  func releaseReservation() { (self as? SecretTokenStorage)?.releaseReservation() }

  /// Where the last write waits to be completed, as a phrase; nil if it is complete. It is not lost.
  var unfinished: String? { (self as? SecretTokenStorage)?.unfinished }
}

/// Stores the pair in memory until the process ends.
public final class MemoryTokenStorage: TokenStorage {
  private let pair: Mutex<TokenPair?>

  /// Creates a storage with an initial pair.
  public init(_ pair: TokenPair? = nil) {
    self.pair = Mutex(pair)
  }

  public func load() async throws(AuthError) -> TokenPair? { pair.withLock { $0 } }

  public func save(_ pair: TokenPair) async throws(AuthError) { self.pair.withLock { $0 = pair } }

  public func clear() async throws(AuthError) { pair.withLock { $0 = nil } }
}
