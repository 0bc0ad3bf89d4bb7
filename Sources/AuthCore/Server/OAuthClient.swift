import FoundationEssentials
import HTTPTypes

/// A client registered at an authorization server (RFC 6749, section 2).
struct OAuthClient: Sendable {
  var clientID: String
  var authentication: ClientAuthentication
  let basicEncoding: BasicEncoding
  /// The client's secret, or its private key for `private_key_jwt`; nil for a client that has neither.
  let secret: Secret?
  /// Creates the assertions for `client_secret_jwt` and `private_key_jwt`.
  var assertions: AssertionIssuer?

  /// `client_assertion_type` (RFC 7523, section 2.2)
  static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

  /// Adds the client's authentication to a request (RFC 6749, section 2.3.1). An assertion is created for this request
  /// only: a caller that retries the request calls this method again.
  ///
  /// - Parameter endpoint: the target of the request.
  /// - Throws: ``AuthError/usage(_:)`` if the client's key cannot sign.
  func authenticate(
    _ form: inout [(name: String, value: String)], _ fields: inout HTTPFields, at endpoint: WebURL
  ) async throws(AuthError) {
    switch authentication {
    case .none, .tls:
      form.append(("client_id", clientID))
    case .secretJWT, .privateKeyJWT:
      form.append(("client_id", clientID))
      form.append(("client_assertion_type", OAuthClient.assertionType))
      form.append(("client_assertion", try await assertion(at: endpoint).exposed))
    case .post:
      form.append(("client_id", clientID))
      form.append(("client_secret", secret?.exposed ?? ""))
    case .basic:
      let pair = basicEncoding.encode(clientID) + ":" + basicEncoding.encode(secret?.exposed ?? "")
      fields[.authorization] = "Basic " + Data(pair.utf8).base64EncodedString()
    }
  }

  private func assertion(at endpoint: WebURL) async throws(AuthError) -> Secret {
    guard let assertions, let secret else {
      throw .failed("the client's assertion", why: "there is no key for it", hint: "report this as a bug")
    }
    let claims = AssertionIssuer.Claims(issuer: clientID, subject: clientID, endpoint: endpoint)
    guard authentication == .privateKeyJWT else { return try await assertions.assertion(claims, secret: secret) }
    return try await assertions.assertion(claims, key: secret, named: "the client's private key")
  }

  private var basicHint: String {
    let post = "client_authentication = \"client_secret_post\""
    if basicEncoding == .raw, secret?.exposed.contains(bytes: ":") == true {
      return "some servers cut a raw secret off at its ':': try \(post)"
    }
    let others = BasicEncoding.allCases.filter { $0 != basicEncoding }.map { "\"\($0.rawValue)\"" }
    return "if the secret has special characters, try \(post), or basic_encoding = "
      + others.joined(separator: " or ")
  }

  /// The hint if the server refuses the client.
  var hint: String {
    switch authentication {
    case .secretJWT:
      "check client_id and the client secret; the server may require another assertion_algorithm, or"
        + " assertion_audience = \"endpoint\""
    case .privateKeyJWT:
      "check client_id, and that the server knows the key's public half (by its assertion_key_id); it may require"
        + " another assertion_algorithm, or assertion_audience = \"endpoint\""
    case .tls: "check client_id, and that the server knows the certificate of client_certificate in [network]"
    case .none: "check client_id; a client with a secret needs client_authentication in the profile"
    case .post: "check client_id and the client secret; the server may require client_secret_basic"
    case .basic:
      "check client_id and the client secret; " + basicHint
    }
  }
}
