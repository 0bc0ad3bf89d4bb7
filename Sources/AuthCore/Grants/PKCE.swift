import Crypto
import FoundationEssentials

/// The verifier of Proof Key for Code Exchange (RFC 7636), which binds an authorization code to its client.
package struct PKCE: Sendable {
  /// `code_verifier`: 43 characters of the URL-safe alphabet.
  let codeVerifier: String

  /// `code_challenge` for the method `S256` (section 4.2).
  var codeChallenge: String { Base64URL.encode(SHA256.hash(data: Data(codeVerifier.utf8))) }

  /// Creates a verifier from 32 random bytes (section 4.1).
  init(random: RandomText) {
    codeVerifier = random()
  }

  init(codeVerifier: String) {
    self.codeVerifier = codeVerifier
  }
}
