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
    let prompt = AddressPrompt(arguments, listener, context)
    defer { prompt.close() }
    show(request.url.string, prompt)
    let log = VerboseLog(context)
    log.step(
      "waiting for the browser, which logs in at \(request.url.origin)\(request.url.path): "
        + "redirect_uri=\(listener.redirectURI), code_challenge=\(request.codeChallenge) (S256)",
      visiting: request.endpoint.string, fields: request.fields)
    for (name, value) in FormEncoding.decode(request.url.query ?? "") {
      log.wire?(.sentField(name: name, value: value))
    }
    let line = WaitingLine(context, timeout) { left, _ in
      [
        "Waiting for the browser at \(listener.redirectURI) … \(left) left",
        "Waiting for the browser … \(left) left",
      ]
    }
    let wait = BrowserWait(
      timeout: timeout, check: CallbackCheck(login, request, context), prompt: prompt,
      question: AuthorizationQuestion(login, request, profile, context), context: context)
    return try await listener.serve(wait.check.verdict) { visit in
      guard let response = try await wait.response(visit, line) else {
        throw await wait.timedOut(profile, redirectURI: listener.redirectURI, isPushed: request.isPushed)
      }
      log.step(
        "the browser has returned to \(listener.redirectURI)", visiting: listener.redirectURI, isReturn: true)
      let outcome = await outcome(of: response, login, request, profile)
      switch outcome {
      case .success(let pair): await visit.show(.loggedIn(to: profile.name.string, as: pair.subject))
      case .failure(let error): await visit.show(.failed(error, profile: profile.name.string))
      }
      return try outcome.get()
    }
  }

  private func show(_ url: String, _ prompt: AddressPrompt) {
    let opens = arguments.opensBrowser && context.browser.isAvailable
    if !context.verbosity.quiet || !opens {
      context.console.note(
        opens ? "Opening this page to log in; if no browser appears, open it yourself:" : "Open this page to log in:")
      context.notePage(url, isDim: opens)
    }
    if !opens || arguments.completes || context.isRemote { prompt.offer() }
    if opens { context.openPage(url, isShown: !context.verbosity.quiet) { prompt.offer() } }
  }

  /// Exchanges the code of the response for tokens.
  private func outcome(
    of response: CallbackCheck.Response, _ login: Login, _ request: AuthorizationRequest, _ profile: Profile
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

  private func refusal(_ error: ErrorResponse, _ profile: Profile, _ login: Login) -> AuthError {
    let denied = error.error == "access_denied"
    let word = error.error ?? "an error"
    let why = error.errorDescription.map { "\(word): \($0)" } ?? word
    return .refused(
      "logging in to \(profile.name)", why: denied ? "the login was denied (\(why))" : "the server returned \(why)",
      hint: error.hint(in: .browser, client: login.clientHint), serverError: error.error)
  }

  private static func explained(_ invalid: AuthorizationResponse.Invalid, _ profile: Profile) -> AuthError {
    let why: String
    switch invalid {
    case .empty: why = "the response is empty"
    case .missingState: why = "the response has no state"
    case .repeated(let name): why = "the response has \(name) twice"
    case .wrongState: why = "the response belongs to another login (state differs)"
    case .wrongIssuer(let issuer?): why = "the response is from another server (iss is \(issuer))"
    case .wrongIssuer: why = "the response does not name its server (iss is missing)"
    }
    return .refused(
      "logging in to \(profile.name)", why: why, hint: "nothing was stored; log in again, in one window only")
  }
}
