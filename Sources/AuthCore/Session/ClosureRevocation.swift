/// Revokes a pair by a closure of the program's own.
public struct ClosureRevocation: TokenRevocation {
  /// Asks the server to end the life of a pair.
  public typealias Revoke = @Sendable (TokenPair) async throws -> Void

  private let ask: Revoke

  /// Takes the closure; whatever it throws, the tokens are removed here and may stay good at the server.
  public init(_ revoke: @escaping Revoke) {
    ask = revoke
  }

  public func revoke(_ pair: TokenPair) async throws(AuthError) -> Bool {
    do {
      try await ask(pair)
      return true
    } catch {
      throw AuthError(thrown: error, while: "revoking the tokens")
    }
  }
}
