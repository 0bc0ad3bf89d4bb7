/// The door of everything that wants an access token (RFC 6750).
struct ProtectedResource {
  /// What the server remembers.
  let state: LabState
  /// The settings in force.
  let settings: Settings

  /// Lets good tokens through and refuses the others.
  /// - Throws: `ProtocolError` or `SocketError` when the body can't be read.
  func answer(_ request: Request, body: RequestBody) async throws -> Response {
    let name = request.path == "/userinfo" ? "userinfo" : "api"
    guard let token = Self.bearerToken(request.headers["authorization"]) else {
      return refuse(name: name, error: nil, "An access token is needed.", status: 401)
    }
    switch await state.status(of: token) {
    case .valid(let access, let family):
      if name == "userinfo" && !access.scope.contains("openid") {
        return refuse(name: name, error: "insufficient_scope", "The scope openid is needed.", status: 403)
      }
      return try await Resource(request: request, body: body, name: name).answer(token: (access, family))
    case .expired:
      let status = request.path == "/api/forbidden-when-expired" ? 403 : settings.expiredStatus
      return refuse(name: name, error: "invalid_token", "The access token expired.", status: status)
    case .revoked:
      return refuse(name: name, error: "invalid_token", "The access token was revoked.", status: 401)
    case .unknown:
      return refuse(name: name, error: "invalid_token", "The access token is not known.", status: 401)
    }
  }

  private func refuse(name: String, error: String?, _ description: String, status: Int) -> Response {
    // A server that answers 403 for an expired token does so without a challenge.
    let form = status == 401 ? settings.challenge : .absent
    return BearerChallenge(form: form, error: error, description: description)
      .response(status: status, outcome: "\(name).\(status)")
  }

  private static func bearerToken(_ header: String?) -> String? {
    guard let parts = header?.split(separator: " ", maxSplits: 1), parts.count == 2,
      parts[0].lowercased() == "bearer"
    else { return nil }
    return String(parts[1])
  }
}
