/// The authorization request that a browser sends to the authorization endpoint (RFC 6749, section 4.1.1).
public struct AuthorizationRequest: Sendable {
  /// The URL to open in the browser.
  public private(set) var url: WebURL
  /// The fields of the request, sent in the URL or pushed.
  package let fields: [(name: String, value: String)]
  /// `redirect_uri`, which is repeated in the token request.
  package let redirectURI: String
  /// `state`: binds the response to this request.
  let state: String
  /// `nonce`: binds the ID token to this request; several servers require it if `openid` is requested.
  let nonce: String
  let pkce: PKCE
  /// `code_challenge` for the method `S256` (RFC 7636, section 4.2).
  package var codeChallenge: String { pkce.codeChallenge }
  /// The authorization endpoint.
  package let endpoint: WebURL
  /// Whether the URL refers to a pushed request (RFC 9126), which the server has accepted.
  package private(set) var isPushed = false

  /// Creates the request for a profile.
  ///
  /// - Parameters:
  ///   - endpoint: the authorization endpoint.
  ///   - redirectURI: the loopback URI with the port of the listener.
  ///   - dpopThumbprint: the thumbprint of the key to which the code is bound (RFC 9449, section 10); nil if it is not
  ///     bound.
  package init(
    _ profile: Profile, endpoint: WebURL, redirectURI: String, dpopThumbprint: String? = nil, random: RandomText
  ) {
    self.redirectURI = redirectURI
    self.endpoint = endpoint
    state = random()
    nonce = random()
    pkce = PKCE(random: random)
    var fields: [(name: String, value: String)] = [
      ("response_type", "code"), ("client_id", profile.clientID), ("redirect_uri", redirectURI),
    ]
    if !profile.scope.isEmpty { fields.append(("scope", profile.scope.joined(separator: " "))) }
    fields += [
      ("state", state), ("nonce", nonce), ("code_challenge", pkce.codeChallenge), ("code_challenge_method", "S256"),
    ]
    if let dpopThumbprint { fields.append(("dpop_jkt", dpopThumbprint)) }
    if let audience = profile.audience { fields.append(("audience", audience)) }
    fields += profile.resource.map { ("resource", $0) }
    if let prompt = profile.prompt, !prompt.isEmpty, profile.parameters.authorization["prompt"] == nil {
      fields.append(("prompt", prompt))
    }
    fields += Profile.Parameters.fields(profile.parameters.authorization)
    self.fields = fields
    url = endpoint.appendingQuery(fields)
  }

  /// Returns the request with a reference to the pushed request in place of its fields (RFC 9126, section 4).
  func referred(to requestURI: String, clientID: String) -> AuthorizationRequest {
    var request = self
    // Some servers want the response type beside the reference (OpenID Connect Core, section 6.2).
    request.url = endpoint.appendingQuery([
      ("client_id", clientID), ("response_type", "code"), ("request_uri", requestURI),
    ])
    request.isPushed = true
    return request
  }
}
