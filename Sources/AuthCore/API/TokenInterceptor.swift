import FoundationEssentials
import HTTPTypes

/// Adds the token to requests; if the API refuses it, refreshes it once and replays the request once. A token that the
/// API accepts as valid, but not for this request, is not refreshed: see ``InsufficientAuthorization``.
///
/// Each half works alone: with ``adapt(_:)`` only, a refused token is the response; with ``decide(after:)`` only,
/// another adapter must have put the token on the request, in the same header field, as its
/// ``APIRequest/authorization``.
public struct TokenInterceptor: Interceptor {
  private let source: any CredentialSource
  private let header: TokenHeader
  private let refusals: RefusalRule
  private let events: EventSink

  /// Says where tokens come from.
  ///
  /// - Parameters:
  ///   - header: the field that carries the token.
  ///   - refreshOn: the status codes that trigger a refresh and a replay.
  ///   - events: who watches.
  public init(
    _ source: any CredentialSource, header: TokenHeader = TokenHeader(), refreshOn: Set<Int> = [401],
    events: @escaping EventSink = { _ in }
  ) {
    self.init(source, header: header, refusals: RefusalRule(statuses: refreshOn), events: events)
  }

  /// Creates an interceptor with the rule that tells which responses refuse the token.
  init(
    _ source: any CredentialSource, header: TokenHeader, refusals: RefusalRule, events: @escaping EventSink
  ) {
    self.source = source
    self.header = header
    self.refusals = refusals
    self.events = events
  }

  /// Puts the token on a request that needs one and has none yet, from another adapter or from the program.
  public func adapt(_ request: APIRequest) async throws -> APIRequest {
    guard request.needsAuthentication, request.authorization == nil, request.fields[header.name] == nil else {
      return request
    }
    var request = request
    request.authorization = RequestAuthorization(try await source.credential(replacing: nil), header: header)
    return request
  }

  /// Has a refused token refreshed: the first time. A second refusal is the response, and it is remembered.
  public func decide(after attempt: Attempt) async throws -> RetryDecision {
    guard attempt.request.needsAuthentication, let used = attempt.request.authorization, used.header == header,
      used.credential.refreshPause == nil, case .response(let response) = attempt.outcome, refusals.refuses(response)
    else { return .accept }
    guard !attempt.earlier.contains(where: isRefusal) else {
      if let pause = await source.rememberRefusal(of: used.credential.token) {
        events(.refusedAgain(status: response.status, pause: pause.seconds))
      }
      return .accept
    }
    // Another request may have learnt meanwhile that a refresh does not help.
    guard try await source.credential(replacing: used.credential.token).refreshPause == nil else { return .accept }
    events(.replaying(status: response.status))
    return .sendAgain()
  }

  private func isRefusal(_ outcome: TransferOutcome) -> Bool {
    if case .response(let response) = outcome { refusals.refuses(response) } else { false }
  }
}

extension RefreshFailure {
  /// The server says that the refresh token is dead: a person must log in.
  ///
  /// - Parameters:
  ///   - code: the server's word for it.
  ///   - why: what to tell the person.
  public static func dead(_ code: String = "refused", why: String = "the server refuses the refresh token")
    -> RefreshFailure
  {
    .refreshTokenDead(
      code, .init("refreshing the token", why: why, hint: "log in again", serverError: code))
  }

  /// What an error of a closure means for the stored pair.
  ///
  /// - A ``RefreshFailure`` is taken as it is.
  /// - An ``APIError/server(_:)`` with status 400 or 401 means that the refresh token is dead, and so does an
  ///   ``AuthError/loginRequired(_:)`` with a `serverError`.
  /// - Where the request did not reach the server, or the server refused it, the pair is as good as it was.
  /// - Anything else may have spent the refresh token; the pair is kept, and the next request tries again.
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

extension ServerFailure {
  /// `Retry-After` in seconds.
  fileprivate var retryAfter: Double? { TransferResponse(status: status, fields: fields).retryAfter(now: Date()) }
}

extension AuthError {
  /// Converts an error that a closure has thrown into the error that the caller gets.
  init(thrown error: any Error, while what: String) {
    let (hint, remedy) = ("nothing is lost, the tokens are kept", Remedy.tryAgain(after: nil))
    switch error {
    case let error as AuthError: self = error
    case APIError.authentication(let error): self = error
    case APIError.server(let failure) where !TransientStatus.meansUnavailable(failure.status):
      self = .refused(
        .init(what, why: "the server returned \(failure)", hint: "ask the server's operator", serverError: failure.code)
      )
    case let error as APIError:
      let wait: Double? = if case .server(let failure) = error { failure.retryAfter } else { nil }
      self = .tryLater(.init(what, why: "\(error)", hint: hint, remedy: .tryAgain(after: wait)))
    case let error as TransportError: self = .tryLater(.init(what, why: "\(error)", hint: hint, remedy: remedy))
    case is CancellationError: self = .tryLater(.init(what, why: "it was cancelled", hint: hint, remedy: remedy))
    // Only the type is shown: the error's own text may contain a secret.
    default: self = .tryLater(.init(what, why: "it failed (\(type(of: error)))", hint: hint, remedy: remedy))
    }
  }
}
