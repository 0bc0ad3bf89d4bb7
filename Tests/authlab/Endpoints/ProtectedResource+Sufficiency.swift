import Foundation

/// What a good token may still not be enough for.
extension ProtectedResource {
  /// `scope` of a challenge (RFC 6750, section 3); nothing where the API wants none or does not say.
  var scopeParameter: [(name: String, value: String)] {
    settings.requiredScope.isEmpty || !settings.scopeInChallenge ? [] : [("scope", settings.requiredScope)]
  }

  /// The refusal of a token whose scope or login the API is not content with; nil where it is.
  func insufficiency(_ access: AccessToken, _ family: TokenFamily) -> Response? {
    let wanted = settings.requiredScope.split(separator: " ").map(String.init)
    guard Set(wanted).isSubset(of: access.scope) else {
      return refusal(
        settings.insufficientScopeStatus, "insufficient_scope", "The token's scope is too narrow.", scopeParameter)
    }
    let isRightLogin = settings.requiredAcr.isEmpty || settings.requiredAcr.contains(family.acr ?? "")
    let age = state.now - family.authenticatedAt
    let isFresh = settings.requiredMaxAge < 0 || age <= Double(settings.requiredMaxAge)
    guard !isRightLogin || !isFresh else { return nil }
    var parameters: [(name: String, value: String)] = []
    if !settings.requiredAcr.isEmpty { parameters.append(("acr_values", settings.requiredAcr.joined(separator: " "))) }
    if settings.requiredMaxAge >= 0 { parameters.append(("max_age", "\(settings.requiredMaxAge)")) }
    return refusal(
      401, "insufficient_user_authentication", "Another login is needed.", parameters)
  }

  private func refusal(
    _ status: Int, _ error: String, _ description: String, _ parameters: [(name: String, value: String)]
  ) -> Response {
    BearerChallenge(form: settings.challenge, error: error, description: description, more: parameters)
      .response(status: status, outcome: "api.\(error)")
  }
}
