/// Provides the credential of requests, and another one if the API has refused it.
public protocol CredentialSource: Sendable {
  /// Returns the credential to use now; its token is refreshed first if needed.
  ///
  /// - Parameter rejected: a token that the API has refused: another one is returned.
  /// - Throws: ``AuthError`` with what to do next.
  func credential(replacing rejected: Secret?) async throws(AuthError) -> APICredential

  /// Remembers that the API refused a token that had just taken the place of a refused one.
  ///
  /// - Returns: how long a refusal of this token causes no refresh; nil if nothing is remembered.
  func rememberRefusal(of token: Secret) async -> Duration?
}

extension CredentialSource {
  /// Remembers nothing: each request that is refused asks for another token.
  public func rememberRefusal(of token: Secret) async -> Duration? { nil }
}

extension CredentialCache: CredentialSource {}

/// A credential that cannot be replaced: a token that was given, or a password.
package struct FixedCredential: CredentialSource {
  private let credential: APICredential

  /// Creates a source that always returns this credential.
  package init(_ credential: APICredential) { self.credential = credential }

  package func credential(replacing rejected: Secret?) async throws(AuthError) -> APICredential { credential }
}

extension TokenSession: CredentialSource {
  /// Adds the token to requests, and refreshes it if the API refuses it.
  public var interceptor: TokenInterceptor {
    TokenInterceptor(self, header: settings.header, refusals: settings.refusals, events: backend.events)
  }

  /// Creates a client whose requests carry the token.
  public func client(base: WebURL, transport: any HTTPTransport, options: APIOptions = APIOptions()) -> APIClient {
    APIClient(base: base, transport: transport, interceptor: interceptor, options: options)
  }
}
