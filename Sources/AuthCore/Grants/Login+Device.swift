extension Login {
  /// Where a device code is asked for: as the profile says, else as the server's metadata does; nil where neither does.
  public var deviceAuthorizationEndpoint: WebURL? {
    profile.endpoints.deviceAuthorization ?? metadata?.deviceAuthorizationEndpoint
  }

  /// Asks for the codes of the device authorization grant (RFC 8628, section 3.1).
  ///
  /// - Throws: ``AuthError/refused(_:)`` where the server has no such endpoint or refuses, ``AuthError/tryLater(_:)``
  ///   where it is not to be had.
  public func deviceAuthorization() async throws(AuthError) -> DeviceAuthorization {
    guard let url = deviceAuthorizationEndpoint else {
      throw .refused(
        .init(
          what, why: "the server has no device authorization endpoint",
          hint: "choose another flow, or set the endpoint",
          remedy: .stateEndpoint(session: profile.name.string, key: "device_authorization")))
    }
    let endpoint = DeviceAuthorizationEndpoint(
      url: url, client: server.client(clientSecret), connection: server.connection)
    let parameters = Profile.Parameters.fields(profile.parameters.authorization)
    let authorization = try await endpoint.request(Login.scopeAndTarget(profile) + parameters, what: what)
    for page in [authorization.verificationURI, authorization.verificationURIComplete].compactMap({ $0 }) {
      guard let url = try? WebURL(page), !url.origin.isSecure else { continue }
      server.connection.events(
        .warning("the login page is plain http: others on the network can read what is typed"))
      break
    }
    return authorization
  }

  /// Waits for the person's approval and takes the tokens (RFC 8628, sections 3.4 and 3.5).
  ///
  /// - Parameters:
  ///   - timeout: how long to wait; as long as the code lives where that is less, or where this is nil.
  ///   - clock: by which the time is told.
  /// - Throws: ``AuthError/tryLater(_:)`` where nobody approves in time, ``AuthError/refused(_:)`` where the person or
  ///   the server says no.
  public func tokens<Time: Clock>(
    of authorization: DeviceAuthorization, timeout: Duration? = nil, clock: Time = ContinuousClock()
  ) async throws(AuthError) -> TokenPair where Time.Duration == Duration {
    let endpoint = try server.tokenEndpoint(metadata, secret: clientSecret)
    let lifetime = Duration.seconds(authorization.expiresIn)
    let patience = timeout.map { min($0, lifetime) } ?? lifetime
    let grant = [
      (name: "grant_type", value: "urn:ietf:params:oauth:grant-type:device_code"),
      (name: "device_code", value: authorization.deviceCode.exposed),
    ]
    let polling = DevicePolling(
      endpoint: endpoint, grant: grant + Profile.Parameters.fields(profile.parameters.token),
      interval: .seconds(authorization.interval), patience: patience, events: server.connection.events, clock: clock)
    var answer: TokenEndpoint.Answer
    do throws(DeviceFailure) {
      answer = try await polling.tokens()
    } catch {
      throw explained(error, endpoint, patience, expires: patience == lifetime)
    }
    answer.response = try await accepted(answer, IDTokenBinding())
    var pair = try pair(answer)
    pair.flow = Flow.device.rawValue
    return pair
  }

  private func explained(
    _ failure: DeviceFailure, _ endpoint: TokenEndpoint, _ patience: Duration, expires: Bool
  ) -> AuthError {
    switch failure {
    case .denied(let response):
      .refused(
        .init(
          what, why: "the login was denied (\(response.words))",
          hint: response.hint(in: .device, client: clientHint),
          serverError: response.error))
    case .expired(let failure?):
      .tryLater(.init(what, why: failure.reason, hint: failure.loginHint))
    case .expired(nil):
      .tryLater(
        .init(
          what,
          why: expires
            ? "the code has expired before the login was approved"
            : "the login was not approved within \(DurationText.describe(patience.seconds))",
          hint: "log in again to get a new code"))
    case .refused(let failure): explained(failure, endpoint, in: .device)
    case .cancelled: .tryLater(.init(what, why: "it was interrupted", hint: "log in again"))
    }
  }
}
