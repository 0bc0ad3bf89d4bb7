public import FoundationEssentials

// What `localizedDescription` says of each public error: without these, the number of its case.

extension APIError: LocalizedError {
  /// The error as one line of text, without any secret.
  public var errorDescription: String? { description }

  /// What to do about it, where that is known.
  public var recoverySuggestion: String? {
    if case .authentication(let error) = self { error.recoverySuggestion } else { nil }
  }
}

extension TransportError: LocalizedError {
  /// The reason in words, without any secret.
  public var errorDescription: String? { description }
}

extension RefreshFailure: CustomStringConvertible, LocalizedError {
  /// What failed and why, as one line of text without any secret.
  public var description: String { reason.description }

  /// What failed and why.
  public var errorDescription: String? { description }
}

extension RescueFailure: CustomStringConvertible, LocalizedError {
  /// Why, in a phrase.
  package var description: String { why }

  /// Why, in a phrase.
  package var errorDescription: String? { description }
}

extension WebURL.Invalid: LocalizedError {
  /// The reason as a sentence.
  public var errorDescription: String? { "not a usable URL: \(description)" }
}

extension TokenResponse.Malformed: CustomStringConvertible, LocalizedError {
  /// The reason in words; never quotes the response.
  public var description: String { reason }

  /// The reason in words.
  public var errorDescription: String? { description }
}

extension AssertionKey.Unusable: CustomStringConvertible, LocalizedError {
  /// The reason in words; never quotes the key.
  package var description: String { reason }

  /// The reason as a sentence.
  package var errorDescription: String? { "not a usable private key: \(description)" }

  /// What to do about it.
  package var recoverySuggestion: String? { remedy }
}

extension AuthorizationResponse.Invalid: CustomStringConvertible, LocalizedError {
  /// The reason in words; a foreign issuer is escaped.
  public var description: String {
    switch self {
    case .empty: "the redirect has neither a code nor an error"
    case .wrongState: "the redirect belongs to another login (state)"
    case .wrongIssuer(nil): "the redirect does not name the server that sent it (iss)"
    case .wrongIssuer(let issuer?): "the redirect is from another server: \(Escaped.text(issuer))"
    }
  }

  /// The reason in words.
  public var errorDescription: String? { description }
}
