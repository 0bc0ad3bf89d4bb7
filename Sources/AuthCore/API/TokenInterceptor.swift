import HTTPTypes

/// Adds the token to requests; if the API refuses it, refreshes it once and replays the request once.
///
/// A token that the API accepts as valid, but not for this request, is not refreshed: see
/// ``InsufficientAuthorization``.
///
/// Each half works alone: with ``adapt(_:)`` only, the refusal is the final response; with ``decide(after:)`` only,
/// another adapter must have set the token as the ``APIRequest/authorization`` of the request, for the same header
/// field.
public struct TokenInterceptor: Interceptor {
  private let source: any CredentialSource
  private let header: TokenHeader
  private let refusals: RefusalRule
  private let events: EventHandler

  /// Creates an interceptor with a source of tokens.
  ///
  /// - Parameters:
  ///   - header: the field that carries the token.
  ///   - refreshOn: the status codes that trigger a refresh and a replay.
  ///   - events: receives the events.
  package init(
    _ source: any CredentialSource, header: TokenHeader = TokenHeader(), refreshOn: Set<Int> = [401],
    events: @escaping EventHandler = { _ in }
  ) {
    self.init(source, header: header, refusals: RefusalRule(statuses: refreshOn), events: events)
  }

  /// Creates an interceptor with the rule that decides which responses refuse the token.
  init(
    _ source: any CredentialSource, header: TokenHeader, refusals: RefusalRule, events: @escaping EventHandler
  ) {
    self.source = source
    self.header = header
    self.refusals = refusals
    self.events = events
  }

  /// Adds the token to a request that needs one and has none from another adapter or from the program.
  public func adapt(_ request: APIRequest) async throws -> APIRequest {
    guard request.needsAuthentication, request.authorization == nil, request.fields[header.name] == nil else {
      return request
    }
    var request = request
    request.authorization = RequestAuthorization(try await source.credential(replacing: nil), header: header)
    return request
  }

  /// Refreshes a token after its first refusal. A second refusal is the final response, and it is remembered.
  public func decide(after attempt: Attempt) async throws -> RetryDecision {
    guard attempt.request.needsAuthentication, let used = attempt.request.authorization, used.header == header,
      case .response(let response) = attempt.outcome
    else { return .accept }
    if let refusal = used.credential.refusal, !refusal.isOver, 200..<300 ~= response.status {
      _ = await source.remember(.accepted, on: used.credential.token)
    }
    guard used.credential.refreshPause == nil, refusals.refuses(response) else { return .accept }
    guard !attempt.earlier.contains(where: isRefusal) else {
      let refusal = response.refusal(of: attempt.request.method, attempt.request.path)
      if let pause = await source.remember(.refusedAgain(refusal), on: used.credential.token) {
        events(.refusedAgain(status: response.status, pause: pause.seconds))
      }
      return .accept
    }
    // Another request may have found in the meantime that a refresh does not help.
    guard try await source.credential(replacing: used.credential.token).refreshPause == nil else { return .accept }
    events(.replaying(status: response.status))
    return .sendAgain()
  }

  private func isRefusal(_ outcome: TransferOutcome) -> Bool {
    if case .response(let response) = outcome { refusals.refuses(response) } else { false }
  }
}
