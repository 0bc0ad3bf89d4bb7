import FoundationEssentials

/// Sends a request that a profile describes, and reads the answer as the profile says.
struct CustomExchange: Sendable {
  let server: CustomServer
  let connection: ServerConnection

  /// Sends a request whose answer has tokens.
  func tokens(_ request: Transfer, _ values: RequestValues) async throws(TokenEndpoint.Failure) -> TokenEndpoint.Answer
  {
    let sent = connection.reading
    let (answer, document) = try await accepted(request, values)
    let place = shown(request, values)
    guard let document else {
      let outline = values.redacting(answer.outline(), secrets: server.secrets)
      throw .malformed(reason: "\(place): the response is not JSON: \(outline)")
    }
    do {
      let response = try TokenResponse(document, at: server.response)
      return TokenEndpoint.Answer(
        response: response, serverDate: answer.date, clock: connection.clock(of: answer, sent: sent))
    } catch {
      // An error that is sent with a 2xx status and without a flag. Beside `success: true` a code is no error.
      let isSuccess = server.response.flag(document) == true
      if !isSuccess, server.response.code(document) != nil { throw failure(answer, document, at: place) }
      throw .malformed(reason: "\(place): status \(answer.status), but \(error.reason)")
    }
  }

  /// Sends a request and gives the answer where it is no refusal; the document is nil where there is none to be read.
  @discardableResult
  func accepted(
    _ request: Transfer, _ values: RequestValues
  ) async throws(TokenEndpoint.Failure) -> (answer: HTTPAnswer, document: JSONValue?) {
    var connection = connection
    if let trace = connection.trace {
      connection.trace = { line in trace(values.redacting(line, secrets: server.secrets)) }
    }
    let answer: HTTPAnswer
    do {
      // A login or a refresh token that is sent again may be the end of what the first time has brought.
      var request = request
      request.isSentOnce = true
      request.secrets = values.texts(of: server.secrets)
      answer = try await connection.send(request)
    } catch {
      guard !error.isNonsense else {
        throw .malformed(reason: "\(shown(request, values)): \(error.description)")
      }
      guard !error.isUntrusted else {
        throw .local(.tryLater(error.explanation("connecting to \(shown(request, values))", hint: "")))
      }
      throw .unavailable(.init(reason: error.description, mayHaveArrived: error.mayHaveArrived))
    }
    let document = try? JSONValue(parsing: answer.body)
    let refuses = document.map { server.response.refuses($0) } ?? false
    guard (200...299).contains(answer.status), !refuses else {
      throw failure(answer, document, at: shown(request, values))
    }
    return (answer, document)
  }

  /// What a refusal means for the refresh token that was sent.
  ///
  /// The profile's own codes come first, whatever the status. Where it has none, or the response has no code, the status
  /// decides as it does at a token endpoint: 400 and 401 are the end of the token.
  private func failure(_ answer: HTTPAnswer, _ document: JSONValue?, at place: String) -> TokenEndpoint.Failure {
    let codes = server.response.loginRequiredCodes
    let error = server.response.error(document, status: answer.status)
    if let code = document.flatMap({ server.response.code($0) }), codes.contains(code) { return .invalidGrant(error) }
    switch answer.status {
    case 300...399:
      return .malformed(reason: "\(place) redirects, which is not followed with secrets")
    case let status where TransientStatus.meansUnavailable(status):
      return .unavailable(
        .init(
          reason: "\(place) returned \(error.words)", status: status,
          retryAfter: answer.retryAfter(now: connection.now()), mayHaveArrived: answer.isOfGateway))
    case 400 where error.error == nil, 401 where error.error == nil || codes.isEmpty:
      return .invalidGrant(error)
    default:
      return .refused(error)
    }
  }

  /// The address of a request as it may be shown: a secret may stand in its path.
  func shown(_ request: Transfer, _ values: RequestValues) -> String {
    values.redacting(request.url.description, secrets: server.secrets)
  }
}
