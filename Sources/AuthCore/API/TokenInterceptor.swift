import HTTPTypes

/// Puts the token on requests; where the API refuses it, has it renewed, once, and the request sent again, once. One that
/// the API says is good, but not for this request, is not renewed: see ``InsufficientAuthorization``.
///
/// Each half works alone: with ``adapt(_:)`` only, a refused token is the answer; with ``decide(after:)`` only, another
/// adapter must have put the token on the request, in the same header field, as its ``APIRequest/authorization``.
public struct TokenInterceptor: Interceptor {
  private let source: any CredentialSource
  private let header: TokenHeader
  private let refreshOn: Set<Int>
  private let refusalCodes: RefusalCodes?
  private let events: EventSink

  /// Says where tokens come from.
  ///
  /// - Parameters:
  ///   - header: the field that carries the token.
  ///   - refreshOn: the statuses that mean "renew and send again".
  ///   - refusalCodes: the codes in an answer that mean the same.
  ///   - events: who watches.
  public init(
    _ source: any CredentialSource, header: TokenHeader = TokenHeader(), refreshOn: Set<Int> = [401],
    refusalCodes: RefusalCodes? = nil, events: @escaping EventSink = { _ in }
  ) {
    self.source = source
    self.header = header
    self.refreshOn = refreshOn
    self.refusalCodes = refusalCodes
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
      used.credential.refreshPause == nil, case .answer(let answer) = attempt.outcome, isRefusal(answer)
    else { return .accept }
    guard !attempt.earlier.contains(where: isRefusal) else {
      if let pause = await source.rememberRefusal(of: used.credential.token) {
        events(.refusedAgain(status: answer.status, pause: pause.seconds))
      }
      return .accept
    }
    // Another request may have learnt meanwhile that a refresh does not help.
    guard try await source.credential(replacing: used.credential.token).refreshPause == nil else { return .accept }
    events(.replaying(status: answer.status))
    return .sendAgain()
  }

  private func isRefusal(_ outcome: Attempt.Outcome) -> Bool {
    if case .answer(let answer) = outcome { isRefusal(answer) } else { false }
  }

  private func isRefusal(_ answer: HTTPAnswer) -> Bool {
    guard !answer.sparesToken else { return false }
    if refreshOn.contains(answer.status) { return true }
    guard let refusalCodes, refusalCodes.mayBe(in: answer) else { return false }
    return refusalCodes.are(in: answer.body, status: answer.status)
  }
}
