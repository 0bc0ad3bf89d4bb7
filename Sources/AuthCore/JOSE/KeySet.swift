import Crypto
import FoundationEssentials

/// A server's key set (RFC 7517, section 5).
struct KeySet: Sendable {
  /// The keys for verifying signatures, in their order.
  let keys: [VerificationKey]

  /// The reason why a document is not a key set.
  struct Malformed: Error, Equatable {
    /// The reason in words.
    let reason: String
  }

  /// The maximum number of keys: a longer set is an attack, not a rotation.
  private static let limit = 100

  /// Reads a document; entries that are not for signatures or not supported are skipped (section 5).
  init(_ document: JSONValue) throws(Malformed) {
    guard case .array(let entries)? = document["keys"] else { throw Malformed(reason: "it is not a key set") }
    guard entries.count <= KeySet.limit else {
      throw Malformed(reason: "it has \(entries.count) keys, and \(KeySet.limit) are the most")
    }
    keys = entries.compactMap { VerificationKey($0) }
  }

  /// The outcome of a signature verification.
  enum Outcome: Equatable {
    /// One of the keys verifies the signature.
    case verified
    /// No key has the token's `kid`, or none fits its algorithm; a newer key set may contain one.
    case noKey
    /// Matching keys exist, but none verifies the signature.
    case wrong
    /// A matching key can't be used; the reason in words.
    case unusable(String)

    /// Returns the reason why the signature is not verified, as a phrase that follows "the ID token "; nil if it is.
    ///
    /// - Parameter url: the address of the key set.
    func fault(of token: SignedToken, _ url: WebURL) -> String? {
      switch self {
      case .verified: nil
      case .wrong: "has a wrong signature"
      case .noKey:
        "is signed (\(token.algorithm.rawValue)) with a key that is not among the server's (\(url))"
      case .unusable(let why): "is signed with a key that can't be used: \(why)"
      }
    }
  }

  /// Verifies the signature of a token with the keys that have its `kid` or no `kid`. If the token has no `kid`, all
  /// keys that fit its algorithm are tried.
  ///
  /// If several keys have the same `kid`, each is tried.
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
  /// Whether the signature was created with a shared secret (HMAC, RFC 7518, section 3.2).
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
