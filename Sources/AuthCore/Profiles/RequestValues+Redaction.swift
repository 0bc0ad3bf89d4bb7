extension RequestValues {
  /// Removes the secret values from a text, both plain and percent-encoded. A profile may use them where no rule would
  /// look for them: in a path or a header field of any name.
  func redacting(_ text: String, secrets: Set<String>) -> String {
    let known = KnownSecrets(shortest: 1)
    for secret in texts(of: secrets) { known.add(secret.exposed) }
    return known.redacting(text)
  }

  /// Returns the secret values: the tokens, and those that the profile names.
  func texts(of secrets: Set<String>) -> [Secret] {
    secrets.union(Placeholder.builtins).compactMap { name in
      guard case .text(let secret) = self[name] else { return nil }
      return secret
    }
  }

  /// All texts.
  var texts: [Secret] { names.compactMap { if case .text(let secret) = self[$0] { secret } else { nil } } }
}
