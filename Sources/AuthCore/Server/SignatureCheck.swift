/// The result of checking the signature of a token.
package struct SignatureCheck: Sendable, Equatable {
  /// The outcome of the check.
  package enum State: String, Sendable {
    /// A key of the server verifies the signature.
    case valid
    /// No key of the server verifies the signature.
    case invalid
    /// The signature could not be checked.
    case notChecked = "not_checked"
  }

  /// The outcome.
  package let state: State
  /// The reason, worded to follow the token as "it"; nil if the signature is valid.
  package let reason: String?

  /// A verified signature.
  package static let valid = SignatureCheck(state: .valid, reason: nil)

  /// Returns the result for a token whose signature is not checked.
  package static func notChecked(_ reason: String) -> SignatureCheck {
    SignatureCheck(state: .notChecked, reason: reason)
  }

  /// Returns the result for a token with a wrong signature.
  static func invalid(_ reason: String) -> SignatureCheck { SignatureCheck(state: .invalid, reason: reason) }

  /// Returns the result that needs no key: for a token without a signature, or one that no public key verifies. Nil if
  /// keys are needed.
  package static func withoutKeys(_ token: DecodedToken) -> SignatureCheck? {
    switch token.format {
    case .opaque: return .notChecked("an opaque token has no signature")
    case .damaged: return .notChecked("it can't be decoded")
    case .encrypted: return .notChecked("it is encrypted: only the API can decrypt it")
    case .jwt: break
    }
    guard let name = token.header?["alg"]?.string else { return .notChecked("its header names no algorithm (alg)") }
    guard name.lowercased() != "none" else { return .invalid("it is not signed (alg is none)") }
    guard let algorithm = SignatureAlgorithm(rawValue: name) else {
      return .notChecked("\(Escaped.text(name, limit: 40)) is not a supported algorithm")
    }
    return algorithm.isSymmetric ? .notChecked("\(name) is verified with a secret that only the server has") : nil
  }

  /// Checks a signature with a key set.
  init(of token: Secret, with keys: KeySetDocument) async {
    do throws(SignedToken.Unacceptable) {
      let signed = try SignedToken(token)
      do throws(AuthError) {
        let fault = try await keys.verify(signed).fault(of: signed, keys.url)
        self = fault.map { .invalid("it \($0)") } ?? .valid
      } catch {
        self = .notChecked("\(error.explanation.what): \(error.explanation.why)")
      }
    } catch {
      self = .invalid("it \(error.reason)")
    }
  }

  private init(state: State, reason: String?) {
    self.state = state
    self.reason = reason
  }
}
