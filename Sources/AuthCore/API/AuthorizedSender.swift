import HTTPTypes
import Synchronization
import SystemPackage

/// Sends API requests with the token: to the profile's origins only, renewed and replayed once where the API refuses
/// it.
package struct AuthorizedSender: Sendable {
  /// Gives the token to use; where `replacing` is not nil, another one than that, or nil where there is no other.
  package typealias TokenSource = @Sendable (_ replacing: Secret?) async throws(AuthError) -> APICredential?

  /// Remembers a token that the API refused although it had just taken the place of a refused one.
  ///
  /// Returns how long it is not refreshed for that.
  package typealias RefusalMemory = @Sendable (_ token: Secret) async -> Duration?

  private static let mostRedirects = 50

  private let transport: any HTTPTransport
  private let token: TokenSource
  private let remember: RefusalMemory
  private let header: TokenHeader
  private let origins: Set<Origin>
  private let refreshOn: Set<Int>
  private let refusalCodes: RefusalCodes?
  private let events: EventSink

  /// Puts a sender together.
  ///
  /// - Parameters:
  ///   - origins: where the token may go.
  ///   - refreshOn: the statuses that mean "renew and replay"; empty where the token can't be renewed.
  ///   - refusalCodes: the codes in a response that mean the same.
  ///   - remember: is told of a token that was refused in spite of a refresh.
  package init(
    transport: any HTTPTransport, header: TokenHeader, origins: Set<Origin>, refreshOn: Set<Int>,
    refusalCodes: RefusalCodes? = nil, events: @escaping EventSink,
    remember: @escaping RefusalMemory = { _ in nil }, token: @escaping TokenSource
  ) {
    self.transport = transport
    self.token = token
    self.remember = remember
    self.header = header
    self.origins = origins
    self.refreshOn = refreshOn
    self.refusalCodes = refusalCodes
    self.events = events
  }

  /// Sends a request, follows redirects, and replays it once after a refusal of the token.
  ///
  /// The timeout covers all attempts; time spent obtaining the token does not count.
  ///
  /// A request that brings a field of the token's name keeps that one: no token is put beside it.
  ///
  /// - Throws: ``AuthError``, ``TransportError``, or what the transfer's `destination` throws.
  package func send(_ transfer: Transfer, redirects: RedirectPolicy) async throws -> TransferResponse {
    var hop = transfer
    // A redirect that has left the origin once has lost the token for good, wherever it leads next.
    var carriesToken = origins.contains(transfer.url.origin) && transfer.fields[header.name] == nil
    var rejected: Secret?
    var nonces = NonceRetries()
    var followed = 0
    let limit = Deadline(transfer)
    while true {
      hop.network.timeout = try limit.left()
      if let failure = hop.body?.replayFailure { throw AuthorizedSender.unrepeatable(transfer.url, failure) }
      let plan = Plan(
        carriesToken: carriesToken, rejected: rejected, takesImpliedDemand: nonces.isUnused, redirects: redirects)
      var sent = try await sendOnce(hop, plan, limit: limit)
      switch sent.verdict {
      case .nonceDemanded:
        // The token is as good as it was: once more, with the newest nonce of the API, and without a refresh.
        guard let pause = nonces.pause() else { throw AuthorizedSender.contended(hop.url) }
        events(.provingAnew)
        if pause > .zero { try await ContinuousClock().sleep(for: pause) }
        continue
      case .refused(let used, isReplayed: true):
        events(.replaying(status: sent.response.status))
        rejected = used.token
        nonces = NonceRetries()
        continue
      case .refused(let used, isReplayed: false):
        sent.response.refreshPause = used.refreshPause
        if used.refreshPause == nil, rejected != nil { sent.response.refreshPause = await remember(used.token) }
        if let pause = sent.response.refreshPause {
          events(.refusedAgain(status: sent.response.status, pause: pause.seconds))
        }
      case .taken: break
      }
      guard let next = try redirection(sent.response, from: hop, redirects) else { return sent.response }
      followed += 1
      nonces = NonceRetries()
      guard followed <= AuthorizedSender.mostRedirects else { throw AuthorizedSender.endless(transfer.url) }
      carriesToken = carriesToken && next.url.origin == hop.url.origin
      hop = try following(next, from: hop, redirects)
    }
  }

  /// How one request is sent.
  private struct Plan: Sendable {
    let carriesToken: Bool
    /// The token that the API has refused before.
    let rejected: Secret?
    /// Whether a 401 without an error may mean that the proof needs a nonce.
    let takesImpliedDemand: Bool
    let redirects: RedirectPolicy
  }

  /// What an API says of the token of a request.
  private enum Verdict: Sendable {
    /// Nothing against it.
    case taken
    /// Its proof needs another nonce (RFC 9449, section 9).
    case nonceDemanded
    /// It is refused; where the request is replayed, the body of the response was dropped.
    case refused(APICredential, isReplayed: Bool)
  }

  private func sendOnce(
    _ hop: Transfer, _ plan: Plan, limit: Deadline
  ) async throws -> (response: TransferResponse, verdict: Verdict) {
    var transfer = hop
    let used = Mutex<UsedCredential?>(nil)
    let verdict = Mutex(Verdict.taken)
    if plan.carriesToken {
      transfer.credential = { [token, header] in
        guard let credential = try await limit.excepting({ () throws(AuthError) in try await token(plan.rejected) })
        else { return [] }
        let (fields, nonce) = try credential.fields(header, for: hop.method, hop.url)
        used.withLock { $0 = UsedCredential(credential: credential, nonce: nonce) }
        return fields
      }
    }
    transfer.destination = { [self] response in
      let shown: @Sendable () throws -> BodyDestination = { [self] in
        try redirection(response, from: hop, plan.redirects) == nil ? hop.destination(response) : .discard
      }
      guard let used = used.withLock({ $0 }) else { return try shown() }
      if used.isAskedForNonce(by: response, takesImplied: plan.takesImpliedDemand) {
        verdict.withLock { $0 = .nonceDemanded }
        return .discard
      }
      let refused: @Sendable () throws -> BodyDestination = {
        let isReplayed = plan.rejected == nil && used.credential.refreshPause == nil
        verdict.withLock { $0 = .refused(used.credential, isReplayed: isReplayed) }
        return isReplayed ? .discard : try shown()
      }
      guard !response.sparesToken else { return try shown() }
      if refreshOn.contains(response.status) { return try refused() }
      guard let refusalCodes, refusalCodes.mayBe(in: response) else { return try shown() }
      return .hold(limit: RefusalCodes.limit) { body in
        try body.map { refusalCodes.are(in: $0, status: response.status) } == true ? refused() : shown()
      }
    }
    var response = try await transport.send(transfer)
    let credential = used.withLock { $0 }
    if credential != nil { response.insufficientAuthorization = InsufficientAuthorization(response) }
    credential?.credential.prover?.learn(from: response, of: hop.url)
    return (response, verdict.withLock { $0 })
  }

  /// What one request carried.
  private struct UsedCredential: Sendable {
    let credential: APICredential
    let nonce: String?

    /// Whether a proof was refused for want of the nonce that the response gives (RFC 9449, section 9); some APIs leave
    /// the error out, which is believed once.
    func isAskedForNonce(by response: TransferResponse, takesImplied: Bool) -> Bool {
      guard credential.prover != nil else { return false }
      if response.status == 401, DPoPProver.namesNonceError(response) { return DPoPProver.nonce(in: response) != nil }
      return takesImplied && DPoPProver.isNonceDemand(response, used: nonce)
    }
  }

  private func redirection(_ response: TransferResponse, from hop: Transfer, _ redirects: RedirectPolicy)
    throws(AuthError)
    -> Redirection?
  {
    guard case .follow(let keepingMethod, let isUpload) = redirects else { return nil }
    let isForm = keepingMethod ? !isUpload : hop.method == .post
    do {
      return try Redirection(response, from: hop.url, method: hop.method, isForm: isForm)
    } catch {
      throw .failed(
        .init(
          "following the redirect of \(hop.url)", why: "its Location is invalid: \(error)",
          hint: "ask the API's operator"))
    }
  }

  /// The next request: without the token's and other credentials' fields where it leaves the origin.
  private func following(_ next: Redirection, from hop: Transfer, _ redirects: RedirectPolicy) throws(AuthError)
    -> Transfer
  {
    guard hop.url.origin.scheme == .http || next.url.origin.scheme == .https else {
      throw .origin(
        .init(
          "following the redirect", why: "it leads from https to plain http (\(next.url))",
          hint: "ask the API's operator; without -L the redirect itself is the response"))
    }
    var transfer = hop
    transfer.url = next.url
    if next.becomesGet {
      if case .follow(keepingMethod: false, _) = redirects { transfer.method = .get }
      transfer.body = nil
      transfer.upload = nil
      transfer.standardFields[.contentType] = nil
      for name in [HTTPField.Name.contentType, .contentLength, .contentEncoding] { transfer.fields[name] = nil }
      // Nor is it said that there is none, where the method has stayed.
      transfer.withheldFields.append(.contentLength)
    }
    if transfer.refersOnward { transfer.standardFields[.referer] = hop.url.string }
    if next.url.origin != hop.url.origin {
      // Another origin has no business to know more of an address than where it leads to.
      transfer.standardFields[.referer] = transfer.refersOnward ? hop.url.origin.string + "/" : nil
      let removed = CrossOriginFields.removeForeign(from: &transfer.fields, tokenField: header.name)
      if !removed.isEmpty {
        let names = removed.map { Escaped.text($0) }.joined(separator: ", ")
        events(.warning("the redirect leads to another origin, \(next.url.origin): not sent there: \(names)"))
      }
    }
    return transfer
  }

  private static func unrepeatable(_ url: WebURL, _ failure: Errno) -> AuthError {
    .failed(
      .init(
        "replaying the body to \(url)", why: "the content of the pipe could not be kept: \(failure)",
        hint: "free some space in /var/tmp, set TMPDIR to a folder with space, or use a file instead of the pipe"))
  }

  private static func contended(_ url: WebURL) -> AuthError {
    .tryLater(
      .init(
        "calling \(url)", why: NonceRetries.reason,
        hint: "too many clients use its nonces at the same time: try again, or use fewer in parallel"))
  }

  private static func endless(_ url: WebURL) -> AuthError {
    .failed(
      .init("calling \(url)", why: "more than \(mostRedirects) redirects", hint: "follow them one by one without -L"))
  }
}
