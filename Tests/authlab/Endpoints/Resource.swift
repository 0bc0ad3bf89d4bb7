import Foundation

/// What stands behind `/api/`, `/open/` and `/userinfo`.
struct Resource {
  /// The request.
  let request: Request
  /// Its body.
  let body: RequestBody
  /// The name in counters.
  let name: String
  /// How many parts of the path stand before that of the resource.
  var depth = 1

  /// Answers; `token` is nil where none is wanted.
  /// - Throws: `Errno` when the body can't be read, `CancellationError` when the server ends.
  func answer(token: (access: AccessToken, family: TokenFamily)?) async throws -> Response {
    let parts = request.path.split(separator: "/").dropFirst(depth).map(String.init)
    switch (parts.first ?? name, parts.dropFirst().first) {
    case ("me", nil), ("userinfo", nil), ("forbidden-when-expired", nil): return me(token)
    case ("echo", _): return try await Echo(request: request, body: body).response(outcome: "\(name).ok")
    case ("count", nil): return try await count()
    case ("bytes", let count?): return bytes(count)
    case ("status", let code?): return status(code)
    case ("redirect", nil): return redirect()
    case ("slow", nil):
      try await Task.sleep(for: .milliseconds(Int(request.query["ms"] ?? "") ?? 1000))
      return me(token)
    default: return Response(404, json: ["error": "not_found"], outcome: "\(name).404")
    }
  }

  private func me(_ token: (access: AccessToken, family: TokenFamily)?) -> Response {
    guard let token else { return Response(json: ["sub": .null], outcome: "\(name).ok") }
    let (subject, scope) = (token.family.subject, token.access.scope.joined(separator: " "))
    let json: JSONValue = [
      "sub": .string(subject), "name": .string(subject.capitalized), "email": "\(subject)@authlab.example",
      "client_id": .string(token.family.clientID), "scope": .string(scope),
    ]
    return Response(json: json, outcome: "\(name).ok")
  }

  /// Counts a body without looking at it, for measurements.
  private func count() async throws -> Response {
    var count = 0
    while let piece = try await body.next() { count += piece.count }
    return Response(json: ["length": .integer(count)], outcome: "\(name).ok")
  }

  private func bytes(_ text: String) -> Response {
    guard let count = Int(text), count >= 0 else { return wrong("The number of bytes can't be read.") }
    var response = Response(empty: 200, outcome: "\(name).ok").adding("Content-Type", "application/octet-stream")
    response.body = .pattern(count: count, chunked: request.query["chunked"] != nil)
    return response
  }

  private func status(_ text: String) -> Response {
    guard let code = Int(text), (200...599).contains(code) else { return wrong("The status can't be read.") }
    let outcome = "\(name).\(code)"
    if code == 204 || code == 304 { return Response(empty: code, outcome: outcome) }
    return Response(code, json: ["error": "status_\(code)", "status": .integer(code)], outcome: outcome)
  }

  private func redirect() -> Response {
    guard let target = request.query["to"], !target.contains(where: \.isNewline) else {
      return wrong("The query lacks the target.")
    }
    return Response(redirect: Int(request.query["status"] ?? "") ?? 302, to: target, outcome: "\(name).redirect")
  }

  private func wrong(_ reason: String) -> Response {
    Response(400, json: ["error": "bad_request", "error_description": .string(reason)], outcome: "\(name).400")
  }
}
