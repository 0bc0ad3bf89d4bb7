import FoundationEssentials
import HTTPTypes

/// The token endpoint of an authorization server (RFC 6749, section 3.2).
struct TokenEndpoint: Sendable {
  let url: WebURL
  let client: OAuthClient
  let connection: ServerConnection
  /// Makes the proofs of possession (RFC 9449); nil where the tokens are bound to no key.
  var prover: DPoPProver?
  /// The server's clock, by which proofs and assertions are dated.
  var clock = ServerClock()

  /// A successful answer, with the times that its expiry is worked out from.
  struct Response: Sendable {
    var tokens: TokenResponse
    let serverDate: Date?
    /// What the clocks showed when the request left.
    let clock: IssuanceClock
    /// When the request left, by the local clock.
    var sentAt: Date { clock.reading.time }
  }

  /// Why there was none; the cases differ in what it means for the grant that was sent.
  enum Failure: Error, Sendable {
    /// The server is unavailable for now. The grant is unharmed, as far as one can know.
    case unavailable(Unavailability)
    /// The server asked for another nonce again and again (RFC 9449, section 8): others were faster. The grant is
    /// unharmed.
    case contended(reason: String)
    /// The grant is dead.
    case invalidGrant(ErrorResponse)
    /// The server refuses for another reason.
    case refused(ErrorResponse)
    /// The response makes no sense.
    case malformed(reason: String)
    /// There was nothing to send: what signs or proves something could not.
    case local(AuthError)
  }

  /// Why a server is unavailable for now.
  struct Unavailability: Sendable {
    /// What happened, in words.
    let reason: String
    /// The status of the response; nil if there was none.
    var status: Int?
    /// How many seconds to wait before the next request; nil if the server does not say.
    var retryAfter: Double?
    /// Whether the server may have received the request, and acted on it.
    let mayHaveArrived: Bool

    /// What to do about it at a login.
    var loginHint: String {
      status == nil
        ? "check the network and the server's address, then log in again"
        : "the server failed: log in again later, or ask its operator"
    }
  }

  /// A request that was answered.
  struct Attempt {
    /// The response.
    let response: TransferResponse
    /// What the clocks showed when the request left.
    let sent: ClockReading
    /// The nonce in its proof.
    let nonce: String?
  }

  /// Sends one grant, once; a server that has not even looked at it gets it again, with a better proof or assertion.
  func request(_ grant: [(name: String, value: String)]) async throws(Failure) -> Response {
    var attempt = try await send(grant)
    var nonces = NonceRetries()
    var isDatedAnew = false
    let secrets = grant.filter { SecretNames.isSecret($0.name) }.map(\.value)
    while let objection = objection(in: attempt) {
      switch objection {
      case .nonce:
        guard let pause = nonces.pause() else { throw .contended(reason: "\(url): \(NonceRetries.reason)") }
        // Only cut short by a cancellation, which the transport notices.
        if pause > .zero { try? await ContinuousClock().sleep(for: pause) }
      case .time:
        guard !isDatedAnew else { return try read(attempt.response, sent: attempt.sent, hiding: secrets) }
        isDatedAnew = true
      }
      attempt = try await send(grant)
    }
    return try read(attempt.response, sent: attempt.sent, hiding: secrets)
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
      throw .local(.failed(.init("proving the key of the tokens", why: error.reason, hint: "report this as a bug")))
    } catch let error as ServerConnection.Unreachable {
      throw Failure(error, at: "\(url)")
    } catch {
      throw .unavailable(Unavailability(reason: "it was interrupted", mayHaveArrived: true))
    }
  }

  private func read(_ response: TransferResponse, sent: ClockReading, hiding secrets: [String]) throws(Failure)
    -> Response
  {
    guard (200...299).contains(response.status) else { throw failure(response, hiding: secrets) }
    let document: JSONValue
    do {
      document = try JSONValue(parsing: response.body)
    } catch {
      throw .malformed(reason: "\(url): the response is not JSON: \(response.outline(hiding: secrets))")
    }
    // Some servers answer an error with 200.
    if document["error"] != nil, document["access_token"] == nil { throw failure(response, hiding: secrets) }
    do {
      return Response(
        tokens: try TokenResponse(document), serverDate: response.date,
        clock: connection.clock(of: response, sent: sent))
    } catch {
      throw .malformed(reason: "\(url): \(error.reason)")
    }
  }

  private func failure(_ response: TransferResponse, hiding secrets: [String]) -> Failure {
    let error = ErrorResponse(response)
    switch response.status {
    case 300...399:
      return .malformed(reason: "\(url) redirects, which a token endpoint must not")
    case let status where TransientStatus.meansUnavailable(status):
      return .unavailable(Unavailability(response, reason: "\(url) returned \(error.words)", now: connection.now()))
    default:
      if error.isInvalidGrant { return .invalidGrant(error) }
      if error.error == nil, response.status != 403 {
        return .malformed(reason: "\(url): the response has no error code: \(response.outline(hiding: secrets))")
      }
      return .refused(error)
    }
  }
}

extension TokenEndpoint.Failure {
  /// Classifies the error of a request without a usable response.
  init(_ error: ServerConnection.Unreachable, at place: String) {
    if error.isUnusable {
      self = .malformed(reason: "\(place): \(error.description)")
    } else if error.isUntrusted {
      self = .local(.tryLater(error.explanation("connecting to \(place)", hint: "")))
    } else {
      self = .unavailable(.init(reason: error.description, mayHaveArrived: error.mayHaveArrived))
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
