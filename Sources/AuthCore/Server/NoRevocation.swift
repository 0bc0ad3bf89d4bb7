/// Where nothing can be revoked: a password is good until it is changed.
struct NoRevocation: TokenRevocation {
  func revoke(_ pair: TokenPair) async throws(AuthError) -> Bool { false }
}
