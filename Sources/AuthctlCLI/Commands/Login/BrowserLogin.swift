import AuthCore

/// A login in the browser: the authorization code grant with a redirect to this machine (RFC 8252).
struct BrowserLogin: Sendable {
  private let arguments: LoginArguments
  private let context: Context

  init(_ arguments: LoginArguments, _ context: Context) {
    self.arguments = arguments
    self.context = context
  }

  func pair(_ login: Login, _ profile: Profile) async throws -> TokenPair {
    let timeout = arguments.timeout ?? .seconds(300)
    let listener = try LoopbackListener(profile.redirectURI, patience: context.pageTime)
    let request = try await login.pushed(
      login.authorizationRequest(redirectURI: listener.redirectURI, random: context.random))
    show(request.url.string)
    let log = VerboseLog(context)
    log.step(
      "waiting for the browser, which logs in at \(request.url.origin)\(request.url.path): "
        + "redirect_uri=\(listener.redirectURI), code_challenge=\(request.codeChallenge) (S256)")
    for (name, value) in FormEncoding.decode(request.url.query ?? "") {
      log.wire?(.sentField(name: name, value: value))
    }
    let line = WaitingLine(context, timeout) { left, _ in
      [
        "Waiting for the browser at \(listener.redirectURI) … \(left) left", "Waiting for the browser … \(left) left",
      ]
    }
    return try await listener.serve({ verdict($0, login, request) }) { visit in
      guard let response = try await line.during({ try await visit.response(within: timeout) }) else {
        throw timedOut(profile, timeout)
      }
      log.step("the browser has returned to \(listener.redirectURI)")
      let outcome = await outcome(of: response, login, request, profile)
      switch outcome {
      case .success(let pair): await visit.show(.loggedIn(to: profile.name.string, as: pair.subject))
      case .failure(let error): await visit.show(.failed(error, profile: profile.name.string))
      }
      return try outcome.get()
    }
  }

  private func show(_ url: String) {
    let opens = arguments.opensBrowser && context.browser.isAvailable
    if !context.verbosity.quiet || !opens {
      context.console.note(
        opens ? "Opening this page to log in; if no browser appears, open it yourself:" : "Open this page to log in:")
      context.notePage(url)
    }
    if opens { context.openPage(url, isShown: !context.verbosity.quiet) }
  }

  private typealias Response = Result<AuthorizationResponse, AuthorizationResponse.Invalid>

  private func verdict(
    _ fields: [FormField], _ login: Login, _ request: AuthorizationRequest
  ) -> LoopbackListener.Verdict<Response> {
    let response = BrowserLogin.response(fields, login, request)
    switch response {
    case .failure(.empty):
      context.console.note("authctl: the browser returned without a code or an error; still waiting")
      return .ignored(.empty)
    case .failure(.wrongState):
      context.console.note("authctl: ignored a response that belongs to another login; still waiting")
      return .ignored(.foreign)
    case .success, .failure(.wrongIssuer): return .accepted(response)
    }
  }

  private func timedOut(_ profile: Profile, _ timeout: Duration) -> AuthError {
    .tryLater(
      .init(
        "logging in to \(profile.name)",
        why: "the browser did not return within \(DurationText.describe(timeout.seconds))",
        hint: "log in again; if the server showed an error, check client_id and redirect_uri"))
  }

  /// Exchanges the code of the response for tokens.
  private func outcome(
    of response: Response, _ login: Login, _ request: AuthorizationRequest, _ profile: Profile
  ) async -> Result<TokenPair, AuthError> {
    switch response {
    case .success(.code(let code)):
      do {
        return .success(try await login.exchange(code, of: request))
      } catch {
        return .failure(error)
      }
    case .success(.error(let error)): return .failure(refusal(error, profile, login))
    case .failure(let invalid): return .failure(BrowserLogin.explained(invalid, profile))
    }
  }

  /// Parses the fields of the redirect. A form that a server has encoded twice is decoded twice.
  private static func response(_ fields: [FormField], _ login: Login, _ request: AuthorizationRequest) -> Response {
    let result = Response { () throws(AuthorizationResponse.Invalid) in
      try login.authorizationResponse(fields, to: request)
    }
    if case .failure(let invalid) = result, invalid != .empty {
      let again = fields.map { field in
        (field.name, FormEncoding.decode("x=\(field.value)").first?.value ?? field.value)
      }
      let second = Response { () throws(AuthorizationResponse.Invalid) in
        try login.authorizationResponse(again, to: request)
      }
      if case .success = second { return second }
    }
    return result
  }

  private func refusal(_ error: ErrorResponse, _ profile: Profile, _ login: Login) -> AuthError {
    let denied = error.error == "access_denied"
    let word = error.error ?? "an error"
    let why = error.errorDescription.map { "\(word): \($0)" } ?? word
    return .refused(
      .init(
        "logging in to \(profile.name)", why: denied ? "the login was denied (\(why))" : "the server returned \(why)",
        hint: error.hint(in: .browser, client: login.clientHint), serverError: error.error))
  }

  private static func explained(_ invalid: AuthorizationResponse.Invalid, _ profile: Profile) -> AuthError {
    let why: String
    switch invalid {
    case .empty: why = "the response is empty"
    case .wrongState: why = "the response belongs to another login (state differs)"
    case .wrongIssuer(let issuer?): why = "the response is from another server (iss is \(issuer))"
    case .wrongIssuer: why = "the response does not name its server (iss is missing)"
    }
    return .refused(
      .init(
        "logging in to \(profile.name)", why: why, hint: "nothing was stored; log in again, in one window only"))
  }
}
