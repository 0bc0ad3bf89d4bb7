import Crypto
import FoundationEssentials

/// A server's key set (RFC 7517, section 5).
struct KeySet: Sendable {
  /// The keys that can verify signatures, in their order.
  let keys: [VerificationKey]

  /// Why a document is not a key set.
  struct Malformed: Error, Equatable {
    /// The reason in words.
    let reason: String
  }

  /// How many keys are looked at: a longer set is an attack, not a rotation.
  private static let limit = 100

  /// Reads a document; entries that are not for signatures or not understood are passed over (section 5).
  init(_ document: JSONValue) throws(Malformed) {
    guard case .array(let entries)? = document["keys"] else { throw Malformed(reason: "it is not a key set") }
    guard entries.count <= KeySet.limit else {
      throw Malformed(reason: "it has \(entries.count) keys, and \(KeySet.limit) are the most")
    }
    keys = entries.compactMap { VerificationKey($0) }
  }

  /// What came of looking for the key of a signature.
  enum Outcome: Equatable {
    /// The signature is of one of the keys.
    case verified
    /// No key has the token's `kid`, or none fits its algorithm: a newer key set may have one.
    case noKey
    /// The keys that should fit do not.
    case wrong
    /// The key that should fit can't be used, and why.
    case unusable(String)
  }

  /// Verifies the signature of a token with the keys of its `kid`, or with all that fit where it names none.
  ///
  /// Several keys may have the same `kid`: each is tried.
  func verify(_ token: SignedToken) async -> Outcome {
    let candidates = keys.filter { key in
      key.fits(token.algorithm) && (token.keyID == nil || key.keyID == nil || key.keyID == token.keyID)
    }
    guard !candidates.isEmpty else { return .noKey }
    var unusable: String?
    for key in candidates {
      do throws(VerificationKey.Unusable) {
        if try await key.verifies(token.signature, of: token.signingInput, by: token.algorithm) { return .verified }
      } catch {
        unusable = error.reason
      }
    }
    return unusable.map { .unusable($0) } ?? .wrong
  }
}

extension SignedToken {
  /// Whether the signature is made with a secret of both sides (HMAC, RFC 7518, section 3.2).
  func isSigned(by secret: Secret) -> Bool {
    let key = SymmetricKey(data: Data(secret.exposed.utf8))
    return switch algorithm {
    case .hs256: HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: signingInput, using: key)
    case .hs384: HMAC<SHA384>.isValidAuthenticationCode(signature, authenticating: signingInput, using: key)
    case .hs512: HMAC<SHA512>.isValidAuthenticationCode(signature, authenticating: signingInput, using: key)
    default: false
    }
  }
}
