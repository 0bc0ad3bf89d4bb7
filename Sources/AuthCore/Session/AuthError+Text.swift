public import FoundationEssentials

extension AuthError: CustomStringConvertible, LocalizedError {
  /// What failed and why, as one line of text without any secret.
  public var description: String { "\(explanation.what): \(explanation.why)" }

  /// What failed and why.
  public var errorDescription: String? { description }

  /// Why it failed.
  public var failureReason: String? { explanation.why }

  /// What to do about it; nil if only ``Explanation/remedy`` or nothing is known.
  public var recoverySuggestion: String? { explanation.hint.isEmpty ? nil : explanation.hint }
}
