import AuthCore

/// Takes the secrets out of header lines.
enum Redaction {
  /// The fields whose values are secrets, in lower case.
  static let secretFields: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token", "dpop",
  ]

  /// The parameters whose values are secrets wherever they stand in a URL.
  private static let secretParameters: Set<String> = [
    "access_token", "refresh_token", "id_token", "token", "code", "code_verifier", "client_secret", "password", "state",
    "assertion", "client_assertion", "api_key", "apikey", "key", "secret", "signature", "sig",
  ]

  /// A request line, status line or header field with its secrets replaced.
  ///
  /// - Parameter secretFields: names in lower case.
  static func headerLine(_ line: String, secretFields: Set<String>) -> String {
    guard let colon = line.firstIndex(of: ":"), !line[..<colon].contains(" ") else {
      return Printable.text(parameters(line), limit: 4000)
    }
    let name = line[..<colon]
    let value = line[line.index(after: colon)...].drop { $0 == " " }
    guard secretFields.contains(name.lowercased()) || isTelling(name.lowercased()) else {
      return Printable.text(parameters(line), limit: 4000)
    }
    // The scheme is no secret and tells much: Bearer, Basic, DPoP.
    let words = value.split(separator: " ", maxSplits: 1)
    let scheme = words.count == 2 && name.lowercased().hasSuffix("authorization") ? "\(words[0]) " : ""
    let secret = words.count == 2 && !scheme.isEmpty ? words[1] : value
    // A fingerprint of a password in Basic could be guessed; one of a token can't.
    let shown = scheme.lowercased() == "basic " ? "" : " " + Secret(String(secret)).fingerprint
    return Printable.text("\(name): \(scheme)‹redacted\(shown)›")
  }

  /// Whether a field's name says that its value is a secret: every API has one of its own.
  private static func isTelling(_ name: String) -> Bool {
    guard !name.hasSuffix("-authenticate") else { return false }
    return ["token", "secret", "password", "api-key", "apikey", "session", "auth"].contains { name.contains($0) }
  }

  /// A text with the `user:password@` of a URL replaced.
  private static func withoutUserInformation(_ text: String) -> String {
    guard let start = text.firstRange(of: "://")?.upperBound else { return text }
    let authority = text[start...].prefix { !"/?# ".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return text }
    return text[..<start] + "‹redacted›" + text[at...]
  }

  /// A text with the values of secret parameters replaced.
  static func parameters(_ text: String) -> String {
    let text = withoutUserInformation(text)
    guard text.contains("=") else { return text }
    var result = ""
    var rest = text[...]
    while let equals = rest.firstIndex(of: "=") {
      let name = rest[..<equals].reversed().prefix { $0.isLetter || $0 == "_" }.reversed()
      result += rest[...equals]
      rest = rest[rest.index(after: equals)...]
      guard secretParameters.contains(String(name).lowercased()) else { continue }
      let value = rest.prefix { !"&# \"'".contains($0) }
      if !value.isEmpty { result += "‹redacted›" }
      rest = rest.dropFirst(value.count)
    }
    return result + rest
  }
}
