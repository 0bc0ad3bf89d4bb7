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

  /// Removes the secret values from a line on the wire.
  func redacting(_ line: WireLine, secrets: Set<String>) -> WireLine {
    switch line {
    case .note(let text): .note(redacting(text, secrets: secrets))
    case .proxy: line
    case .sent(let text): .sent(redacting(text, secrets: secrets))
    case .received(let text): .received(redacting(text, secrets: secrets))
    case .sentField(let name, let value): .sentField(name: name, value: redacting(value, secrets: secrets))
    // Only standard endpoints have these.
    case .receivedMember: line
    case .sentBody(let text): .sentBody(redacting(text, secrets: secrets))
    case .receivedBody(let text, let kinds): .receivedBody(redacting(text, secrets: secrets), kinds: kinds)
    case .ofRequest(let number, let line): .ofRequest(number, redacting(line, secrets: secrets))
    case .bodyValue(let value, let isSent): .bodyValue(redacting(value, secrets: secrets), isSent: isSent)
    }
  }

  private func redacting(_ value: BodyValue, secrets: Set<String>) -> BodyValue {
    var shown = value
    shown.path = KnownSecrets(inServerText: texts(of: secrets).map(\.exposed)).redacting(value.path)
    // Of a token the fingerprint is shown.
    if value.kind != .token, let text = value.value.string { shown.value = .string(redacting(text, secrets: secrets)) }
    return shown
  }
}
