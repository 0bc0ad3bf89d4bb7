import FoundationEssentials

extension RefreshFailure {
  /// Creates the failure for a refresh token that the server refuses permanently: the user must log in.
  ///
  /// - Parameters:
  ///   - code: the server's error code.
  ///   - why: the reason to show to the user.
  public static func dead(_ code: String = "refused", why: String = "the server refuses the refresh token")
    -> RefreshFailure
  {
    .refreshTokenDead(
      code, .init("refreshing the token", why: why, hint: "log in again", serverError: code))
  }

  /// Classifies an error thrown by a closure by its effect on the stored pair.
  ///
  /// - A ``RefreshFailure`` is used unchanged.
  /// - An ``APIError/server(_:)`` with status 400 or 401 means that the refresh token is dead, and so does an
  ///   ``AuthError/loginRequired(_:)`` with a `serverError`.
  /// - If the request did not reach the server, or the server refused it, the pair remains usable.
  /// - After any other error the refresh token may be used up; the pair is kept, and the next request retries.
  public init(thrown error: any Error) {
    let reason = AuthError(thrown: error, while: "refreshing the token")
    switch error {
    case let failure as RefreshFailure:
      self = failure
    case APIError.server(let failure) where [400, 401].contains(failure.status):
      self = .dead(failure.code ?? "\(failure.status)", why: "the server refuses the refresh token (\(failure))")
    case APIError.server(let failure):
      self = failure.retryAfter.map { .unavailable(reason, retryAfter: $0) } ?? .other(reason)
    case AuthError.loginRequired(let explanation):
      self = explanation.serverError.map { .refreshTokenDead($0, explanation) } ?? .other(reason)
    case is AuthError: self = .other(reason)
    case let error as APIError where !error.mayHaveTakenEffect: self = .other(reason)
    case let error as TransportError where !error.mayHaveArrived: self = .other(reason)
    default: self = .uncertain(reason)
    }
  }
}

extension RefreshFailure {
  /// Classifies an error of a refresh by the error codes of a server, and then as ``init(thrown:)`` does.
  init(thrown error: any Error, _ codes: ResponsePointers) {
    self.init(thrown: error)
    guard case APIError.server(let failure) = error, let document = try? JSONValue(parsing: failure.data),
      let code = codes.code(document, among: codes.loginRequiredCodes), !codes.loginRequiredCodes.isEmpty
    else { return }
    if codes.loginRequiredCodes.contains(code) {
      self = .dead(code, why: "the server refuses the refresh token (\(failure))")
    } else if case .refreshTokenDead = self {
      self = .other(AuthError(thrown: error, while: "refreshing the token"))
    }
  }
}

extension ServerFailure {
  /// The value of `Retry-After`, in seconds.
  fileprivate var retryAfter: Double? { TransferResponse(status: status, fields: fields).retryAfter(now: Date()) }
}

extension AuthError {
  /// Converts an error thrown by a closure to the error that the caller gets.
  init(thrown error: any Error, while what: String) {
    let (hint, remedy) = ("nothing is lost, the tokens are kept", Remedy.tryAgain(after: nil))
    switch error {
    case let error as AuthError: self = error
    case APIError.authentication(let error): self = error
    case APIError.server(let failure) where !TransientStatus.meansUnavailable(failure.status):
      self = .refused(
        what, why: "the server returned \(failure)", hint: "ask the server's operator", serverError: failure.code)
    case let error as APIError:
      let wait: Double? = if case .server(let failure) = error { failure.retryAfter } else { nil }
      self = .tryLater(what, why: "\(error)", hint: hint, remedy: .tryAgain(after: wait))
    case let error as TransportError: self = .tryLater(what, why: "\(error)", hint: hint, remedy: remedy)
    case is CancellationError: self = .tryLater(what, why: "it was cancelled", hint: hint, remedy: remedy)
    // Only the type is shown: the error's own text may contain a secret.
    default: self = .tryLater(what, why: "it failed (\(type(of: error)))", hint: hint, remedy: remedy)
    }
    if !(error is AuthError) { self = explained { $0.underlying = error } }
  }
}
