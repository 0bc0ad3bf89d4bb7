import AuthCore

/// The response of the profile's first API to a request with the stored token.
struct TokenTrial: Sendable {
  /// The profile.
  let profile: Profile
  /// The session of the token.
  let pair: TokenPair
  /// Whether the token can be refreshed.
  let canRefresh: Bool
  /// The response.
  let response: TransferResponse

  /// The end of a sentence about the API if there is no problem.
  var words: String {
    response.status < 400 ? ", and accepts the token (\(response.status))" : ", with the token \(response.status)"
  }

  /// The problem that the response names; nil if there is none.
  var problem: DoctorFinding? {
    guard let url = profile.api.first else { return nil }
    let (error, description) = response.refusalWords
    let reason = [error, description].compactMap(\.self).joined(separator: ": ")
    let returned = "\(response.status)" + (reason.isEmpty ? "" : " (\(reason))")
    if let insufficient = response.insufficientAuthorization {
      let advice = LoginAdvice(insufficient: insufficient, profile: profile, granted: pair.scope)
      return .warning(
        insufficient.lack == .scope ? .scope : .api, "\(url) returned \(returned) with the token: \(advice.why)",
        hint: advice.hint)
    }
    guard response.status == 401 || profile.refreshOn.contains(response.status) else {
      guard response.status == 403, error != nil else { return nil }
      return .warning(
        .api, "\(url) returned \(returned) with the token",
        hint: "ask the API's operator, or see what the token permits: authctl inspect \(profile.name)")
    }
    guard profile.type != .basic else {
      return .error(
        .api, "\(url) refuses the user name or the password: it returned \(returned)",
        hint: "run: authctl login \(profile.name)", status: .http)
    }
    let next = canRefresh ? "to replace it: authctl refresh" : "then run: authctl login"
    return .error(
      .api, "\(url) refuses the access token: it returned \(returned)",
      hint: "compare it with the profile: authctl inspect \(profile.name); \(next) \(profile.name)",
      status: canRefresh ? .http : .loginRequired)
  }
}
