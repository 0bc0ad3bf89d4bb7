/// The answer that goes back through the browser (RFC 6749, section 4.1.2; RFC 9207, section 2).
struct AuthorizationResponse {
  /// Where it goes.
  let redirectURI: String
  /// The `state` of the request.
  let state: String?
  /// Whether it goes as a form rather than in the query.
  let usesFormPost: Bool
  /// The issuer identifier.
  let issuer: String
  /// How it deviates.
  let oddity: AuthorizationOddity

  /// The answer with a code.
  func granted(code: String) -> Response {
    switch oddity {
    case .noCode: deliver([], outcome: "authorize.granted")
    case .errorInFragment: failed(OAuthError("access_denied", "The fragment says so."))
    default: deliver([("code", code)], outcome: "authorize.granted")
    }
  }

  /// The answer with an error.
  func failed(_ error: OAuthError) -> Response {
    let outcome = error.code == "access_denied" ? "authorize.denied" : "authorize.\(error.code)"
    return deliver([("error", error.code), ("error_description", error.description)], outcome: outcome)
  }

  private func deliver(_ result: [(name: String, value: String)], outcome: String) -> Response {
    var parameters = result
    switch oddity {
    case .missingState: break
    case .wrongState: parameters.append(("state", "not-" + (state ?? "")))
    default: if let state { parameters.append(("state", state)) }
    }
    switch oddity {
    case .missingIssuer: break
    case .wrongIssuer: parameters.append(("iss", "https://issuer.invalid"))
    default: parameters.append(("iss", issuer))
    }
    if oddity == .noRedirect {
      return LoginPage.notice("You can close this window, or wait.", outcome: outcome)
    }
    if oddity == .errorInFragment {
      return Response(redirect: 303, to: redirectURI + "#" + FormFields.encode(parameters), outcome: outcome)
    }
    guard !usesFormPost else {
      return LoginPage.selfPostingForm(to: redirectURI, parameters: parameters, outcome: outcome)
    }
    let separator = redirectURI.contains("?") ? "&" : "?"
    return Response(
      redirect: 303, to: redirectURI + separator + FormFields.encode(parameters), outcome: outcome
    ).adding("Cache-Control", "no-store")
  }
}
