/// Where the page posts the resource owner's decision to.
struct DecisionEndpoint {
  /// What the server remembers.
  let state: LabState
  /// The settings in force.
  let settings: Settings

  /// Redirects with a code or with `access_denied`, or shows the page again after a wrong password.
  func answer(_ form: FormFields) async -> Response {
    guard let handle = form["request"], let request = await state.pendingRequest(handle) else {
      return LoginPage.failure("This page has expired.", outcome: "authorize.stale")
    }
    let response = AuthorizationResponse(
      redirectURI: request.redirectURI, state: request.state, usesFormPost: request.usesFormPost,
      issuer: await state.issuer, oddity: settings.authorizationOddity)
    guard form["decision"] == "allow" else {
      await state.close(handle)
      return response.failed(OAuthError("access_denied", "The resource owner said no."))
    }
    guard let name = form["username"], let password = form["password"], state.users[name]?.password == password else {
      return LoginPage(handle: handle, request: request).response(problem: "The name or the password is wrong.")
    }
    await state.close(handle)
    return response.granted(code: await state.grant(request, subject: name))
  }
}
