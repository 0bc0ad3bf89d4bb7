import Foundation

/// One of the five kinds of server.
struct KindServer {
  /// What the server remembers.
  let state: LabState
  /// The settings in force.
  let settings: Settings
  /// Which one.
  let kind: Kind

  private var shape: KindShape { KindShape(kind: kind, settings: settings) }

  /// Answers a request; `content` is the body where the request is one of authentication.
  /// - Throws: `Errno` when a body can't be read, `CryptoKitError` when nothing can be signed.
  func answer(_ request: Request, content: [UInt8], body: RequestBody) async throws -> Response {
    let operation = kind.operation(request.path)
    let name = "\(kind.name).\(operation.rawValue)"
    switch operation {
    case .api: return try await api(request, body: body, name: name)
    case .basic: return try await basic(request, body: body, name: name)
    case .unknown: return Response(404, json: ["error": "not_found"], outcome: name)
    default: break
    }
    guard request.method == "POST" else { return Response(405, json: ["error": "method"], outcome: "\(name).405") }
    do {
      return try await authenticate(operation, fields(request, Data(content)), name: name)
    } catch let error as OAuthError {
      let isRefresh = operation == .refresh
      let code = isRefresh ? "REFRESH_TOKEN_EXPIRED" : error.code.uppercased()
      let status = kind == .flagged ? settings.refusalStatus : isRefresh || operation == .login ? 401 : 422
      return shape.refusal(code, error.description, status: status, outcome: "\(name).\(code)")
    }
  }

  private func authenticate(
    _ operation: Kind.Operation, _ fields: [String: MultipartPart], name: String
  ) async throws -> Response {
    func text(_ name: String) throws(OAuthError) -> String {
      guard let text = fields[name]?.text, !text.isEmpty else {
        throw OAuthError("validation_failed", "The field \(name) is missing.")
      }
      return text
    }
    let subject: String
    let tokens: TokenResponse
    switch operation {
    case .login where kind == .flagged && fields["idToken"] != nil:
      return try await authenticate(.identity, fields, name: name)
    case .login:
      subject = try text(kind == .nested ? "email" : "username")
      tokens = try await state.logIn(subject, password: try text("password"), at: kind)
    case .register:
      let user = KindUser(name: try text("name"), email: try text("email"), password: try text("password"))
      (subject, tokens) = try await state.register(user, at: kind)
    case .guest:
      let user = KindUser(name: try text("name"), image: fields["image"])
      (subject, tokens) = try await state.register(user, at: kind)
    case .identity:
      guard try text("idToken") == "identity-of-alice" else { throw OAuthError("bad_identity", "It is not known.") }
      subject = "alice"
      tokens = try await state.issue(to: subject, at: kind)
    case .refresh:
      (subject, tokens) = try await state.refresh(try text("refreshToken"), at: kind)
    default:
      try await state.revoke(try text("refreshToken"), client: Client(id: kind.name, secret: nil))
      return Response(empty: 200, outcome: "\(name).ok")
    }
    let user = await state.kindUser(subject).json(id: subject)
    return Response(json: shape.tokens(tokens, user: user, isRefresh: operation == .refresh), outcome: "\(name).ok")
  }

  /// The fields of a JSON or a multipart body; a JSON value that is no string is absent.
  private func fields(_ request: Request, _ content: Data) throws(OAuthError) -> [String: MultipartPart] {
    let type = request.headers["content-type"] ?? ""
    if let parts = MultipartPart.parts(of: content, contentType: type) {
      return Dictionary(parts.map { ($0.name, $0) }) { one, _ in one }
    }
    guard type.hasPrefix("application/json"), let json = try? JSONSerialization.jsonObject(with: content),
      let members = json as? [String: Any]
    else { throw OAuthError("unreadable", "The body is neither JSON nor multipart.") }
    return members.compactMapValues { $0 as? String }.reduce(into: [:]) {
      $0[$1.key] = MultipartPart(name: $1.key, text: $1.value)
    }
  }

  // MARK: - What is protected

  private func api(_ request: Request, body: RequestBody, name: String) async throws -> Response {
    let token = request.headers["x-auth-token"] ?? Self.credentials(request, scheme: "bearer") ?? ""
    switch await state.status(of: token) {
    case .valid(let access, let family) where family.clientID == kind.name:
      if request.path.hasSuffix("/me") {
        return Response(json: await state.kindUser(family.subject).json(id: family.subject), outcome: "\(name).ok")
      }
      return try await Resource(request: request, body: body, name: name, depth: 2).answer(token: (access, family))
    case .expired:
      return shape.refusal(
        "TOKEN_EXPIRED", "The access token expired.", status: settings.expiredStatus, outcome: "\(name).expired")
    default:
      return shape.refusal("TOKEN_INVALID", "The access token is not good.", status: 401, outcome: "\(name).401")
    }
  }

  private func basic(_ request: Request, body: RequestBody, name: String) async throws -> Response {
    let text = Self.credentials(request, scheme: "basic").flatMap { Data(base64Encoded: $0) }
      .flatMap { String(data: $0, encoding: .utf8) }
    let parts = (text ?? "").split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, state.users[parts[0]]?.password == parts[1] else {
      return Response(401, json: ["error": "unauthorized"], outcome: "\(name).401")
        .adding("WWW-Authenticate", "Basic realm=\"authlab\", charset=\"UTF-8\"")
    }
    return try await Resource(request: request, body: body, name: name, depth: 2).answer(token: nil)
  }

  private static func credentials(_ request: Request, scheme: String) -> String? {
    guard let parts = request.headers["authorization"]?.split(separator: " ", maxSplits: 1), parts.count == 2,
      parts[0].lowercased() == scheme
    else { return nil }
    return String(parts[1])
  }
}
