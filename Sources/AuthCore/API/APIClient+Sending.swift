import HTTPTypes

extension APIClient {
  /// Sends a request, and retries it until no retrier requests another attempt or the limit is reached.
  ///
  /// - Throws: ``APIError``, ``AuthError``, or an error from the interceptor.
  func finalResponse(to request: APIRequest) async throws -> TransferResponse {
    var earlier: [TransferOutcome] = []
    while true {
      let adapted = try await adapted(request)
      let outcome = try await outcome(of: adapted)
      let attempt = Attempt(adapted, outcome: outcome, earlier: earlier)
      guard earlier.count + 1 < options.mostAttempts,
        case .sendAgain(let pause) = try await interceptor.decide(after: attempt)
      else { return try response(of: outcome) }
      if pause > .zero { try await ContinuousClock().sleep(for: pause) }
      earlier.append(outcome)
    }
  }

  /// Sends a request with the secrets of a session: once, whatever happens, without redirects, and to no origin but
  /// those of the client.
  ///
  /// - Throws: ``APIError``, ``AuthError``, or an error from the interceptor.
  func confidentialResponse(to request: APIRequest) async throws -> TransferResponse {
    try response(of: try await outcome(of: try await adapted(request), isConfidential: true))
  }

  private func adapted(_ request: APIRequest) async throws -> APIRequest {
    var adapted = try await interceptor.adapt(request)
    // A request with its own credentials keeps them: it is sent with one such field and causes no refresh.
    if let name = adapted.authorization?.header.name, adapted.fields[name] != nil { adapted.authorization = nil }
    return adapted
  }

  private func response(of outcome: TransferOutcome) throws(APIError) -> TransferResponse {
    switch outcome {
    case .response(let response): return response
    case .failure(let error): throw APIError(error)
    }
  }

  private func outcome(of request: APIRequest, isConfidential: Bool = false) async throws -> TransferOutcome {
    var transfer = try transfer(request)
    transfer.isConfidential = isConfidential
    transfer.isSentOnce = isConfidential
    let authorization = request.needsAuthentication ? request.authorization : nil
    if isConfidential || authorization != nil { try checkOrigin(transfer.url) }
    // The retriers handle refreshes; the sender handles origins, redirects and nonces.
    let sender = AuthorizedSender(
      transport,
      authorization.map {
        AuthorizedSender.Authorization(
          FixedCredential($0.credential), header: $0.header, origins: [transfer.url.origin])
      }, events: { _ in })
    do {
      return .response(try await sender.send(transfer, redirects: isConfidential ? .response : options.redirects))
    } catch let error as TransportError {
      return .failure(error)
    }
  }

  private func transfer(_ request: APIRequest) throws(APIError) -> Transfer {
    var fields = request.fields
    for field in options.fields where request.fields[field.name] == nil {
      if field.name != request.authorization?.header.name { fields.append(field) }
    }
    let url = try url(request.path).appendingQuery(request.query)
    var transfer = Transfer(
      method: request.method, url: url, fields: fields, body: request.body, network: options.network)
    let limit = options.longestBody
    transfer.destination = { _ in .collect(limit: limit) }
    return transfer
  }

  /// Appends a path to the base URL; parses an absolute URL on its own.
  private func url(_ path: String) throws(APIError) -> WebURL {
    do {
      if path.starts(withBytes: "https://") || path.starts(withBytes: "http://") { return try WebURL(path) }
      return path.isEmpty ? base : try base.appending(path)
    } catch {
      throw .unusableRequest(reason: "its URL is unusable: \(error)")
    }
  }

  private func checkOrigin(_ url: WebURL) throws(AuthError) {
    guard url.origin != base.origin, !options.furtherOrigins.contains(url.origin) else {
      guard !url.origin.isSecure else { return }
      throw .origin("calling \(url)", why: "the credentials would cross the network unencrypted", hint: "use https")
    }
    throw .origin(
      "calling \(url)", why: "\(url.origin) is not the API's origin: credentials not sent",
      hint: "add it to furtherOrigins if they may go there, or send without them")
  }
}
