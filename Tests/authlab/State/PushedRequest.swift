/// An authorization request that was pushed (RFC 9126, section 2).
struct PushedRequest: Sendable {
  /// Who pushed it.
  let clientID: String
  /// Its fields.
  let parameters: FormFields
  /// When it ends, in seconds since 1970.
  let expiresAt: Double
}
