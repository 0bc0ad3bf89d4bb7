extension Login {
  /// The device authorization endpoint: from the profile, else from the server's metadata; nil if neither names one.
  public var deviceAuthorizationEndpoint: WebURL? {
    profile.endpoints.deviceAuthorization ?? metadata?.deviceAuthorizationEndpoint
  }

  /// Requests the codes of the device authorization grant (RFC 8628, section 3.1).
  ///
  /// - Throws: ``AuthError/refused(_:)`` if the server has no such endpoint or refuses, ``AuthError/tryLater(_:)`` if
  ///   it is unavailable.
  public func deviceAuthorization() async throws(AuthError) -> DeviceAuthorization {
    guard let url = deviceAuthorizationEndpoint else {
      throw .refused(
        what, why: "the server has no device authorization endpoint",
        hint: "choose another flow, or set the endpoint",
        remedy: .stateEndpoint(session: profile.name.string, key: "device_authorization"))
    }
    let endpoint = DeviceAuthorizationEndpoint(
      url: url, client: server.client(clientSecret), clientHint: clientHint, connection: server.connection)
    let parameters = Profile.Parameters.fields(profile.parameters.authorization)
    let authorization = try await endpoint.request(profile.scopeAndTarget + parameters, what: what)
    for page in [authorization.verificationURI, authorization.verificationURIComplete].compactMap({ $0 }) {
      guard let url = try? WebURL(page), !url.origin.isSecure else { continue }
      server.connection.events(
        .warning("the login page is plain http: others on the network can read what is typed"))
      break
    }
    return authorization
  }

  /// Waits for the user's approval and returns the tokens (RFC 8628, sections 3.4 and 3.5).
  ///
  /// - Parameters:
  ///   - timeout: the maximum wait; the lifetime of the code if that is shorter, or if this is nil.
  ///   - clock: the clock that measures the time.
  /// - Throws: ``AuthError/tryLater(_:)`` if the user does not approve in time, ``AuthError/refused(_:)`` if the user
  ///   or the server refuses.
  public func tokens<Time: Clock>(
    of authorization: DeviceAuthorization, timeout: Duration? = nil, clock: Time = ContinuousClock()
  ) async throws(AuthError) -> TokenPair where Time.Duration == Duration {
    let endpoint = try server.tokenEndpoint(metadata, secret: clientSecret)
    let lifetime = Duration.seconds(authorization.expiresIn)
    let patience = timeout.map { min($0, lifetime) } ?? lifetime
    let grant = [
      (name: "grant_type", value: Profile.deviceGrantType),
      (name: "device_code", value: authorization.deviceCode.exposed),
    ]
    let polling = DevicePolling(
      endpoint: endpoint, grant: grant + Profile.Parameters.fields(profile.parameters.token),
      interval: .seconds(authorization.interval), patience: patience, events: server.connection.events, clock: clock)
    var response: TokenEndpoint.Response
    do throws(DeviceFailure) {
      response = try await polling.tokens()
    } catch {
      throw explained(error, endpoint, patience, expires: patience == lifetime)
    }
    response.tokens = try await accepted(response, IDTokenBinding())
    var pair = try pair(response)
    pair.flow = Flow.device.rawValue
    return pair
  }

  private func explained(
    _ failure: DeviceFailure, _ endpoint: TokenEndpoint, _ patience: Duration, expires: Bool
  ) -> AuthError {
    switch failure {
    case .denied(let response):
      .refused(
        what, why: "the login was denied (\(response.words))",
        hint: response.hint(in: .device, client: clientHint),
        serverError: response.error)
    case .expired(let failure?):
      .tryLater(explanation(failure))
    case .expired(nil):
      .tryLater(
        what,
        why: expires
          ? "the code has expired before the login was approved"
          : "the login was not approved within \(DurationText.describe(patience.seconds))",
        hint: "log in again to get a new code")
    case .refused(let failure): explained(failure, endpoint, in: .device)
    case .cancelled: .tryLater(what, why: "it was interrupted", hint: "log in again")
    }
  }
}
