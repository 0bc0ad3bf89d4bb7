/// Brings requests to their endpoints, past the faults.
struct Router: Sendable {
  /// What the server remembers.
  let state: LabState

  /// The longest form that is read.
  private static let longestForm = 1 << 20
  /// The longest body with a file in it that is read.
  private static let longestUpload = 16 << 20

  /// Answers a request, or fails to, if that is wanted.
  /// - Throws: `RequestBody.TooLong` or `Errno` when the body can't be read, `CancellationError` when the server ends.
  func answer(_ request: Request, body: RequestBody) async throws -> Answer {
    let endpoint = await Endpoint(path: request.path, issuerPath: state.settings.issuerPath)
    if endpoint == .control {
      return .response(try await ControlEndpoint(state: state).answer(request, body: body))
    }
    var form: String?
    if endpoint.takesForm && request.method == "POST" {
      form = String(decoding: try await body.collect(limit: Self.longestForm), as: UTF8.self)
    }
    var content: [UInt8] = []
    let kind = Kind(path: request.path)
    if let kind, ![.api, .basic].contains(kind.operation(request.path)) {
      content = try await body.collect(limit: Self.longestUpload)
      form = String(decoding: content.prefix(Self.longestForm), as: UTF8.self)
    }
    let name =
      kind.map { "\($0.name).\($0.operation(request.path).rawValue)" } ?? Self.name(of: endpoint, request, form: form)
    let (number, fault, era, settings) = await state.admit(request, endpoint: name, form: form)
    let process: () async throws -> Response = {
      let response =
        if let kind {
          try await KindServer(state: state, settings: settings, kind: kind).answer(
            request, content: content, body: body)
        } else {
          try await handle(request, at: endpoint, text: form ?? "", body: body, settings)
        }
      await state.finish(number, request, response: response)
      return response
    }
    guard let fault else { return .response(try await process()) }
    let hold = { (duration: Duration) in try await state.hold(for: duration, since: era) }
    let answer = try await fault.answer(at: name, delayedBy: hold, orElse: process)
    if case .response(let response) = answer, ![.delay, .pad].contains(fault.kind) {
      await state.finish(number, request, response: response)
    }
    return answer
  }

  private func handle(
    _ request: Request, at endpoint: Endpoint, text: String, body: RequestBody, _ settings: Settings
  ) async throws -> Response {
    let form = FormFields(text)
    switch endpoint {
    case .oauthDiscovery, .openidDiscovery:
      return DiscoveryEndpoint(origin: state.origin, settings: settings).answer(endpoint)
    case .resourceMetadata: return ResourceMetadataEndpoint(origin: state.origin, settings: settings).answer(request)
    case .jwks: return Response(json: try await state.keySet(), outcome: "jwks.ok")
    case .authorize: return await AuthorizationEndpoint(state: state, settings: settings).answer(request, form: form)
    case .decide: return await DecisionEndpoint(state: state, settings: settings).answer(form)
    case .deviceAuthorization:
      return await DeviceAuthorizationEndpoint(state: state, settings: settings).answer(request, form: form)
    case .device: return await DevicePage(state: state).answer(request, form: form)
    case .token: return try await TokenEndpoint(state: state, settings: settings).answer(request, form: form)
    case .par: return await PushedRequestEndpoint(state: state, settings: settings).answer(request, form: form)
    case .revoke: return await RevocationEndpoint(state: state, settings: settings).answer(request, form: form)
    case .introspect: return await IntrospectionEndpoint(state: state, settings: settings).answer(request, form: form)
    case .registration:
      return await RegistrationEndpoint(state: state, settings: settings).answer(request, body: text)
    case .userinfo, .api:
      return try await ProtectedResource(state: state, settings: settings).answer(request, body: body)
    case .open: return try await Resource(request: request, body: body, name: "open").answer(token: nil)
    case .control, .unknown, .kind1, .kind2, .kind3, .kind4, .kind5:
      return Response(404, json: ["error": "not_found", "path": .string(request.path)], outcome: "unknown.404")
    }
  }

  /// The name in counters and faults; that of the token endpoint holds the grant, that of registration the operation.
  private static func name(of endpoint: Endpoint, _ request: Request, form: String?) -> String {
    if endpoint == .registration, let operation = RegistrationEndpoint.operation(of: request) {
      return "registration.\(operation.rawValue)"
    }
    guard endpoint == .token, let grant = FormFields(form ?? "")["grant_type"], Endpoint.grants.contains(grant) else {
      return endpoint.rawValue
    }
    return "token.\(Endpoint.name(ofGrant: grant))"
  }
}
