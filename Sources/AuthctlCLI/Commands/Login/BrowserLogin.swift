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
    let listener = try LoopbackListener(profile.redirectURI)
    let request = try await login.pushed(
      login.authorizationRequest(redirectURI: listener.redirectURI, random: context.random))
    show(request.url.string)
    let response = try await response(listener, login, request, profile, timeout)
    switch response {
    case .success(.code(let code)): return try await login.exchange(code, of: request)
    case .success(.error(let error)): throw refusal(error, profile, login)
    case .failure(let invalid): throw BrowserLogin.explained(invalid, profile)
    }
  }

  private func show(_ url: String) {
    let opens = arguments.opensBrowser && context.browser.isAvailable
    if !context.verbosity.quiet || !opens {
      context.console.note(
        opens ? "Opening this page to log in; if no browser appears, open it yourself:" : "Open this page to log in:")
      context.console.note("  \(url)")
    }
    guard opens else { return }
    let (browser, console, isShown) = (context.browser, context.console, !context.verbosity.quiet)
    // Not awaited: the command may run until the browser is closed.
    Task.detached {
      guard await !browser.open(url) else { return }
      console.note("authctl: no browser could be started: open the page yourself" + (isShown ? "" : ":"))
      if !isShown { console.note("  \(url)") }
    }
  }

  private typealias Answer = Result<AuthorizationResponse, AuthorizationResponse.Invalid>

  private func response(
    _ listener: LoopbackListener, _ login: Login, _ request: AuthorizationRequest, _ profile: Profile,
    _ timeout: Duration
  ) async throws -> Answer {
    try await withThrowingTaskGroup(of: Answer?.self) { group in
      group.addTask {
        // The types are explicit: with inferred types, nil would count as a response and end the wait.
        let found: Answer = try await listener.wait { fields -> LoopbackListener.Verdict<Answer> in
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
        return found
      }
      group.addTask {
        try await ContinuousClock().sleep(for: timeout)
        return nil
      }
      defer { group.cancelAll() }
      guard let response = try await group.next() ?? nil else {
        throw AuthError.tryLater(
          .init(
            "logging in to \(profile.name)",
            why: "the browser did not return within \(DurationText.describe(timeout.seconds))",
            hint: "log in again; if the server showed an error, check client_id and redirect_uri"))
      }
      return response
    }
  }

  /// Parses the fields of the redirect. A form that a server has encoded twice is decoded twice.
  private static func response(_ fields: [FormField], _ login: Login, _ request: AuthorizationRequest) -> Answer {
    let result = Answer { () throws(AuthorizationResponse.Invalid) in
      try login.authorizationResponse(fields, to: request)
    }
    if case .failure(let invalid) = result, invalid != .empty {
      let again = fields.map { field in
        (field.name, FormEncoding.decode("x=\(field.value)").first?.value ?? field.value)
      }
      let second = Answer { () throws(AuthorizationResponse.Invalid) in
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
