/// An error of the authorization server (RFC 6749, sections 4.1.2.1 and 5.2).
struct OAuthError: Error {
  /// The error code, such as `invalid_grant`.
  let code: String
  /// `error_description`.
  let description: String
  /// The status at the token endpoint: 401 for `invalid_client`, 500 for `server_error`, else 400.
  var status: Int { code == "invalid_client" ? 401 : code == "server_error" ? 500 : 400 }
  /// Whether a refresh token was refused, which some servers answer without a body.
  var isDeadRefreshToken = false

  /// Makes an error.
  init(_ code: String, _ description: String) {
    self.code = code
    self.description = description
  }

  /// The refusal of a refresh token.
  static func deadRefreshToken(_ description: String) -> OAuthError {
    var error = OAuthError("invalid_grant", description)
    error.isDeadRefreshToken = true
    return error
  }

  /// The JSON object of section 5.2.
  var json: JSONValue {
    ["error": .string(code), "error_description": .string(description)]
  }
}
