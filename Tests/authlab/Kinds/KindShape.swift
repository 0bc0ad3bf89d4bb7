/// The shape in which a kind answers.
struct KindShape {
  /// The kind.
  let kind: Kind
  /// The settings in force.
  let settings: Settings

  /// Tokens, as a login or a refresh answers them.
  func tokens(_ tokens: TokenResponse, user: JSONValue, isRefresh: Bool) -> JSONValue {
    var pair: JSONValue = ["accessToken": .string(tokens.accessToken)]
    if kind == .flat, let lifetime = lifetime(tokens) {
      pair = pair.adding(isRefresh ? "accessTokenExpiresIn" : "expiresIn", lifetime)
    }
    if let refreshToken = tokens.refreshToken {
      pair = pair.adding("refreshToken", .string(refreshToken))
      if kind == .flat, settings.refreshExpiresInResponse {
        pair = pair.adding("refreshTokenExpiresIn", .integer(Int(settings.refreshLifetime)))
      }
    }
    switch kind {
    case .flat, .silent: return pair
    case .nested where settings.flatTokens, .enveloped where settings.flatTokens: return pair
    case .flagged: return Self.joined(["success": true], pair)
    case .nested: return ["user": user, "token": pair]
    case .enveloped:
      return [
        "success": true, "code": "OK", "message": "Done.", "data": Self.joined(["user": user], pair), "errors": [],
        "meta": ["version": "1"],
      ]
    }
  }

  /// A refusal with its status.
  func refusal(_ code: String, _ message: String, status: Int, outcome: String) -> Response {
    switch kind {
    case .flat:
      return Response(status, json: ["error": "Unauthorized", "message": .string(message)], outcome: outcome)
    case .silent:
      return Response(empty: status, outcome: outcome)
    case .flagged:
      return Response(
        status, json: ["success": false, "errorCode": .string(code), "message": .string(message)], outcome: outcome)
    case .nested:
      return Response(status, json: ["message": .string(message)], outcome: outcome)
    case .enveloped:
      return Response(
        status,
        json: [
          "success": false, "code": .string(code), "message": .string(message), "data": .null,
          "errors": [["detail": .string(message)]], "meta": ["version": "1"],
        ], outcome: outcome)
    }
  }

  private func lifetime(_ tokens: TokenResponse) -> JSONValue? {
    switch settings.expiresIn {
    case .number: .integer(Int(tokens.lifetime))
    case .string: .string("\(Int(tokens.lifetime))")
    case .float: .number(tokens.lifetime)
    case .absent: nil
    }
  }

  private static func joined(_ one: JSONValue, _ other: JSONValue) -> JSONValue {
    guard case .object(let members) = other else { return one }
    return members.reduce(one) { $0.adding($1.name, $1.value) }
  }
}
