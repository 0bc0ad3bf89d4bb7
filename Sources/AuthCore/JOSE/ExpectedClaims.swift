import Crypto
package import FoundationEssentials

/// A claim that differs from what the user of a token expects.
package struct ClaimFinding: Sendable, Equatable {
  /// The claim's name.
  package let claim: String
  /// The difference, as a clause with the claim as its subject.
  package let message: String

  /// Creates a finding.
  package init(_ claim: String, _ message: String) {
    self.claim = claim
    self.message = message
  }
}

/// Compares the claims of a token with the settings and the session with which it is used.
///
/// It explains a token to a person. ``IDTokenCheck`` decides whether a login may use an ID token.
package struct ExpectedClaims: Sendable {
  /// The issuer; nil if none is expected.
  package var issuer: String?
  /// The client; nil if it is unknown.
  package var clientID: String?
  /// The audiences that the token is requested for (`audience`, `resource`).
  package var audience: [String] = []
  /// The URLs to which the token is sent.
  package var api: [WebURL] = []
  /// The requested scope.
  package var scope: [String] = []
  /// The scope that the token response has granted; nil if it is unknown.
  package var granted: [String]?
  /// The logged-in user; nil if unknown.
  package var subject: String?
  /// The thumbprint of the session's key; nil if the token was not issued to a session with a key.
  package var keyThumbprint: String?
  /// Whether the token is sent with a proof of possession (RFC 9449); nil if its sender is unknown.
  package var sendsProofs: Bool?
  /// The thumbprint of the client's certificate; nil if the client has none.
  package var certificateThumbprint: String?
  /// The current time, by the server's clock if it is known.
  package var now: Date

  /// Scopes that concern the ID token, the user info and the refresh token; an access token need not have them (OpenID
  /// Connect Core, sections 3.1.2.1, 5.4 and 11).
  private static let openIDScopes: Set<String> = ["openid", "profile", "email", "address", "phone", "offline_access"]

  /// Creates a check that expects nothing yet.
  package init(now: Date) { self.now = now }

  /// Returns the differences of a token.
  ///
  /// - Parameters:
  ///   - claims: nil for a token that can't be read.
  ///   - expiresIn: seconds until it expires; nil if unknown.
  package func findings(_ kind: TokenKind, _ claims: JSONValue?, expiresIn: Double?) -> [ClaimFinding] {
    // An ID token is used once, at the login: it is usual that it has expired since.
    let expiry = kind == .id ? nil : expired(expiresIn)
    guard kind != .refresh else { return [expiry].compactMap { $0 } }
    let claims = claims ?? .object([:])
    let common = [issuerFinding(claims), audienceFinding(kind, claims)] + partyFindings(claims)
    let special = kind == .id ? [subjectFinding(claims)] : [scopeFinding(claims)] + keyFindings(claims)
    return ([expiry] + common + special + timeFindings(claims)).compactMap { $0 }
  }

  private func expired(_ expiresIn: Double?) -> ClaimFinding? {
    guard let expiresIn, expiresIn <= 0 else { return nil }
    return ClaimFinding("exp", "the token has expired \(DurationText.describe(since: expiresIn)) ago")
  }

  private func timeFindings(_ claims: JSONValue) -> [ClaimFinding?] {
    [("nbf", "the token is not valid yet, for another"), ("iat", "the token is from the future, by")].map {
      name, words in
      guard let time = claims[name]?.lenientNumber else { return nil }
      let ahead = time - now.timeIntervalSince1970
      guard ahead > IDTokenCheck.leeway else { return nil }
      return ClaimFinding(name, "\(words) \(DurationText.describe(ahead)): check this machine's clock")
    }
  }

  private func issuerFinding(_ claims: JSONValue) -> ClaimFinding? {
    guard let issuer, let stated = claims["iss"]?.string, stated != issuer else { return nil }
    return ClaimFinding("iss", "iss is \(shown(stated)); this profile's issuer is \(shown(issuer))")
  }

  private func audienceFinding(_ kind: TokenKind, _ claims: JSONValue) -> ClaimFinding? {
    guard let stated = claims["aud"]?.strings, !stated.isEmpty else { return nil }
    let words = shown(stated.joined(separator: ", "))
    guard kind == .access else {
      guard let clientID, !stated.contains(clientID) else { return nil }
      return ClaimFinding("aud", "aud is \(words); this profile's client is \(shown(clientID))")
    }
    let expected = audience + api.map(\.origin.string)
    guard !expected.isEmpty, !stated.contains(where: fits) else { return nil }
    // A name that is not a URI, such as Keycloak's `account`, may be that of any API. An ID token has the client's.
    guard !audience.isEmpty || stated.allSatisfy({ $0.contains(bytes: "://") || $0 == clientID }) else { return nil }
    let purpose = audience.isEmpty ? "calls" : "requests it for"
    let names = audience.isEmpty ? api.map { $0.origin.string + $0.folder } : audience
    return ClaimFinding("aud", "aud is \(words); this profile \(purpose) \(shown(names.joined(separator: ", ")))")
  }

  /// Whether an audience is a requested one or has the origin of an API.
  private func fits(_ audience: String) -> Bool {
    if self.audience.contains(where: { $0 == audience }) { return true }
    // An audience that is not a URL, such as `api://a`, has no origin.
    guard let url = try? WebURL(audience) else { return false }
    return api.contains { $0.origin == url.origin }
  }

  /// Compares the client, under the names of RFC 9068, OpenID Connect and common servers.
  private func partyFindings(_ claims: JSONValue) -> [ClaimFinding?] {
    ["azp", "client_id", "appid", "cid"].map { name in
      guard let clientID, let stated = claims[name]?.string, stated != clientID else { return nil }
      return ClaimFinding(name, "\(name) is \(shown(stated)); this profile's client is \(shown(clientID))")
    }
  }

  private func subjectFinding(_ claims: JSONValue) -> ClaimFinding? {
    guard let subject, let stated = claims["sub"]?.string, stated != subject else { return nil }
    return ClaimFinding("sub", "sub is \(shown(stated)); this session's user is \(shown(subject))")
  }

  /// Returns the scope of an access token: `scope` (RFC 9068, section 2.2.3) or `scp` in its claims, else the scope of
  /// the token response; nil if it is unknown.
  package func heldScope(_ claims: JSONValue?) -> [String]? {
    let own = (claims?["scope"] ?? claims?["scp"])?.strings
    return own.map { $0.flatMap(\.scopeWords) } ?? granted
  }

  private func scopeFinding(_ claims: JSONValue) -> ClaimFinding? {
    let name = claims["scope"] == nil && claims["scp"] != nil ? "scp" : "scope"
    guard let held = heldScope(claims) else { return nil }
    let missing = scope.filter { !held.contains($0) && !ExpectedClaims.openIDScopes.contains($0) }
    guard !missing.isEmpty else { return nil }
    return ClaimFinding(name, "\(name) lacks \(shown(missing.joined(separator: " "))), which this profile requests")
  }

  /// Compares the key or certificate to which the token is bound (RFC 7800, section 3.1).
  private func keyFindings(_ claims: JSONValue) -> [ClaimFinding?] {
    let key = claims["cnf"]?["jkt"]?.string
    let certificate = claims["cnf"]?["x5t#S256"]?.string
    return [key.map(keyFinding) ?? unboundFinding(claims), certificate.map(certificateFinding) ?? nil]
  }

  private func unboundFinding(_ claims: JSONValue) -> ClaimFinding? {
    guard sendsProofs == true, keyThumbprint != nil, claims != .object([:]) else { return nil }
    return ClaimFinding("cnf", "cnf.jkt is missing, although the token type is DPoP (RFC 9449, section 6.1)")
  }

  private func keyFinding(_ stated: String) -> ClaimFinding? {
    if let keyThumbprint, keyThumbprint != stated {
      return ClaimFinding("cnf", "cnf.jkt is \(shown(stated)); this session's key is \(keyThumbprint)")
    }
    guard sendsProofs == false else { return nil }
    return ClaimFinding("cnf", "cnf binds the token to a DPoP key (RFC 9449); this profile sends no proof of it")
  }

  private func certificateFinding(_ stated: String) -> ClaimFinding? {
    guard sendsProofs != nil else { return nil }
    guard let certificateThumbprint else {
      return ClaimFinding("cnf", "cnf binds the token to a client certificate (RFC 8705); this profile has none")
    }
    guard certificateThumbprint != stated else { return nil }
    return ClaimFinding(
      "cnf", "cnf.x5t#S256 is \(shown(stated)); this profile's certificate is \(certificateThumbprint)")
  }

  private func shown(_ text: String) -> String { Escaped.text(text, limit: 160) }
}

/// The SHA-256 thumbprint of a certificate (`x5t#S256`), to which a token can be bound (RFC 8705, section 3.1).
package enum CertificateThumbprint {
  /// Returns the thumbprint of the first certificate in a PEM text; nil if there is none.
  package static func first(inPEM text: String) -> String? {
    let begin = "-----BEGIN CERTIFICATE-----"
    let lines = text.split(atAny: "\r\n").drop { $0 != begin }.dropFirst()
    let encoded = lines.prefix { !$0.starts(withBytes: "-----") }.joined()
    guard let bytes = Data(base64Encoded: encoded), !bytes.isEmpty else { return nil }
    return Base64URL.encode(SHA256.hash(data: bytes))
  }
}
