import FoundationEssentials
import HTTPTypes

/// The token endpoint of an authorization server (RFC 6749, section 3.2).
struct TokenEndpoint: Sendable {
  let url: WebURL
  let client: OAuthClient
  var connection: ServerConnection
  /// Creates the proofs of possession (RFC 9449); nil if the tokens are not bound to a key.
  var prover: DPoPProver?
  /// The server's clock, which dates proofs and assertions.
  var clock = ServerClock()

  /// A successful response, with the times for the calculation of its expiry.
  struct Response: Sendable {
    var tokens: TokenResponse
    let serverDate: Date?
    /// The clocks at the time of the request.
    let clock: IssuanceClock
    /// The time of the request, by the local clock.
    var sentAt: Date { clock.reading.time }
  }

  /// The reason for a failure; the cases differ in the effect on the grant that was sent.
  enum Failure: Error, Sendable {
    /// The server is unavailable for now. The grant is presumably still usable.
    case unavailable(Unavailability)
    /// The server required another nonce repeatedly (RFC 9449, section 8), because other clients used its nonces first.
    /// The grant is still usable.
    case contended(reason: String)
    /// The grant is dead.
    case invalidGrant(ErrorResponse)
    /// The server refuses the request for another reason.
    case refused(ErrorResponse)
    /// The response is malformed.
    case malformed(reason: String)
    /// No request was sent: its signature or proof could not be created, or the server's certificate is not trusted.
    case local(AuthError)
  }

  /// The reason why a server is unavailable for now.
  struct Unavailability: Sendable {
    /// The reason, as text.
    let reason: String
    /// The status of the response; nil if there was none.
    var status: Int?
    /// The number of seconds to wait before the next request; nil if the server states none.
    var retryAfter: Double?
    /// Whether the server may have received and processed the request.
    let mayHaveArrived: Bool

    /// Returns the explanation for a login.
    func explanation(_ what: String) -> AuthError.Explanation {
      guard status == nil else { return .init(what, why: reason, hint: Unavailability.laterHint) }
      return .init(what, why: reason, hint: ServerConnection.Unreachable.hint, remedy: .tryAgain(after: nil))
    }

    /// The hint if the server has failed.
    static let laterHint = "the server failed: log in again later, or ask its operator"
  }

  /// A request that received a response.
  struct Attempt {
    /// The response.
    let response: TransferResponse
    /// The clocks at the time of the request.
    let sent: ClockReading
    /// The nonce in its proof.
    let nonce: String?
  }

  /// Sends a grant once; resends it with a corrected proof or assertion if the server has not evaluated it.
  func request(_ grant: [(name: String, value: String)]) async throws(Failure) -> Response {
    var attempt = try await send(grant)
    var nonces = NonceRetries()
    var hasUsedServerTime = false
    while let objection = objection(in: attempt) {
      switch objection {
      case .nonce:
        guard let pause = nonces.pause() else { throw .contended(reason: "\(url): \(NonceRetries.reason)") }
        // Only a cancellation ends this early; the transport detects it.
        if pause > .zero { try? await ContinuousClock().sleep(for: pause) }
      case .time:
        guard !hasUsedServerTime else { return try read(attempt.response, sent: attempt.sent) }
        hasUsedServerTime = true
      }
      attempt = try await send(grant)
    }
    return try read(attempt.response, sent: attempt.sent)
  }

  private func send(_ grant: [(name: String, value: String)]) async throws(Failure) -> Attempt {
    var form = grant
    var fields: HTTPFields = [:]
    do {
      try await client.authenticate(&form, &fields, at: url)
    } catch {
      throw .local(error)
    }
    let sent = connection.reading
    do {
      let proof = try prover?.proof(for: .post, url)
      if let proof { fields.append(proof.field) }
      let response = try await connection.post(form, to: url, fields: fields)
      prover?.learn(from: response, of: url)
      return Attempt(response: response, sent: sent, nonce: proof?.nonce)
    } catch let error as DPoPKey.Unusable {
      throw .local(.failed("proving the key of the tokens", why: error.reason, hint: "report this as a bug"))
    } catch let error as ServerConnection.Unreachable {
      throw Failure(error, at: "\(url)")
    } catch {
      throw .unavailable(Unavailability(reason: "it was interrupted", mayHaveArrived: true))
    }
  }

  private func read(_ response: TransferResponse, sent: ClockReading) throws(Failure) -> Response {
    guard (200...299).contains(response.status) else { throw failure(response) }
    let document: JSONValue
    do {
      document = try JSONValue(parsing: response.body)
    } catch {
      throw .malformed(reason: "\(url): the response is not JSON: \(response.outline())")
    }
    // Some servers return an error with status 200.
    if document["error"] != nil, document["access_token"] == nil { throw failure(response) }
    do {
      return Response(
        tokens: try TokenResponse(document), serverDate: response.date,
        clock: connection.clock(of: response, sent: sent))
    } catch {
      throw .malformed(reason: "\(url): \(error.reason)")
    }
  }

  private func failure(_ response: TransferResponse) -> Failure {
    let error = ErrorResponse(response)
    switch response.status {
    case 300...399:
      return .malformed(reason: "\(url) redirects, which a token endpoint must not")
    case let status where TransientStatus.meansUnavailable(status):
      return .unavailable(Unavailability(response, reason: "\(url) returned \(error.words)", now: connection.now()))
    default:
      if error.isInvalidGrant { return .invalidGrant(error) }
      if error.error == nil, response.status != 403 {
        return .malformed(reason: "\(url): the response has no error code: \(response.outline())")
      }
      return .refused(error)
    }
  }
}

extension TokenEndpoint.Failure {
  /// Classifies the error of a request without a usable response.
  init(_ error: ServerConnection.Unreachable, at place: String) {
    if let error = error.local {
      self = .local(error)
    } else if error.isUnusable {
      self = .malformed(reason: "\(place): \(error.description)")
    } else if error.isUntrusted {
      self = .local(.tryLater(error.explanation("connecting to \(place)", hint: "")))
    } else {
      self = .unavailable(.init(reason: error.description, mayHaveArrived: error.mayHaveArrived))
    }
  }

  /// Returns the error of a login.
  ///
  /// - Parameters:
  ///   - what: what failed.
  ///   - place: the address of the request.
  ///   - malformed: the hint for a malformed response.
  ///   - refused: the hint for a response that refuses the request.
  func loginError(
    _ what: String, at place: String, malformed: String, refused: (ErrorResponse) -> String
  ) -> AuthError {
    switch self {
    case .unavailable(let failure): .tryLater(failure.explanation(what))
    case .contended(let reason): .tryLater(what, why: reason, hint: "try again")
    case .invalidGrant(let response), .refused(let response):
      .refused(response.explanation(what, at: place, hint: refused(response)))
    case .local(let error): error
    case .malformed(let reason): .refused(what, why: reason, hint: malformed)
    }
  }
}

extension TokenEndpoint.Unavailability {
  /// Reads the response of a server that is temporarily unavailable.
  init(_ response: TransferResponse, reason: String, now: Date) {
    self.init(
      reason: reason, status: response.status, retryAfter: response.retryAfter(now: now),
      mayHaveArrived: response.isGatewayError)
  }
}

extension TokenEndpoint {
  /// The reason why a server refuses a request before it evaluates the grant, which remains usable.
  enum Objection: Sendable {
    /// The proof lacks the server's nonce (RFC 9449, section 8).
    case nonce
    /// The proof or the assertion has a time that the server does not accept.
    case time
  }

  /// Returns the problem of a refused request that can be fixed; nil if the response is final.
  ///
  /// Learns the server's time from the response; if the time was already known, it was not the reason.
  func objection(in attempt: Attempt) -> Objection? {
    guard prover != nil || client.authentication.isDated else { return nil }
    let isNewTime = learnsTime(from: attempt)
    let error = ErrorResponse(attempt.response).error
    if prover != nil, error == DPoPProver.nonceError {
      return DPoPProver.nonce(in: attempt.response) != nil ? .nonce : nil
    }
    return isNewTime && (error == "invalid_client" || error == "invalid_dpop_proof") ? .time : nil
  }

  private func learnsTime(from attempt: Attempt) -> Bool {
    guard let date = attempt.response.date else { return false }
    return clock.learn(from: IssuanceClock(sent: attempt.sent, received: connection.reading, serverDate: date))
  }
}
