import AuthCore

extension TokenSimulation {
  /// The line that states what is simulated.
  var note: String {
    switch self {
    case .expired: "authctl: simulating an expired token: it is refreshed before the request"
    case .refused: "authctl: simulating a refused token: an altered one is sent first"
    }
  }

  /// Checks that a request has a token, and that its failure causes a refresh.
  ///
  /// - Throws: ``AuthError/usage(_:)``.
  func check(_ target: CallTarget) throws(AuthError) {
    guard case .session(let profile) = target.credential else {
      throw contradiction(
        "the token of AUTHCTL_ACCESS_TOKEN can't be refreshed", hint: "unset the variable, and use a profile")
    }
    guard profile.type != .basic else {
      throw contradiction(
        "profile \(profile.name) has a password, which can't be refreshed",
        hint: "use a profile with tokens: --profile NAME")
    }
    guard self == .expired || RefusalRule(profile).canRefuse else {
      throw contradiction(
        "profile \(profile.name) has refresh_on = []: no response refuses the token", hint: "set refresh_on = [401]")
    }
  }

  private func contradiction(_ why: String, hint: String) -> AuthError {
    .usage("--simulate \(rawValue)", why: why, hint: hint)
  }
}
