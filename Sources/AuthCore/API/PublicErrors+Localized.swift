public import FoundationEssentials

// `localizedDescription` returns these texts; without them, it returns the number of the error's case.

extension APIError: LocalizedError {
  /// The error as one line of text, without any secret.
  public var errorDescription: String? { description }

  /// The action to take; nil if none is known.
  public var recoverySuggestion: String? {
    if case .authentication(let error) = self { error.recoverySuggestion } else { nil }
  }
}

extension TransportError: LocalizedError {
  /// The reason, without any secret.
  public var errorDescription: String? { description }
}

extension RefreshFailure: CustomStringConvertible, LocalizedError {
  /// The failed operation and the reason, as one line of text without any secret.
  public var description: String { reason.description }

  /// The failed operation and the reason.
  public var errorDescription: String? { description }
}

extension RescueFailure: CustomStringConvertible, LocalizedError {
  /// The reason, as a phrase.
  package var description: String { why }

  /// The reason, as a phrase.
  package var errorDescription: String? { description }
}

extension WebURL.Invalid: LocalizedError {
  /// The reason as a sentence.
  public var errorDescription: String? { "not a usable URL: \(description)" }
}

extension TokenResponse.Malformed: CustomStringConvertible, LocalizedError {
  /// The reason; never quotes the response.
  public var description: String { reason }

  /// The reason.
  public var errorDescription: String? { description }
}

extension AssertionKey.Unusable: CustomStringConvertible, LocalizedError {
  /// The reason; never quotes the key.
  package var description: String { reason }

  /// The reason as a sentence.
  package var errorDescription: String? { "not a usable private key: \(description)" }

  /// The action to take.
  package var recoverySuggestion: String? { remedy }
}

extension AuthorizationResponse.Invalid: CustomStringConvertible, LocalizedError {
  /// The reason; a foreign issuer is escaped.
  public var description: String {
    switch self {
    case .empty: "the redirect has neither a code nor an error"
    case .wrongState: "the redirect belongs to another login (state)"
    case .missingState: "the redirect has no state"
    case .repeated(let name): "the redirect has \(name) twice"
    case .wrongIssuer(nil): "the redirect does not name the server that sent it (iss)"
    case .wrongIssuer(let issuer?): "the redirect is from another server: \(Escaped.text(issuer))"
    }
  }

  /// The reason.
  public var errorDescription: String? { description }
}
