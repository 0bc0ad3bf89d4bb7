extension JSONValue {
  /// Names that ``SecretNames`` takes for secrets and that are public in a token: `sid` identifies a session but does
  /// not open it (OpenID Connect Front-Channel Logout, section 3).
  private static let publicNames: Set<String> = ["sid"]
  /// The length from which the value of a secret's name is redacted: shorter values are words, such as Cognito's
  /// `"token_use": "access"`.
  private static let shortest = 8

  /// Returns claims without secrets: without known values, tokens within texts, and values with the name of a secret.
  package func redacted(_ known: KnownSecrets) -> JSONValue {
    switch self {
    case .string(let text): return .string(SecretText.redacted(known.redacting(text)))
    case .array(let values): return .array(values.map { $0.redacted(known) })
    case .object(let members):
      var shown: [String: JSONValue] = [:]
      for (name, value) in members {
        let isSecret = SecretNames.isSecret(name) && !JSONValue.publicNames.contains(name)
        let isLong = value.string.map { $0.utf8.count >= JSONValue.shortest } ?? false
        shown[known.redacting(name)] = isSecret && isLong ? .string("‹redacted›") : value.redacted(known)
      }
      return .object(shown)
    case .null, .bool, .integer, .number: return self
    }
  }
}

extension KnownSecrets {
  /// Adds a token, and the signature of a JWT, which is the part that must not be known.
  package func add(token: Secret) {
    add(token.exposed)
    let parts = token.exposed.split(separator: ".")
    if parts.count == 3 { add(parts[2]) }
  }
}
