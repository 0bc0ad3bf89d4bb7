import FoundationEssentials
import Synchronization

/// Keeps the token pair of one session.
public protocol TokenStorage: Sendable {
  /// Reads the pair; nil when it is certain that there is none.
  ///
  /// - Throws: ``AuthError/storage(_:_:)``.
  func load() async throws(AuthError) -> TokenPair?

  /// Writes the pair, in one piece, over the former one.
  ///
  /// - Throws: ``AuthError/storage(_:_:)``; the former pair is then still there.
  func save(_ pair: TokenPair) async throws(AuthError)

  /// Writes the pair over that of the same session, and only then: neither a logout nor another login is undone.
  ///
  /// - Returns: false where the session is no longer stored.
  /// - Throws: ``AuthError/storage(_:_:)``; the former pair is then still there.
  func replace(_ former: TokenPair, with pair: TokenPair) async throws(AuthError) -> Bool

  /// Removes the pair; no error where there is none.
  ///
  /// - Throws: ``AuthError/storage(_:_:)``.
  func clear() async throws(AuthError)
}

extension TokenStorage {
  /// Looks first, then writes: for a storage that can't do both in one step.
  public func replace(_ former: TokenPair, with pair: TokenPair) async throws(AuthError) -> Bool {
    guard let stored = try await load(), stored.sessionID == former.sessionID else { return false }
    try await save(pair)
    return true
  }
}

/// Keeps the pair of a profile as one item of a ``SecretStore``.
public struct StoredTokens: TokenStorage {
  private let store: any SecretStore
  private let item: SecretItem
  private let clock: @Sendable () -> ClockReading

  /// Names the store and the profile.
  public init(_ store: any SecretStore, profile: String) {
    self.init(store, profile: profile, clock: { ClockReading.system() })
  }

  /// Names the store, the profile, and the clocks by which the pair is read.
  package init(_ store: any SecretStore, profile: String, clock: @escaping @Sendable () -> ClockReading) {
    self.store = store
    self.clock = clock
    item = SecretItem(profile: profile, kind: .tokens)
  }

  public func load() async throws(AuthError) -> TokenPair? {
    guard let secret = try await store.load(item) else { return nil }
    do {
      return try TokenPair(stored: secret).read(at: clock())
    } catch let error as TokenPair.UnknownVersion {
      throw damaged("it was written by a later version (format \(error.version))", hint: "use the later version")
    } catch {
      throw damaged("it is not a stored token pair", remedy: .logIn(session: item.profile))
    }
  }

  public func save(_ pair: TokenPair) async throws(AuthError) {
    try await store.save(try encoded(pair), as: item)
  }

  public func replace(_ former: TokenPair, with pair: TokenPair) async throws(AuthError) -> Bool {
    guard let stored = try await load(), stored.sessionID == former.sessionID else { return false }
    return try await store.replace(item, with: try encoded(pair))
  }

  public func clear() async throws(AuthError) {
    try await store.clear(item)
  }

  private func encoded(_ pair: TokenPair) throws(AuthError) -> Secret {
    do {
      return try pair.stored()
    } catch {
      throw .failed(.init("storing the tokens", why: "they can't be encoded", hint: "report this as a bug"))
    }
  }

  private func damaged(_ why: String, hint: String = "", remedy: AuthError.Remedy? = nil) -> AuthError {
    .storage(.damaged, .init("the stored tokens of \(item.profile)", why: why, hint: hint, remedy: remedy))
  }
}

/// Keeps the pair in memory: it goes with the process.
public final class MemoryTokenStorage: TokenStorage {
  private let pair: Mutex<TokenPair?>

  /// Begins with a pair, or with none.
  public init(_ pair: TokenPair? = nil) {
    self.pair = Mutex(pair)
  }

  public func load() async throws(AuthError) -> TokenPair? { pair.withLock { $0 } }

  public func save(_ pair: TokenPair) async throws(AuthError) { self.pair.withLock { $0 = pair } }

  public func clear() async throws(AuthError) { pair.withLock { $0 = nil } }
}
