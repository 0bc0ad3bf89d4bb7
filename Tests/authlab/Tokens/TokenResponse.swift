/// What a grant has brought (RFC 6749, section 5.1).
struct TokenResponse: Sendable {
  /// `access_token`.
  let accessToken: String
  /// The life of the access token, in seconds.
  let lifetime: Double
  /// `refresh_token`.
  let refreshToken: String?
  /// `scope`.
  let scope: [String]
  /// `id_token` (OpenID Connect Core, section 3.1.3.3).
  let idToken: String?
  /// Whether the access token is bound to a key (RFC 9449, section 5).
  var isBound = false
  /// `issued_token_type` (RFC 8693, section 2.2.1).
  var issuedTokenType: String?
  /// `token_type`, where it is not that of the settings.
  var tokenType: String?

  /// The answer in the shape that the settings ask for.
  func json(_ settings: Settings) -> JSONValue {
    var json: JSONValue = ["access_token": .string(accessToken)]
    let type = isBound ? "DPoP" : tokenType ?? settings.tokenType
    if !type.isEmpty { json = json.adding("token_type", .string(type)) }
    if let issuedTokenType { json = json.adding("issued_token_type", .string(issuedTokenType)) }
    let seconds = settings.announcedLifetime > 0 ? settings.announcedLifetime : lifetime
    let whole = Int(seconds.rounded(.down))
    switch settings.expiresIn {
    case .number: json = json.adding("expires_in", .integer(whole))
    case .string: json = json.adding("expires_in", .string("\(whole)"))
    case .float: json = json.adding("expires_in", .number(seconds))
    case .absent: break
    }
    if let refreshToken { json = json.adding("refresh_token", .string(refreshToken)) }
    if settings.scopeInResponse { json = json.adding("scope", .string(scope.joined(separator: " "))) }
    if let idToken { json = json.adding("id_token", .string(idToken)) }
    return json
  }
}
