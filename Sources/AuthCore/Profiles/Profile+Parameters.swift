extension Profile {
  /// Reads the further fields of the requests.
  ///
  /// - Throws: ``AuthError/usage(_:)`` also for a field that the request has already: sent twice it would be an error
  ///   (RFC 6749, section 3.1), and sent instead of ours it would undo what protects the login.
  mutating func readParameters(_ table: ProfileTable) throws(AuthError) {
    parameters.authorization = try fields(
      of: "authorization", in: table,
      ours: [
        "response_type", "client_id", "redirect_uri", "state", "nonce", "code_challenge", "code_challenge_method",
        "request", "request_uri",
      ], settings: ["scope", "audience", "resource"])
    parameters.token = try fields(
      of: "token", in: table, ours: Profile.tokenFields, settings: ["scope", "audience", "resource"])
    // A renewal asks for no scope and no audience of itself.
    parameters.refresh = try fields(of: "refresh", in: table, ours: Profile.tokenFields, settings: ["resource"])
    parameters.assertion = try fields(
      of: "assertion", in: table, ours: ["iat", "exp", "nbf", "jti"], settings: [])
    try table.refuseTheRest()
  }

  private static let tokenFields = [
    "grant_type", "client_id", "client_secret", "client_assertion", "client_assertion_type", "code", "code_verifier",
    "redirect_uri", "refresh_token", "username", "password", "assertion", "device_code", "subject_token",
    "subject_token_type", "actor_token", "actor_token_type",
  ]

  /// - Parameters:
  ///   - ours: what the request always has, or must never have.
  ///   - settings: the keys of the profile that put a field of their name into the request.
  private func fields(
    of request: String, in table: ProfileTable, ours: [String], settings: [String]
  ) throws(AuthError) -> [String: String] {
    let inner = try table.table(request)
    let fields = try inner.allStrings()
    for name in fields.keys.sorted() {
      if ours.contains(name) {
        throw inner.error(
          name, "'\(name)' can't be set in [parameters] \(request)",
          hint: "remove it: the right value is sent automatically")
      }
      if settings.contains(name), isSet(name) {
        throw inner.error(
          name, "'\(name)' of [parameters] \(request) is set already, by the key '\(name)'", hint: "set one of them")
      }
    }
    return fields
  }

  private func isSet(_ key: String) -> Bool {
    switch key {
    case "scope": !scope.isEmpty
    case "audience": audience != nil
    default: !resource.isEmpty
    }
  }
}
