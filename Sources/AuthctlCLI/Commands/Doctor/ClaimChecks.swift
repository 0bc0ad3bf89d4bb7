import AuthCore
import FoundationEssentials

/// The comparison of a session's access token with the profile, by the rules of `inspect`.
struct ClaimChecks: Sendable {
  /// The scope that the token has; nil if it is unknown.
  let scope: [String]?
  private let profile: Profile
  private let differences: [ClaimFinding]

  /// Compares a token.
  init(_ profile: Profile, _ pair: TokenPair, _ context: Context) {
    self.profile = profile
    let now = context.now().addingTimeInterval(pair.localClock.offset ?? 0)
    let check = ExpectedClaims(profile, pair, now: now)
    // The check of the session states when the token expires.
    differences = check.findings(.access, pair.accessTokenClaims, expiresIn: nil)
    scope = check.heldScope(pair.accessTokenClaims)
  }

  /// Returns the differences that belong to a check: those of the scope, or all others.
  func findings(_ check: DoctorCheck) -> [DoctorFinding] {
    differences.filter { (check == .scope) == ["scope", "scp"].contains($0.claim) }.map { difference in
      .warning(check, "access token: \(difference.message)", hint: hint(difference.claim))
    }
  }

  private func hint(_ claim: String) -> String {
    let login = "run: authctl login \(profile.name)"
    switch claim {
    case "iss": return "the token is from another server or environment; \(login)"
    case "aud" where profile.audience == nil && profile.resource.isEmpty:
      return "set audience or resource to the API's identifier: authctl profile edit \(profile.name); then \(login)"
    case "aud":
      return "if audience or resource was changed after the login, \(login); else ask the server's operator"
    case "scope", "scp":
      return "if the scope was added after the login, \(login); otherwise the server does not grant it"
    case "nbf", "iat": return "run: timedatectl set-ntp true"
    default: return "if the profile was changed after the login, \(login); else ask the server's operator"
    }
  }
}
