import AuthCore

/// The checks of the scope: what the server has granted, and what the API requires. The checks of the settings name the
/// scopes that the server does not list.
struct ScopeChecks: Sendable {
  /// The profile.
  let profile: Profile
  /// The comparison of the stored token; nil if there is none.
  let claims: ClaimChecks?
  /// The responses of the API to requests without a token.
  let responses: [APIChecks.Response]
  /// The request with the token; nil if none was sent.
  var trial: TokenTrial?

  /// Returns the results.
  func findings() -> [DoctorFinding] {
    let findings = (claims?.findings(.scope) ?? []) + [required].compactMap(\.self)
    guard findings.isEmpty, !isNamed, !profile.scope.isEmpty, profile.type == .oauth2 else { return findings }
    return [.ok(.scope, profile.scope.joined(separator: " "))]
  }

  private var edit: String { "authctl profile edit \(profile.name)" }
  private var login: String { "authctl login \(profile.name)" }

  /// Whether the response to the token names the scope that it lacks.
  private var isNamed: Bool { trial?.response.insufficientAuthorization?.lack == .scope }

  private var required: DoctorFinding? {
    guard let granted = claims?.scope, !isNamed else { return nil }
    for response in responses {
      let words = response.challenges.compactMap { $0["scope"] }.flatMap { $0.split(atAny: " ").map(String.init) }
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
}
