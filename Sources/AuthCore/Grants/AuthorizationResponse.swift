/// What comes back on the redirect URI (RFC 6749, section 4.1.2; RFC 9207).
public enum AuthorizationResponse: Sendable, Equatable {
  /// A code to exchange.
  case code(Secret)
  /// The server's error; `access_denied` when the person said no.
  case error(ErrorResponse)

  /// Why a hit on the redirect URI is not the response that is waited for.
  public enum Invalid: Error, Sendable, Equatable {
    /// It has neither `code` nor `error`: an error in the fragment, which no server ever sees, or a stray hit.
    case empty
    /// `state` is not the one that was sent: somebody else's answer.
    case wrongState
    /// `iss` is not the server that was asked, or is missing although the server promises it.
    case wrongIssuer(String?)
  }

  /// Reads the fields of a redirect.
  ///
  /// - Parameters:
  ///   - fields: of the query, or of the form where the server used `response_mode=form_post`.
  ///   - state: what the request sent.
  ///   - issuer: the server's identifier, where it is known.
  ///   - demandsIssuer: whether the server's metadata promises `iss` (RFC 9207, section 2.4).
  public init(
    _ fields: [(name: String, value: String)], state: String, issuer: String?, demandsIssuer: Bool
  ) throws(Invalid) {
    func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }
    let code = field("code").flatMap { $0.isEmpty ? nil : $0 }
    let error = field("error").flatMap { $0.isEmpty ? nil : $0 }
    guard code != nil || error != nil else { throw .empty }
    // A refusal without any `state` is believed: several servers send none, and all it can do is end this login.
    if field("state") != state, error == nil || field("state") != nil { throw .wrongState }
    let iss = field("iss")
    if let issuer, iss.map({ $0 != issuer }) ?? (demandsIssuer && error == nil) {
      throw .wrongIssuer(iss.map { Escaped.text($0) })
    }
    if let error {
      self = .error(
        ErrorResponse(
          error: Escaped.text(error, limit: 80),
          errorDescription: field("error_description").map { Escaped.text($0) }))
    } else {
      self = .code(Secret(code ?? ""))
    }
  }
}
