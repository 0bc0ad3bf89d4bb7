/// Provides the credential for requests, and a different one if the API has refused it.
package protocol CredentialSource: Sendable {
  /// Returns the credential to use now; its token is refreshed first if needed.
  ///
  /// - Parameter rejected: a token that the API has refused; a different one is returned.
  /// - Throws: ``AuthError``, which names the next step.
  func credential(replacing rejected: Secret?) async throws(AuthError) -> APICredential

  /// Remembers what the API says about a token.
  ///
  /// - Returns: how long a refusal of this token causes no refresh; nil if a refusal causes one.
  func remember(_ verdict: APIVerdict, on token: Secret) async -> Duration?
}

extension CredentialSource {
  /// Remembers nothing: each refused request requests another token.
  package func remember(_ verdict: APIVerdict, on token: Secret) async -> Duration? { nil }
}

extension RecentCredential: CredentialSource {}

/// A credential that cannot be replaced: a fixed token or a password.
package struct FixedCredential: CredentialSource {
  private let credential: APICredential

  /// Creates a source that always returns this credential.
  package init(_ credential: APICredential) { self.credential = credential }

  package func credential(replacing rejected: Secret?) async throws(AuthError) -> APICredential { credential }
}
