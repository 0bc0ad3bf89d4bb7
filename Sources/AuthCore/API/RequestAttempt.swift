import HTTPTypes
import Synchronization

/// One attempt to send a request. Gives the transport the token's fields and the destination of the body, and
/// classifies the response once.
final class RequestAttempt: Sendable {
  /// The result of an attempt.
  struct Result: Sendable {
    /// The next step after the response.
    let step: RequestProgress.Step
    /// The verdict of the response about the token.
    let verdict: RefusalRule.Verdict
    /// The credential of the request; nil if it carried no token.
    let credential: APICredential?

    /// Whether the request is replayed with another token.
    var isReplay: Bool { if case .replay = step { true } else { false } }
  }

  /// The token that was sent with the request, and the nonce in its proof.
  private struct Sent {
    let credential: APICredential
    let nonce: String?
  }

  private struct State {
    var sent: Sent?
    var result: Result?
    var refusalBody: [UInt8]?
  }

  private let progress: RequestProgress
  private let deadline: Deadline
  private let state = Mutex(State())

  init(_ progress: RequestProgress, _ deadline: Deadline) {
    self.progress = progress
    self.deadline = deadline
  }

  /// The request, for the transport.
  var transfer: Transfer {
    var transfer = progress.transfer
    if let authorization = progress.authorization {
      transfer.credential = { [self] in try await fields(authorization) }
    }
    transfer.destination = { [self] in try destination($0) }
    return transfer
  }

  /// The body of a response after which the request is replayed; nil if it is too long or incomplete.
  var refusalBody: [UInt8]? { state.withLock { $0.refusalBody } }

  /// Returns the result of the attempt, also if the transport did not call the destination of the body.
  ///
  /// - Throws: ``AuthError/failed(_:)`` if the response redirects to an address that is invalid.
  func result(_ response: TransferResponse) throws(AuthError) -> Result {
    let (sent, known) = state.withLock { ($0.sent, $0.result) }
    sent?.credential.prover?.learn(from: response, of: progress.transfer.url)
    if let known { return known }
    if let result = try judged(response) { return result }
    return try judged(response, body: response.body)
  }

  nonisolated(nonsending) private func fields(_ authorization: AuthorizedSender.Authorization) async throws
    -> [HTTPField]
  {
    let credential = try await deadline.excepting { [progress] () throws(AuthError) in
      try await authorization.source.credential(replacing: progress.rejected)
    }
    let (fields, nonce) = try credential.fields(
      authorization.header, for: progress.transfer.method, progress.transfer.url)
    state.withLock { $0.sent = Sent(credential: credential, nonce: nonce) }
    return fields
  }

  private func destination(_ response: TransferResponse) throws -> BodyDestination {
    let known = try judged(response)
    if let known, !known.isReplay { return try place(of: response, known) }
    return .hold(limit: RefusalRule.longestBody) { [self] body in
      let result = try known ?? judged(response, body: body)
      if result.isReplay { state.withLock { $0.refusalBody = body } }
      return try place(of: response, result)
    }
  }

  /// Returns the destination of a body: it is shown only if the response is the result.
  private func place(of response: TransferResponse, _ result: Result) throws -> BodyDestination {
    guard case .finish = result.step else { return .discard }
    return try progress.transfer.destination(response)
  }

  /// Returns the result that the header of a response determines; nil if its body decides.
  private func judged(_ response: TransferResponse) throws(AuthError) -> Result? {
    guard let sent = state.withLock({ $0.sent }), let refusals = progress.authorization?.refusals else {
      return try settled(.usable, response)
    }
    if sent.credential.prover != nil, progress.isAskedForNonce(by: response, sentNonce: sent.nonce) {
      return keep(Result(step: .proveAgain, verdict: .usable, credential: sent.credential))
    }
    let verdict = refusals.verdict(on: response)
    return verdict == .dependsOnBody ? nil : try settled(verdict, response)
  }

  /// Returns the result that the body of a response determines. The body is nil if it is too long or incomplete.
  private func judged(_ response: TransferResponse, body: [UInt8]?) throws(AuthError) -> Result {
    let verdict = progress.authorization?.refusals.verdict(onBody: body, status: response.status)
    return try settled(verdict ?? .usable, response)
  }

  private func settled(_ verdict: RefusalRule.Verdict, _ response: TransferResponse) throws(AuthError) -> Result {
    let credential = state.withLock { $0.sent?.credential }
    let step = try progress.step(after: response, verdict, of: credential)
    return keep(Result(step: step, verdict: verdict, credential: credential))
  }

  private func keep(_ result: Result) -> Result {
    state.withLock { $0.result = result }
    return result
  }
}
