extension JSONValue {
  /// The length from which the value of a secret's name is redacted: shorter values are words, such as Cognito's
  /// `"token_use": "access"`.
  private static let shortest = 8

  /// Returns claims without secrets: without known values, tokens within texts, values with the name of a secret, and
  /// the private members of keys.
  package func redacted(_ known: KnownSecrets) -> JSONValue { redacted(known, inSecret: false) }

  /// - Parameter inSecret: whether this is a part of a value with the name of a secret.
  private func redacted(_ known: KnownSecrets, inSecret: Bool) -> JSONValue {
    switch self {
    case .string(let text):
      let isSecret = inSecret && SecretScanner.isUnbroken(Array(text.utf8)[...])
      return .string(isSecret ? SecretText.mark : SecretText.redacted(known.redacting(text)))
    case .array(let values): return .array(values.map { $0.redacted(known, inSecret: inSecret) })
    case .object(let members):
      var shown: [String: JSONValue] = [:]
      let privateNames = members["kty"] == nil ? [] : SecretNames.keyMembers
      for (name, value) in members {
        let isNamed = SecretNames.isSecret(name) && !SecretNames.publicClaims.contains(name)
        let isSecret = isNamed || privateNames.contains(name)
        let isLong = value.string.map { $0.utf8.count >= JSONValue.shortest } ?? false
        let isInner = (inSecret || isNamed) && SecretNames.mayBeSecret(name)
        shown[known.redacting(name)] =
          isSecret && isLong ? .string(SecretText.mark) : value.redacted(known, inSecret: isInner)
      }
      return .object(shown)
    case .null, .bool, .integer, .number: return self
    }
  }
}
