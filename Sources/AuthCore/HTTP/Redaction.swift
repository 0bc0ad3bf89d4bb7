/// Redacts secrets in sent and received text: by name, by form, and by value once they have been sent.
package struct Redaction: Sendable {
  private let secretNames: Set<String>
  private let known = KnownSecrets()

  /// Creates a redaction without known values.
  ///
  /// - Parameter secretNames: names of further fields, parameters and members whose values are secrets.
  package init(secretNames: [String] = []) {
    self.secretNames = Set(secretNames.map { SecretNames.plain($0) })
  }

  // MARK: - What is sent

  /// Remembers the secrets in a request line or a header field.
  ///
  /// - Parameter isSecret: whether the value is a secret, regardless of the field's name.
  package func learn(headerLine line: String, isSecret: Bool = false) {
    guard let field = secretField(in: line, isSecret: isSecret) else { return learn(text: line) }
    learn(value: field.value)
    // Also the password, which HTTP Basic encodes.
    if let credentials = BasicCredentials(encoded: Secret(String(field.value))) {
      learn(value: credentials.password.exposed)
    }
    // Also the parts of cookies and of a token after a prefix.
    for part in field.value.split(whereSeparator: { " ;,".contains($0) }) {
      known.add(part)
      known.add(part.drop { $0 != "=" }.dropFirst())
    }
  }

  /// Remembers the secrets in a body or a URL.
  package func learn(text: String) {
    for value in SecretText.secrets(in: text, or: secretNames) { learn(value: value) }
  }

  /// Remembers a secret.
  package func learn(value: some StringProtocol) {
    known.add(value)
    known.add(FormEncoding.decodeOne(value))
  }

  // MARK: - What is shown

  /// Returns a request line, status line or header field on one line, with its secrets replaced.
  ///
  /// - Parameter isSecret: whether the value is a secret, regardless of the field's name.
  package func headerLine(_ line: String, isSecret: Bool = false) -> String {
    guard let field = secretField(in: line, isSecret: isSecret) else {
      return Escaped.text(text(line), limit: 4000)
    }
    // A fingerprint of a password in Basic could be guessed; one of a token can't.
    let isFingerprinted = field.scheme.lowercased() != "basic " && !field.value.contains("‹redacted")
    let fingerprint = isFingerprinted ? " " + Secret(String(field.value)).fingerprint : ""
    return Escaped.text("\(field.name): \(field.scheme)‹redacted\(fingerprint)›")
  }

  /// Returns a text of any form without its secrets.
  package func text(_ text: String) -> String { SecretText.redacted(knownValues(text), or: secretNames) }

  /// Returns a text of this program in which only the secrets that have been sent are replaced.
  package func knownValues(_ text: String) -> String { known.redacting(text) }

  // MARK: - Header fields

  /// A header field that holds a secret.
  private struct SecretField {
    let name: Substring
    /// The scheme with its space, which is not secret: Bearer, Basic, DPoP.
    let scheme: String
    let value: Substring
  }

  /// Returns the secret in a header line; nil if its field has none.
  private func secretField(in line: String, isSecret: Bool) -> SecretField? {
    guard let colon = line.firstIndex(of: ":"), !line[..<colon].contains(" ") else { return nil }
    let name = line[..<colon]
    guard isSecret || isSecretName(name.lowercased()) else { return nil }
    let value = line[line.index(after: colon)...].drop { $0 == " " }
    let words = value.split(separator: " ", maxSplits: 1)
    guard words.count == 2, name.lowercased().hasSuffix("authorization") else {
      return SecretField(name: name, scheme: "", value: value)
    }
    return SecretField(name: name, scheme: "\(words[0]) ", value: words[1])
  }

  /// Whether a field's name indicates that its value is a secret; many APIs use names of their own.
  private func isSecretName(_ name: String) -> Bool {
    guard !name.hasSuffix("-authenticate") else { return false }
    return SecretNames.isSecret(name, or: secretNames) || name.contains("auth")
  }
}
