public import FoundationEssentials

/// Renews a pair by a closure of the program's own, for a server that is not one of OAuth.
///
/// The closure gets the old pair and gives the new one; ``TokenPair/renewed(by:sentAt:)`` makes it from what the server
/// answered. It may throw a ``RenewalFailure``, an ``AuthError`` or an ``APIError``: see ``RenewalFailure/init(thrown:)``
/// for what becomes of the session then.
public struct ClosureRenewal: TokenRenewal {
  /// Makes a new pair of an old one by asking the server.
  public typealias Renew = @Sendable (TokenPair) async throws -> TokenPair

  private let refreshTokenMargin: Duration
  private let now: @Sendable () -> Date
  private let ask: Renew

  /// Takes the closure.
  ///
  /// - Parameters:
  ///   - refreshTokenMargin: treat the refresh token as expired this long before its expiry and do not send it; with
  ///     zero the server decides.
  ///   - now: the clock.
  public init(
    refreshTokenMargin: Duration = .zero, now: @escaping @Sendable () -> Date = { Date() }, _ renew: @escaping Renew
  ) {
    self.refreshTokenMargin = refreshTokenMargin
    self.now = now
    ask = renew
  }

  public func canRenew(_ pair: TokenPair) -> Bool { pair.canRefresh(at: now(), margin: refreshTokenMargin) }

  public func check(_ pair: TokenPair) throws(RenewalFailure) {
    guard let why = obstacle(pair) else { return }
    throw .other(.loginRequired(.init("refreshing the token", why: why, hint: "log in again")))
  }

  public func renew(_ pair: TokenPair) async throws(RenewalFailure) -> TokenPair {
    try check(pair)
    do {
      var renewed = try await ask(pair)
      // It is the same session still, whatever the closure made the pair from.
      renewed.sessionID = pair.sessionID
      renewed.loggedInAt = pair.loggedInAt
      renewed.lastRefresh = renewed.issuedAt
      renewed.lastError = nil
      return renewed
    } catch {
      throw RenewalFailure(thrown: error)
    }
  }

  private func obstacle(_ pair: TokenPair) -> String? {
    if pair.refreshToken == nil { return "there is no refresh token" }
    if pair.lastError?.final == true { return "the server has refused the refresh token" }
    return pair.isWithin(refreshTokenMargin: refreshTokenMargin, at: now()) ? "the refresh token has expired" : nil
  }
}
