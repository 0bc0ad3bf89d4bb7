public import AuthCore
import Synchronization

/// A store of secrets in memory that counts its uses and fails on demand.
public final class MemorySecrets: ObservableSecretStore {
  private struct State {
    var items: [SecretItem: Secret] = [:]
    var loads = 0
    var saves = 0
    var failingSaves = 0
    var passingSaves = 0
    var failure: AuthError?
    var observers: [AsyncStream<SecretStoreChange>.Continuation] = []
    var announced: [Int] = []
    var failsAnnouncements = false
    var onAnnouncement: (@Sendable () async -> Void)?
  }

  /// The error of a save that was made to fail.
  public static let fault = AuthError.storage(.refused, .init("the keyring", why: "it refuses", hint: "ask it again"))

  private let state = Mutex(State())

  /// Creates a store with these items.
  public init(_ items: [SecretItem: Secret] = [:]) {
    state.withLock { $0.items = items }
  }

  /// How often an item was read.
  public var loads: Int { state.withLock { $0.loads } }
  /// How often an item was written, failed writes included.
  public var saves: Int { state.withLock { $0.saves } }
  /// What is stored.
  public var items: [SecretItem: Secret] { state.withLock { $0.items } }

  /// Makes this many of the next writes fail, after some that succeed.
  public func failNextSaves(_ count: Int, after passing: Int = 0) {
    state.withLock { ($0.failingSaves, $0.passingSaves) = (count, passing) }
  }

  /// Makes every operation fail from now on, as a locked or absent keyring does; nil ends it.
  public func fail(_ fault: StorageFault?) {
    let failure = fault.map {
      AuthError.storage($0, .init("the keyring", why: "it is \($0.rawValue)", hint: "check the keyring"))
    }
    state.withLock { $0.failure = failure }
  }

  /// The numbers of the changes that were announced.
  package var announced: [Int] { state.withLock { $0.announced } }

  /// Makes every announcement fail from now on, or none.
  package func failAnnouncements(_ fails: Bool = true) { state.withLock { $0.failsAnnouncements = fails } }

  /// Calls a function at the start of each announcement from now on.
  package func onAnnouncement(_ action: @escaping @Sendable () async -> Void) {
    state.withLock { $0.onAnnouncement = action }
  }

  /// How many observers have subscribed.
  package var observers: Int { state.withLock { $0.observers.count } }

  /// Reports a change to all observers.
  package func report(_ change: SecretStoreChange) {
    for observer in state.withLock({ $0.observers }) { observer.yield(change) }
  }

  package func changes() async throws(AuthError) -> AsyncStream<SecretStoreChange> {
    let (changes, change) = AsyncStream.makeStream(of: SecretStoreChange.self)
    let failure = state.withLock { state in
      state.observers.append(change)
      return state.failure
    }
    if let failure { throw failure }
    return changes
  }

  package func announce(_ number: Int, of item: SecretItem) async throws(AuthError) {
    await state.withLock(\.onAnnouncement)?()
    let isFailing = state.withLock { state in
      if !state.failsAnnouncements { state.announced.append(number) }
      return state.failsAnnouncements
    }
    if isFailing { throw MemorySecrets.fault }
    report(.item(item))
  }

  /// Changes an item as another process does.
  public func put(_ secret: Secret?, as item: SecretItem) {
    state.withLock { $0.items[item] = secret }
  }

  public func load(_ item: SecretItem) async throws(AuthError) -> Secret? {
    let (failure, secret) = state.withLock { state in
      state.loads += 1
      return (state.failure, state.items[item])
    }
    if let failure { throw failure }
    return secret
  }

  public func save(_ secret: Secret, as item: SecretItem) async throws(AuthError) {
    let failure = state.withLock { state -> AuthError? in
      state.saves += 1
      let passes = state.passingSaves > 0
      if passes { state.passingSaves -= 1 } else { state.failingSaves -= 1 }
      guard state.failure == nil, passes || state.failingSaves < 0 else { return state.failure ?? MemorySecrets.fault }
      state.items[item] = secret
      return nil
    }
    if let failure { throw failure }
  }

  public func clear(_ item: SecretItem) async throws(AuthError) {
    let failure = state.withLock { state in
      if state.failure == nil { state.items[item] = nil }
      return state.failure
    }
    if failure == nil { report(.item(item)) }
    if let failure { throw failure }
  }
}
