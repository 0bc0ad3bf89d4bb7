import TestSupport

/// The tokens of one response of the token endpoint.
struct TokenPair: Sendable {
  /// The access token.
  let access: String
  /// The refresh token; empty where there is none.
  let refresh: String

  /// Takes the tokens out of a response.
  init(_ answer: LoopbackResponse) throws {
    access = try answer.string("access_token") ?? ""
    refresh = try answer.string("refresh_token") ?? ""
  }
}

extension Authlab {
  /// Logs alice in with the password grant.
  func logIn(scope: String = "api") throws -> TokenPair {
    let form = [
      (name: "grant_type", value: "password"), (name: "username", value: "alice"),
      (name: "password", value: "alice-pass"), (name: "client_id", value: "cli"), (name: "scope", value: scope),
    ]
    return try TokenPair(post("/token", form: form))
  }

  /// Presents a refresh token as the public client.
  func refresh(_ token: String, scope: String = "") throws -> LoopbackResponse {
    let form = [
      (name: "grant_type", value: "refresh_token"), (name: "refresh_token", value: token),
      (name: "client_id", value: "cli"), (name: "scope", value: scope),
    ]
    return try post("/token", form: form)
  }

  /// Asks a protected resource.
  func get(_ path: String, token: String) throws -> LoopbackResponse {
    try send("GET", path, headers: [(name: "Authorization", value: "Bearer \(token)")])
  }
}
