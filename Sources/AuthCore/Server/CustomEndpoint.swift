import FoundationEssentials

/// Sends requests and reads their responses as a profile describes them.
struct CustomEndpoint: Sendable {
  let server: CustomServer
  let connection: ServerConnection

  /// Sends a request whose response contains tokens.
  func tokens(_ request: Transfer, _ values: RequestValues) async throws(TokenEndpoint.Failure)
    -> TokenEndpoint.Response
  {
    let sent = connection.reading
    let (response, document) = try await accepted(request, values)
    let place = shown(request, values)
    guard let document else {
      let outline = values.redacting(response.outline(), secrets: server.secrets)
      throw .malformed(reason: "\(place): the response is not JSON: \(outline)")
    }
    do {
      let tokens = try TokenResponse(document, at: server.response)
      return TokenEndpoint.Response(
        tokens: tokens, serverDate: response.date, clock: connection.clock(of: response, sent: sent))
    } catch {
      // An error with a 2xx status and without a flag. With `success: true`, a code is not an error.
      let isSuccess = server.response.flag(document) == true
      if !isSuccess, server.response.code(document) != nil { throw failure(response, document, request, values) }
      throw .malformed(reason: "\(place): status \(response.status), but \(error.reason)")
    }
  }

  /// Sends a request and returns the response if it is not an error. The document is nil if the body is not readable.
  @discardableResult
  func accepted(
    _ request: Transfer, _ values: RequestValues
  ) async throws(TokenEndpoint.Failure) -> (response: TransferResponse, document: JSONValue?) {
    let kinds = BodyValueKinds(server, values, request)
    let response: TransferResponse
    do {
      // If a login or a refresh token is sent twice, the server may revoke the tokens from the first request.
      var request = request
      request.isSentOnce = true
      request.secrets = values.texts(of: server.secrets)
      request.bodyValues = kinds.values(of: request)
      request.valueKinds = { kinds.kinds(in: $0) }
      response = try await connection.send(request)
    } catch {
      throw TokenEndpoint.Failure(error, at: shown(request, values))
    }
    let document = try? JSONValue(parsing: response.body)
    let refuses = document.map { server.response.refuses($0) } ?? false
    guard (200...299).contains(response.status), !refuses else {
      throw failure(response, document, request, values)
    }
    return (response, document)
  }

  /// Determines what a refusal means for the refresh token that was sent.
  ///
  /// The profile's own codes come first, regardless of the status. If it has none, or the response has no code, the
  /// status decides as at a token endpoint: 400 and 401 mean that the token is dead.
  private func failure(
    _ response: TransferResponse, _ document: JSONValue?, _ request: Transfer, _ values: RequestValues
  ) -> TokenEndpoint.Failure {
    let place = shown(request, values)
    let codes = server.response.loginRequiredCodes
    let secrets = response.secrets + server.response.tokens(document).map { Secret($0) }
    let error = server.response.error(document, status: response.status).hiding(secrets)
    if let code = document.flatMap({ server.response.code($0, among: codes) }), codes.contains(code) {
      return .invalidGrant(error)
    }
    switch response.status {
    case 300...399:
      return .malformed(reason: "\(place) redirects, which is not followed with secrets")
    case let status where TransientStatus.meansUnavailable(status):
      return .unavailable(.init(response, reason: "\(place) returned \(error.words)", now: connection.now()))
    case 400 where error.error == nil, 401 where error.error == nil || codes.isEmpty:
      return .invalidGrant(error)
    default:
      return .refused(error)
    }
  }

  /// Returns the address of a request for messages, without the secrets that its path may contain.
  func shown(_ request: Transfer, _ values: RequestValues) -> String {
    values.redacting(request.url.description, secrets: server.secrets)
  }
}
