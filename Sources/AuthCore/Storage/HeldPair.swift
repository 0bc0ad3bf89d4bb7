import FoundationEssentials

/// A pair that could not be stored, with what tells whether it still may be.
struct HeldPair: Codable {
  /// What there is to be stored.
  let pair: TokenPair
  private let former: String

  /// Describes a pair that was got for `former`, which is stored.
  init(_ pair: TokenPair, over former: TokenPair) {
    self.pair = pair
    self.former = HeldPair.fingerprint(former)
  }

  /// Whether this pair comes after the stored one, in the same session: an older one never takes the place of a newer.
  func follows(_ stored: TokenPair) -> Bool {
    stored.sessionID == pair.sessionID && HeldPair.fingerprint(stored) == former
  }

  /// Of times there may be two within one second; of tokens not.
  private static func fingerprint(_ pair: TokenPair) -> String {
    pair.accessToken.fingerprint + (pair.refreshToken?.fingerprint ?? "")
  }

  /// The pair as a secret for a ``TokenRescue``.
  func stored() throws -> Secret {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    return Secret(String(decoding: try encoder.encode(self), as: UTF8.self))
  }

  /// Reads what ``stored()`` wrote.
  init(stored secret: Secret) throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    self = try decoder.decode(HeldPair.self, from: Data(secret.exposed.utf8))
  }
}
