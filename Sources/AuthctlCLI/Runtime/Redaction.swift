import AuthCore

/// Takes the secrets out of header lines.
enum Redaction {
  /// A request line, status line or header field with its secrets replaced.
  ///
  /// - Parameter secretFields: names of further fields that hold secrets, in lower case.
  static func headerLine(_ line: String, secretFields: Set<String>) -> String {
    guard let field = secret(in: line, secretFields: secretFields) else {
      return Printable.text(parameters(line), limit: 4000)
    }
    let (name, scheme, secret) = (field.name, field.scheme, field.value)
    // A fingerprint of a password in Basic could be guessed; one of a token can't.
    let shown = scheme.lowercased() == "basic " ? "" : " " + Secret(String(secret)).fingerprint
    return Printable.text("\(name): \(scheme)‹redacted\(shown)›")
  }

  /// A header field that holds a secret.
  struct SecretField {
    /// Its name.
    let name: Substring
    /// The scheme with its space, which is no secret and tells much: Bearer, Basic, DPoP.
    let scheme: String
    /// The secret.
    let value: Substring
  }

  /// The secret in a header line; nil where its field holds none.
  static func secret(in line: String, secretFields: Set<String>) -> SecretField? {
    guard let colon = line.firstIndex(of: ":"), !line[..<colon].contains(" ") else { return nil }
    let name = line[..<colon]
    guard secretFields.contains(name.lowercased()) || isTelling(name.lowercased()) else { return nil }
    let value = line[line.index(after: colon)...].drop { $0 == " " }
    let words = value.split(separator: " ", maxSplits: 1)
    guard words.count == 2, name.lowercased().hasSuffix("authorization") else {
      return SecretField(name: name, scheme: "", value: value)
    }
    return SecretField(name: name, scheme: "\(words[0]) ", value: words[1])
  }

  /// Whether a field's name says that its value is a secret: every API has one of its own.
  private static func isTelling(_ name: String) -> Bool {
    guard !name.hasSuffix("-authenticate") else { return false }
    return SecretNames.isSecret(name) || name.contains("auth")
  }

  /// A text with the values of secret parameters and members replaced.
  static func parameters(_ text: String) -> String { SecretText.redacted(text) }
}
