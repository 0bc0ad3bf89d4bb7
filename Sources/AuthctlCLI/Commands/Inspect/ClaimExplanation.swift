import AuthCore

/// The explanations of the registered header parameters and claims, in the order in which claims are shown.
enum ClaimExplanation {
  /// The claims as a list of the manual.
  static var markup: String { claims.map { "- `\($0.name)`: \($0.text)." }.joined(separator: "\n") }

  /// The parameters of a header.
  static let header: [(name: String, text: String)] = [
    ("alg", "the algorithm of the signature or encryption (RFC 7515, section 4.1.1)"),
    ("typ", "the type of the token; at+jwt is an access token (RFC 9068, section 2.1)"),
    ("kid", "the key that made the signature, by its name in the server's key set (RFC 7515, section 4.1.4)"),
    ("cty", "the type of the content (RFC 7515, section 4.1.10)"),
    ("enc", "the algorithm that encrypts the content (RFC 7516, section 4.1.2)"),
    ("crit", "the extensions that a reader must understand (RFC 7515, section 4.1.11)"),
    ("jku", "an address of keys; not used here, because the token's sender chooses it (RFC 7515, section 4.1.2)"),
    ("jwk", "a public key; not used here, because the token's sender chooses it (RFC 7515, section 4.1.3)"),
    ("x5t", "the SHA-1 thumbprint of the signer's certificate (RFC 7515, section 4.1.7)"),
    ("x5t#S256", "the SHA-256 thumbprint of the signer's certificate (RFC 7515, section 4.1.8)"),
    ("x5c", "the signer's certificates (RFC 7515, section 4.1.6)"),
  ]

  /// The claims.
  static let claims: [(name: String, text: String)] = [
    ("active", "whether the server still accepts the token (RFC 7662, section 2.2)"),
    ("iss", "the issuer: the server that issued the token (RFC 7519, section 4.1.1)"),
    ("sub", "the subject: the user, or the client itself (RFC 7519, section 4.1.2)"),
    ("aud", "the audience: who may accept the token; others must refuse it (RFC 7519, section 4.1.3)"),
    ("azp", "the authorized party: the client to which the token was issued (OpenID Connect Core, section 2)"),
    ("client_id", "the client to which the token was issued (RFC 8693, section 4.3)"),
    ("scope", "what the token permits, as words (RFC 8693, section 4.2)"),
    ("exp", "the expiry: from this time on the token must be refused (RFC 7519, section 4.1.4)"),
    ("nbf", "not before: until this time the token must be refused (RFC 7519, section 4.1.5)"),
    ("iat", "issued at (RFC 7519, section 4.1.6)"),
    ("jti", "the identifier of the token (RFC 7519, section 4.1.7)"),
    ("cnf", "the key or certificate that the sender must prove to have (RFC 7800, RFC 8705, RFC 9449)"),
    ("act", "the party that acts for the subject (RFC 8693, section 4.1)"),
    ("may_act", "the party that may act for the subject (RFC 8693, section 4.4)"),
    ("authorization_details", "what the token permits, in detail (RFC 9396, section 9.1)"),
    ("groups", "the groups of the subject (RFC 9068, section 2.2.3.1)"),
    ("roles", "the roles of the subject (RFC 9068, section 2.2.3.1)"),
    ("entitlements", "the entitlements of the subject (RFC 9068, section 2.2.3.1)"),
    ("token_type", "the type of the access token (RFC 7662, section 2.2)"),
    ("username", "the name of the user (RFC 7662, section 2.2)"),
    ("auth_time", "when the user logged in (OpenID Connect Core, section 2)"),
    ("nonce", "binds the ID token to the login request (OpenID Connect Core, section 2)"),
    ("acr", "the level of the login (OpenID Connect Core, section 2; RFC 9470)"),
    ("amr", "the methods of the login, such as pwd and otp (RFC 8176)"),
    ("at_hash", "the hash of the access token of the same response (OpenID Connect Core, section 3.1.3.6)"),
    ("c_hash", "the hash of the authorization code (OpenID Connect Core, section 3.3.2.11)"),
    ("sid", "the user's session at the server (OpenID Connect Front-Channel Logout, section 3)"),
    ("name", "the full name of the user (OpenID Connect Core, section 5.1)"),
    ("given_name", "the given names of the user (OpenID Connect Core, section 5.1)"),
    ("family_name", "the family names of the user (OpenID Connect Core, section 5.1)"),
    ("middle_name", "the middle names of the user (OpenID Connect Core, section 5.1)"),
    ("nickname", "the casual name of the user (OpenID Connect Core, section 5.1)"),
    ("preferred_username", "the name the user wants to be called by; it can change (OpenID Connect Core, section 5.1)"),
    ("profile", "the address of the user's profile page (OpenID Connect Core, section 5.1)"),
    ("picture", "the address of the user's picture (OpenID Connect Core, section 5.1)"),
    ("website", "the address of the user's website (OpenID Connect Core, section 5.1)"),
    ("email", "the email address of the user; it can change (OpenID Connect Core, section 5.1)"),
    ("email_verified", "whether the server has verified the email address (OpenID Connect Core, section 5.1)"),
    ("gender", "the gender of the user (OpenID Connect Core, section 5.1)"),
    ("birthdate", "the birthday of the user (OpenID Connect Core, section 5.1)"),
    ("zoneinfo", "the time zone of the user (OpenID Connect Core, section 5.1)"),
    ("locale", "the language and region of the user (OpenID Connect Core, section 5.1)"),
    ("phone_number", "the telephone number of the user (OpenID Connect Core, section 5.1)"),
    ("phone_number_verified", "whether the server has verified the number (OpenID Connect Core, section 5.1)"),
    ("address", "the postal address of the user (OpenID Connect Core, section 5.1)"),
    ("updated_at", "when the user's claims were last changed (OpenID Connect Core, section 5.1)"),
  ]

  /// The claims whose values are times, in seconds since 1970.
  static let times: Set<String> = ["exp", "nbf", "iat", "auth_time", "updated_at"]

  /// Returns the names of members in the order of a list; those that are not in it follow, sorted.
  static func sorted(_ names: some Sequence<String>, as list: [(name: String, text: String)]) -> [String] {
    let places = Dictionary(uniqueKeysWithValues: list.enumerated().map { ($0.element.name, $0.offset) })
    return names.sorted { (places[$0] ?? .max, $0) < (places[$1] ?? .max, $1) }
  }

  /// Returns the explanation of a member; nil if it is not registered.
  static func text(of name: String, in list: [(name: String, text: String)]) -> String? {
    list.first { $0.name == name }?.text
  }
}
