/// Compares the claims of a token with what its server says about it.
package enum ClaimComparison {
  /// Claims that every token and response has for itself.
  private static let ownClaims: Set<String> = ["aud", "exp", "iat", "iss", "jti", "nbf", "nonce", "updated_at"]

  /// Returns the differences between an access token and its introspection response (RFC 7662, section 2.2).
  ///
  /// - Parameter token: the claims of the token; nil if it is opaque.
  package static func introspection(_ response: JSONValue, of token: JSONValue?) -> [ClaimFinding] {
    let inactive =
      response["active"]?.bool == false
      ? [ClaimFinding("active", "the server reports that the token is not active")] : []
    return inactive + differences(token, response, "introspection")
  }

  /// Returns the differences between a user info response and the ID token of the same login, whose `sub` must be the
  /// same (OpenID Connect Core, section 5.3.2).
  ///
  /// - Parameters:
  ///   - token: the claims of the ID token; nil if there is none.
  ///   - access: the claims of the access token, whose `sub` is compared if there is no ID token.
  package static func userInfo(_ response: JSONValue, of token: JSONValue?, access: JSONValue?) -> [ClaimFinding] {
    if let token { return differences(token, response, "userinfo", except: ownClaims) }
    return differences(.object(["sub": access?["sub"] ?? .null]), response, "userinfo")
  }

  private static func differences(
    _ token: JSONValue?, _ response: JSONValue, _ source: String, except: Set<String> = []
  ) -> [ClaimFinding] {
    guard case .object(let claims)? = token else { return [] }
    return claims.keys.sorted().compactMap { name in
      guard !except.contains(name), let own = token?[name], let other = response[name], !isSame(name, own, other) else {
        return nil
      }
      return ClaimFinding(name, "\(name) is \(text(own)); \(source) says \(text(other))")
    }
  }

  /// Whether two values mean the same: lists without an order, a single value or a list of it, numbers as text.
  static func isSame(_ name: String, _ one: JSONValue, _ other: JSONValue) -> Bool {
    if one == other { return true }
    if let one = one.lenientNumber, let other = other.lenientNumber { return one == other }
    guard let one = one.strings, let other = other.strings else { return false }
    let isScope = name == "scope" || name == "scp"
    return isScope ? Set(one.flatMap(\.scopeWords)) == Set(other.flatMap(\.scopeWords)) : Set(one) == Set(other)
  }

  private static func text(_ value: JSONValue) -> String {
    // A value that was parsed from JSON can be written as JSON.
    Escaped.text(value.strings?.joined(separator: ", ") ?? (try? value.text()) ?? "?", limit: 160)
  }
}
