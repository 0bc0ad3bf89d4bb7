/// Sends API requests with the token to the profile's origins only; refreshes and replays once after a refusal.
package struct AuthorizedSender: Sendable {
  /// The token for requests: its source, the header field that carries it, and the origins that may receive it.
  package struct Authorization: Sendable {
    let source: any CredentialSource
    let header: TokenHeader
    let origins: Set<Origin>
    let refusals: RefusalRule

    /// Creates the authorization for requests.
    ///
    /// - Parameters:
    ///   - origins: the origins that the token may be sent to.
    ///   - refusals: the responses that refuse the token; none if it can't be refreshed.
    package init(
      _ source: any CredentialSource, header: TokenHeader = TokenHeader(), origins: Set<Origin>,
      refusals: RefusalRule = RefusalRule(statuses: [])
    ) {
      self.source = source
      self.header = header
      self.origins = origins
      self.refusals = refusals
    }
  }

  private let transport: any HTTPTransport
  private let authorization: Authorization?
  private let events: EventHandler
  private let isForOthers: Bool

  /// Creates a sender.
  ///
  /// - Parameters:
  ///   - authorization: the token for the requests; nil if they carry none.
  ///   - isForOthers: whether the requests are those of other programs, which repeat none themselves. Then a replay
  ///     with a token that was issued before its request was refused is not the only one, and the refusal of a request
  ///     whose body can't be sent again is the response.
  package init(
    _ transport: any HTTPTransport, _ authorization: Authorization?, isForOthers: Bool = false,
    events: @escaping EventHandler
  ) {
    self.transport = transport
    self.authorization = authorization
    self.isForOthers = isForOthers
    self.events = events
  }

  /// Sends a request, follows redirects, and replays it once after a refusal of the token.
  ///
  /// The timeout covers all attempts; time spent obtaining the token does not count.
  ///
  /// A request that already has a header field with the token's name keeps that field: no token is added.
  ///
  /// - Throws: ``AuthError``, ``TransportError``, or an error from the transfer's `destination`.
  nonisolated(nonsending) package func send(_ transfer: Transfer, redirects: RedirectPolicy) async throws
    -> TransferResponse
  {
    var progress = RequestProgress(transfer, authorization, redirects, isForOthers: isForOthers)
    let deadline = Deadline(transfer)
    while true {
      try progress.begin(within: try deadline.left())
      let attempt = RequestAttempt(progress, deadline)
      var response: TransferResponse
      do { response = try await transport.send(attempt.transfer) } catch let error as AuthError {
        throw await explained(error, progress)
      }
      let result = try attempt.result(response)
      switch result.step {
      case .proveAgain:
        let pause = try progress.proveAgain()
        events(.retryingWithNonce)
        if pause > .zero { try await ContinuousClock().sleep(for: pause) }
        continue
      case .replay(let token):
        events(.replaying(status: response.status))
        response.secrets.append(token)
        response.body = attempt.refusalBody ?? response.body
        progress.replay(replacing: token, refusedBy: response)
        continue
      case .finish, .follow: await note(result, in: &response, progress)
      }
      guard case .follow(let redirection) = result.step else { return response }
      let former = progress.transfer.url.origin
      let withheld = try progress.follow(redirection)
      if progress.transfer.url.origin != former { warn(of: progress.transfer, withheld) }
    }
  }

  /// Warns of what a redirect to another origin leaves out, and of a body that it takes along.
  private func warn(of transfer: Transfer, _ withheld: [String]) {
    let names = withheld.map { Escaped.text($0) }.joined(separator: ", ")
    let facts = [names.isEmpty ? nil : "not sent there: \(names)", transfer.body.map { _ in "the body is sent there" }]
    guard withheld.count > 0 || transfer.body != nil else { return }
    events(
      .warning(
        "the redirect leads to another origin, \(transfer.url.origin): "
          + facts.compactMap(\.self).joined(separator: "; ")))
  }

  /// Adds the verdict about the token to a response, and remembers a refusal that follows a refresh.
  nonisolated(nonsending) private func note(
    _ result: RequestAttempt.Result, in response: inout TransferResponse, _ progress: RequestProgress
  ) async {
    if let credential = result.credential { response.secrets.append(credential.token) }
    guard let authorization, let used = result.credential else { return }
    let isLasting = used.refusal.map { !$0.isOver } ?? false
    switch result.verdict {
    case .insufficient(let lack): response.insufficientAuthorization = lack
    case .refused:
      let refusal = response.refusal(of: progress.transfer.method, progress.transfer.url.path)
      response.refreshPause = used.refreshPause
      if used.refreshPause == nil, progress.rejected == nil {
        // The body can't be sent again: the token is replaced for the next request, which reports why if that fails.
        _ = try? await authorization.source.credential(replacing: used.token)
      } else if used.refreshPause == nil {
        response.refreshPause = await authorization.source.remember(.refusedAgain(refusal), on: used.token)
      } else {
        response.refusedRequest = used.refusal?.request
        if !isLasting { _ = await authorization.source.remember(.refused(refusal), on: used.token) }
      }
      guard let pause = response.refreshPause else { return }
      events(.refusedAgain(status: response.status, pause: pause.seconds))
    case .usable where isLasting && 200..<300 ~= response.status:
      _ = await authorization.source.remember(.accepted, on: used.token)
    case .usable, .dependsOnBody: break
    }
  }

  /// Adds the API's refusal to the error because of which a refused token is not replaced, and remembers the refusal.
  nonisolated(nonsending) private func explained(_ error: AuthError, _ progress: RequestProgress) async -> AuthError {
    guard let refusal = progress.refusal, let token = progress.rejected else { return error }
    // Nothing can be stored if the store itself has failed.
    if case .storage = error {} else { _ = await authorization?.source.remember(.refused(refusal), on: token) }
    return error.explained { $0.why += "; the API returned \(refusal.statusWords)" }
  }
}
