extension RequestValues {
  /// A text with the secrets among the values taken out, as they are and percent-encoded: a profile may put them where
  /// no rule would look for them, into a path or a header field of any name.
  func redacting(_ text: String, secrets: Set<String>) -> String {
    var shown = text
    for name in secrets.union(Placeholder.builtins) {
      guard case .text(let secret) = self[name], !secret.exposed.isEmpty else { continue }
      for form in [secret.exposed, FormEncoding.percentEncode(secret.exposed)] {
        shown = shown.replacing(form, with: secret.description)
      }
    }
    return shown
  }

  /// A line on the wire with the secrets among the values taken out.
  func redacting(_ line: WireLine, secrets: Set<String>) -> WireLine {
    switch line {
    case .note(let text): .note(redacting(text, secrets: secrets))
    case .sent(let text): .sent(redacting(text, secrets: secrets))
    case .received(let text): .received(redacting(text, secrets: secrets))
    }
  }
}
