import TestSupport

@testable import AuthCore

/// The items of the profile `work`.
extension MemorySecrets {
  /// A store that holds the pair of the profile.
  convenience init(_ pair: TokenPair) throws {
    self.init([.workTokens: try pair.stored()])
  }

  /// The stored pair, without the number of its change.
  var pair: TokenPair? {
    get throws { try items[.workTokens].map { try TokenPair(stored: $0).uncounted } }
  }

  /// The stored client secret, with the server that it names.
  var clientSecret: BoundSecret? {
    items[.workClientSecret].map { BoundSecret(stored: $0, tokensOf: nil) }
  }
}

extension TokenPair {
  /// The pair without the number of its change, which a storage sets.
  var uncounted: TokenPair {
    var pair = self
    pair.change = nil
    return pair
  }
}

extension SecretItem {
  static let workTokens = SecretItem(profile: "work", kind: .tokens)
  static let workClientSecret = SecretItem(profile: "work", kind: .clientSecret)
  static let workKey = SecretItem(profile: "work", kind: .key)
}
