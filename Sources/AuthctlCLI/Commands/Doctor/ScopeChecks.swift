import AuthCore

/// The checks of the scope: what the server has granted, and what the API requires. The checks of the settings name the
/// scopes that the server does not list.
struct ScopeChecks: Sendable {
  /// The profile.
  let profile: Profile
  /// The stored pair; nil if there is none.
  let pair: TokenPair?
  /// The responses of the API to requests without a token.
  let responses: [APIChecks.Response]

  /// Returns the results.
  func findings() -> [DoctorFinding] {
    let findings = [granted, required].compactMap(\.self)
    guard findings.isEmpty, !profile.scope.isEmpty, profile.type == .oauth2 else { return findings }
    return [.ok(.scope, profile.scope.joined(separator: " "))]
  }

  private var edit: String { "authctl profile edit \(profile.name)" }
  private var login: String { "authctl login \(profile.name)" }

  private var granted: DoctorFinding? {
    guard let pair else { return nil }
    var known = pair
    // A server that grants the requested scope need not state it (RFC 6749, section 5.1); a JWT may (RFC 9068).
    known.scope = pair.scope ?? Self.words(pair.accessTokenClaims)
    let missing = known.missingScope(of: profile.scope)
    guard !missing.isEmpty else { return nil }
    return .warning(
      .scope, "the session does not have the scope \(missing.joined(separator: " ")), which the profile requests",
      hint: "if the scope was added after the login, run: \(login); otherwise the server does not grant it")
  }

  private var required: DoctorFinding? {
    guard let pair, let granted = pair.scope ?? Self.words(pair.accessTokenClaims) else { return nil }
    for response in responses {
      let words = response.challenges.compactMap { $0["scope"] }.flatMap { $0.split(separator: " ").map(String.init) }
      let missing = words.filter { !granted.contains($0) }
      guard missing.isEmpty else {
        return .warning(
          .scope,
          "\(response.url) requires the scope \(Escaped.text(missing.joined(separator: " "))), which the "
            + "session does not have",
          hint: "add it to scope: \(edit); then run: \(login)")
      }
    }
    return nil
  }

  /// The scope in the claims of a JWT: `scope` (RFC 9068, section 2.2.3), or `scp`, as Microsoft and Okta name it.
  private static func words(_ claims: JSONValue?) -> [String]? {
    guard let value = claims?["scope"] ?? claims?["scp"], let texts = value.strings else { return nil }
    return texts.flatMap(\.scopeWords)
  }
}
