/// The authorization response at the redirect URI (RFC 6749, section 4.1.2; RFC 9207).
public enum AuthorizationResponse: Sendable, Equatable {
  /// An authorization code to exchange for tokens.
  case code(Secret)
  /// The server's error; `access_denied` if the user refused.
  case error(ErrorResponse)

  /// The reason why a request to the redirect URI is not the expected response.
  public enum Invalid: Error, Sendable, Equatable {
    /// It has neither `code` nor `error`. The error is in the fragment, which is never sent, or the request is
    /// unrelated.
    case empty
    /// `state` differs from the one that was sent: the response belongs to another login.
    case wrongState
    /// It has no `state`: anyone can have sent it. The server's error, escaped, if it has one.
    case missingState(error: String?)
    /// A parameter occurs more than once (RFC 6749, section 3.1).
    case repeated(String)
    /// `iss` differs from the expected issuer, or is missing although the server's metadata promises it.
    case wrongIssuer(String?)
  }

  /// Reads the fields of a redirect.
  ///
  /// - Parameters:
  ///   - fields: the fields of the query, or of the form if the server used `response_mode=form_post`.
  ///   - state: the state in the request.
  ///   - issuer: the server's identifier; nil if it is unknown.
  ///   - demandsIssuer: whether the server's metadata promises `iss` (RFC 9207, section 2.4).
  public init(
    _ fields: [(name: String, value: String)], state: String, issuer: String?, demandsIssuer: Bool
  ) throws(Invalid) {
    func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }
    let code = field("code").flatMap { $0.isEmpty ? nil : $0 }
    let error = field("error").flatMap { $0.isEmpty ? nil : $0 }
    guard code != nil || error != nil else { throw .empty }
    let states = fields.filter { $0.name == "state" && !$0.value.isEmpty }.map(\.value)
    guard !states.isEmpty else { throw .missingState(error: error.map { Escaped.text($0, limit: 80) }) }
    guard states.contains(state) else { throw .wrongState }
    for name in ["state", "code", "error", "iss"] where fields.count(where: { $0.name == name }) > 1 {
      throw .repeated(name)
    }
    let iss = field("iss")
    if let issuer, iss.map({ $0 != issuer }) ?? (demandsIssuer && error == nil) {
      throw .wrongIssuer(iss.map { WebURL.shown($0) })
    }
    if let error {
      self = .error(
        ErrorResponse(
          error: Escaped.text(error, limit: 80),
          errorDescription: field("error_description").map { Escaped.text(SecretText.redacted($0)) }))
    } else {
      self = .code(Secret(code ?? ""))
    }
  }
}
