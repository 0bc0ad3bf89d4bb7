/// Where nothing can be revoked: a password is good until it is changed.
public struct NoRevocation: TokenRevocation {
  /// Makes it.
  public init() {}

  public func revoke(_ pair: TokenPair) async throws(AuthError) -> Bool { false }
}
