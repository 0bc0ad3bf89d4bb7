/// A successful response from a token endpoint (RFC 6749, section 5.1), parsed leniently.
public struct TokenResponse: Sendable, Equatable {
  /// `access_token`
  public var accessToken: Secret
  /// `refresh_token`
  public var refreshToken: Secret?
  /// `token_type`; `Bearer` if the server sends none.
  public var tokenType: String
  /// `expires_in`, in seconds: a number or a string; nil if it is missing or not positive.
  public var expiresIn: Double?
  /// `refresh_expires_in` or `refresh_token_expires_in`, in seconds, which several servers send in addition to the
  /// RFC's members.
  public var refreshExpiresIn: Double?
  /// `scope`: the granted scope; nil if the server sends none. Malformed words are omitted (RFC 6749, section 3.3).
  public var scope: [String]?
  /// `issued_token_type` (RFC 8693, section 2.2.1): the type of token that a token exchange issued.
  public var issuedTokenType: String?
  /// `id_token` (OpenID Connect Core, section 3.1.3.3).
  public var idToken: Secret?
  /// The logged-in user; nil if the response does not state one, in which case `sub` of the ID token is used.
  public var subject: String?

  /// The reason why a document is not a token response; never quotes it.
  public struct Malformed: Error, Sendable, Equatable {
    /// The reason in words.
    public let reason: String
  }

  /// Creates a response from its parts.
  public init(
    accessToken: Secret, refreshToken: Secret? = nil, tokenType: String = "Bearer", expiresIn: Double? = nil,
    refreshExpiresIn: Double? = nil, scope: [String]? = nil, idToken: Secret? = nil,
    subject: String? = nil
  ) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.tokenType = tokenType
    self.expiresIn = expiresIn
    self.refreshExpiresIn = refreshExpiresIn
    self.scope = scope
    self.idToken = idToken
    self.subject = subject
  }

  /// Reads the JSON object of a token endpoint.
  ///
  /// - Throws: ``Malformed`` if there is no usable `access_token`.
  public init(_ document: JSONValue) throws(Malformed) {
    guard case .object = document else { throw Malformed(reason: "the response is not a JSON object") }
    guard let accessToken = try TokenResponse.token("access_token", document["access_token"]) else {
      throw Malformed(reason: "the response has no access_token")
    }
    self.accessToken = accessToken
    refreshToken = try TokenResponse.token("refresh_token", document["refresh_token"])
    idToken = try TokenResponse.token("id_token", document["id_token"])
    issuedTokenType = document["issued_token_type"]?.string
    tokenType = document["token_type"]?.string ?? "Bearer"
    expiresIn = TokenResponse.seconds(document["expires_in"])
    refreshExpiresIn = TokenResponse.seconds(document["refresh_expires_in"] ?? document["refresh_token_expires_in"])
    scope = document["scope"]?.strings?.flatMap(\.scopeWords)
  }

  /// Returns the response with the refresh token's lifetime that a profile states, if the server sent none.
  ///
  /// - Parameter former: the refresh token before this response; if it is unchanged, its lifetime does not start again.
  func stating(refreshTokenLifetime lifetime: Duration?, after former: Secret? = nil) -> TokenResponse {
    guard refreshExpiresIn == nil, let refreshToken, refreshToken != former else { return self }
    var response = self
    response.refreshExpiresIn = lifetime?.seconds
    return response
  }

  /// Reads a token, which must be visible ASCII or spaces (RFC 6749, appendix A.12): other characters could change the
  /// header field.
  static func token(_ name: String, _ value: JSONValue?) throws(Malformed) -> Secret? {
    guard let value else { return nil }
    guard let text = value.string else { throw Malformed(reason: "\(name) is not a string") }
    guard !text.isEmpty else { return nil }
    guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw Malformed(reason: "\(name) contains characters that no token has")
    }
    return Secret(text)
  }

  /// Reads a lifetime in seconds, a number or a string; nil if it is missing, not a number, or not positive.
  static func seconds(_ value: JSONValue?) -> Double? {
    value?.lenientNumber.flatMap { $0 > 0 ? min($0, 1e10) : nil }
  }
}

extension TokenResponse {
  /// Reads the tokens from a document at the locations that a profile states.
  ///
  /// - Throws: ``Malformed`` if there is no usable access token; it lists the members of the document.
  init(_ document: JSONValue, at pointers: ResponsePointers) throws(Malformed) {
    func value(_ pointers: [JSONPointer]) -> JSONValue? { ResponsePointers.first(pointers, in: document) }
    guard let accessToken = try TokenResponse.token("the access token", value(pointers.accessToken)) else {
      let places = pointers.accessToken.map(\.description).joined(separator: ", ")
      throw Malformed(reason: "no access token at \(places); \(document.outline)")
    }
    self.init(
      accessToken: accessToken,
      refreshToken: try TokenResponse.token("the refresh token", value(pointers.refreshToken)),
      expiresIn: TokenResponse.seconds(value(pointers.expiresIn)),
      refreshExpiresIn: TokenResponse.seconds(value(pointers.refreshExpiresIn)),
      subject: TokenResponse.subject(value(pointers.subject)))
  }

  private static func subject(_ value: JSONValue?) -> String? {
    switch value {
    case .string(let text): text.isEmpty ? nil : text
    case .integer(let number): String(number)
    default: nil
    }
  }
}

extension JSONValue {
  /// The members of a document as JSON Pointers with their types, for a message. It never contains a value.
  var outline: String {
    guard case .object = self else { return "the response is \(typeName)" }
    let lines = outline(below: "", depth: 0)
    guard !lines.isEmpty else { return "the response has no members" }
    let more = lines.count > JSONValue.longestOutline ? ", …" : ""
    return "the response has " + lines.prefix(JSONValue.longestOutline).joined(separator: ", ") + more
  }

  private static let longestOutline = 20

  private func outline(below path: String, depth: Int) -> [String] {
    guard case .object(let members) = self, depth < 3, !members.isEmpty else {
      return path.isEmpty ? [] : ["\(path) (\(typeName))"]
    }
    // Sorted: the order of a dictionary differs from run to run. Truncated before sorting, because a server may send
    // thousands.
    return members.prefix(100).sorted { $0.key < $1.key }.flatMap { name, value in
      value.outline(below: path + "/" + JSONPointer.escape(Escaped.text(name, limit: 40)), depth: depth + 1)
    }
  }

  private var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .integer, .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}
