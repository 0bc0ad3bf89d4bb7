/// How a client proves who it is at the token endpoint (RFC 6749, section 2.3); the raw value is the registered name
/// (RFC 7591, section 2).
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
  /// The certificate of the TLS connection (RFC 8705, section 2); a self-signed one goes the same way.
  case tls = "tls_client_auth"

  /// Whether the client has a secret.
  package var needsSecret: Bool { [.basic, .post, .secretJWT].contains(self) }

  /// Whether what the client shows has a time in it.
  var isDated: Bool { self == .secretJWT || self == .privateKeyJWT }
}

/// How `client_secret_basic` encodes name and secret before they are joined: three ways are in the field.
package enum BasicEncoding: String, Sendable, CaseIterable {
  /// Percent-encoding, a space as `%20`: equal to the RFC's form but for the space, and understood by the most.
  case percent
  /// The form encoding of RFC 6749, section 2.3.1, a space as `+`.
  case form
  /// As they are.
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
