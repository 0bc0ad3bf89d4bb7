extension Profile {
  /// Why a token must not be used: its type is unknown, and the profile does not state how to send it (RFC 6749, section
  /// 7.1). Nil if it can be used.
  func objection(to response: TokenResponse) -> String? {
    let type = response.tokenType
    guard !isHeaderStated, !["", "bearer", "dpop"].contains(type.lowercased()) else { return nil }
    return "the token is of type '\(Printable.text(type, limit: 40))', neither Bearer nor DPoP"
  }

  /// What to do about such a token.
  static let headerHint = "if the API accepts it, set in [header] of the profile how it is sent"
}
