import Synchronization

@testable import AuthCore

/// A store of secrets in memory that counts what is asked of it and fails as often as it is told to.
final class MemorySecrets: SecretStore {
  private struct State {
    var items: [SecretItem: Secret] = [:]
    var loads = 0
    var saves = 0
    var failingSaves = 0
  }

  static let fault = AuthError.storage(.refused, .init("the keyring", why: "it refuses", hint: "ask it again"))

  private let state = Mutex(State())

  init(_ items: [SecretItem: Secret] = [:]) {
    state.withLock { $0.items = items }
  }

  /// A store that holds the pair of the profile `work`.
  convenience init(_ pair: TokenPair) throws {
    self.init([.workTokens: try pair.stored()])
  }

  var loads: Int { state.withLock { $0.loads } }
  var saves: Int { state.withLock { $0.saves } }
  var items: [SecretItem: Secret] { state.withLock { $0.items } }

  /// The stored pair of the profile `work`.
  var pair: TokenPair? {
    get throws { try items[.workTokens].map { try TokenPair(stored: $0) } }
  }

  /// The stored client secret of the profile `work`, with the server that it names.
  var clientSecret: BoundSecret? {
    items[.workClientSecret].map { BoundSecret(stored: $0, tokensOf: nil) }
  }

  func failNextSaves(_ count: Int) {
    state.withLock { $0.failingSaves = count }
  }

  /// Changes an item behind everybody's back, as another process does.
  func put(_ secret: Secret?, as item: SecretItem) {
    state.withLock { $0.items[item] = secret }
  }

  func load(_ item: SecretItem) async throws(AuthError) -> Secret? {
    state.withLock { state in
      state.loads += 1
      return state.items[item]
    }
  }

  func save(_ secret: Secret, as item: SecretItem) async throws(AuthError) {
    let fails = state.withLock { state in
      state.saves += 1
      state.failingSaves -= 1
      guard state.failingSaves < 0 else { return true }
      state.items[item] = secret
      return false
    }
    if fails { throw MemorySecrets.fault }
  }

  func clear(_ item: SecretItem) async throws(AuthError) {
    state.withLock { $0.items[item] = nil }
  }
}

extension SecretItem {
  static let workTokens = SecretItem(profile: "work", kind: .tokens)
  static let workClientSecret = SecretItem(profile: "work", kind: .clientSecret)
  static let workKey = SecretItem(profile: "work", kind: .key)
}
