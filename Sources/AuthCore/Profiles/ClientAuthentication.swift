/// The method with which a client authenticates at the token endpoint (RFC 6749, section 2.3). The raw value is the
/// registered name (RFC 7591, section 2).
package enum ClientAuthentication: String, Sendable, CaseIterable {
  /// A public client: `client_id` only.
  case none
  /// HTTP Basic with the client's secret.
  case basic = "client_secret_basic"
  /// The client's secret as a form field.
  case post = "client_secret_post"
  /// An assertion signed with the client's secret (OpenID Connect Core, section 9).
  case secretJWT = "client_secret_jwt"
  /// An assertion signed with the client's private key (RFC 7523, section 2.2; OpenID Connect Core, section 9).
  case privateKeyJWT = "private_key_jwt"
  /// The certificate of the TLS connection (RFC 8705, section 2), which may be self-signed.
  case tls = "tls_client_auth"

  /// Whether the client has a secret.
  package var needsSecret: Bool { [.basic, .post, .secretJWT].contains(self) }

  /// Whether the authentication contains a time.
  var isDated: Bool { self == .secretJWT || self == .privateKeyJWT }
}

/// The encoding of name and secret in `client_secret_basic` before they are joined; servers use three variants.
package enum BasicEncoding: String, Sendable, CaseIterable {
  /// Percent-encoding: differs from the RFC's form only in the space (`%20`), and is accepted by most servers.
  case percent
  /// The form encoding of RFC 6749, section 2.3.1, with a space as `+`.
  case form
  /// No encoding.
  case raw

  /// Encodes a client identifier or secret.
  func encode(_ text: String) -> String {
    switch self {
    case .percent: FormEncoding.percentEncode(text)
    case .form: FormEncoding.encode(text)
    case .raw: text
    }
  }
}
