package import HTTPTypes
import Synchronization

/// Redacts secrets in sent and received text: by name, by form, and by value once they have been sent.
///
/// A secret that was not sent, without a name or form that indicates it, is not found: a password that an API returns
/// in a sentence. See ``SecretScanner`` and ``KnownSecrets`` for what is found.
package final class Redaction: Sendable {
  private let names: Mutex<Set<String>>
  private let hiddenFields = Mutex<Set<String>>([])
  private let known = KnownSecrets()
  /// Passwords, codes and client secrets that are short enough to be words; they are replaced in a server's text only.
  private let short = KnownSecrets(inServerText: [])

  private let jwts = Mutex<[String]>([])

  /// Creates a redaction without known values.
  ///
  /// - Parameter secretNames: names of further fields, parameters and members whose values are secrets.
  package init(secretNames: [String] = []) {
    names = Mutex(Set(secretNames.map { SecretNames.plain($0) }))
  }

  /// Adds the name of a further field, parameter or member whose value is a secret.
  package func add(secretName: String) {
    names.withLock { _ = $0.insert(SecretNames.plain(secretName)) }
  }

  /// Hides the values of header fields that may be secrets, because a person has chosen them and their names are on no
  /// list of harmless ones. They are shown by their length, and not looked for in other places.
  package func hide(_ fields: some Sequence<HTTPField.Name>) {
    let names = fields.map(\.canonicalName).filter { !SecretNames.isHarmless(field: $0) }
    if !names.isEmpty { hiddenFields.withLock { $0.formUnion(names) } }
  }

  private var secretNames: Set<String> { names.withLock { $0 } }

  private func isSecret(_ name: String) -> Bool { SecretNames.isSecret(name, or: secretNames) }

  /// The first few JWTs among the secrets in the order in which they were added, for their claims.
  package var signedTokens: [Secret] { jwts.withLock { $0.map { Secret($0) } } }

  private static let mostSignedTokens = 24

  // MARK: - What is sent

  /// Remembers the secrets in a request line or a header field.
  ///
  /// - Parameter isSecret: whether the value is a secret, regardless of the field's name.
  package func learn(headerLine line: String, isSecret: Bool = false) {
    guard let field = secretField(in: line, isSecret: isSecret) else { return learn(text: line) }
    // A proof is for one request only, and recognized by its form.
    guard field.name.lowercased() != "dpop" else { return }
    learn(value: field.value)
    // Also the password, which HTTP Basic encodes.
    if let credentials = BasicCredentials(encoded: Secret(String(field.value))) {
      learn(value: credentials.password.exposed)
      learn(short: credentials.password.exposed)
    }
    // Also the parts of cookies and of a token after a prefix.
    for part in field.value.split(atAny: " ;,") {
      known.add(part)
      known.add(part.firstIndex(ofAny: "=").map { part.suffix(after: $0) } ?? "")
    }
  }

  /// Remembers the secrets in a body or a URL.
  package func learn(text: String) {
    for value in SecretText.secrets(in: text, or: secretNames) { learn(value: value) }
  }

  /// Remembers a secret.
  package func learn(value: some StringProtocol) {
    known.add(value)
    // The beginning of each JWT: `{"` in Base64URL.
    if value.utf8.starts(with: "eyJ".utf8) {
      jwts.withLock { jwts in
        if jwts.count < Redaction.mostSignedTokens, !jwts.contains(String(value)) { jwts.append(String(value)) }
      }
    }
    known.add(FormEncoding.decodeOne(value))
  }

  /// Remembers a token, and the signature of a JWT.
  package func learn(token: Secret) { known.add(token: token) }

  /// Remembers a secret that may be short.
  private func learn(short value: String) {
    guard value.utf8.count < KnownSecrets.wordLimit else { return }
    short.add(value)
  }

  // MARK: - What is shown

  /// Returns a request line, status line or header field on one line, with its secrets replaced.
  ///
  /// - Parameter isSecret: whether the value is a secret, regardless of the field's name.
  package func headerLine(_ line: String, isSecret: Bool = false) -> String {
    guard let field = secretField(in: line, isSecret: isSecret) else {
      return hidden(line) ?? Escaped.text(text(line), limit: 4000)
    }
    // A fingerprint of a password in Basic could be guessed; one of a token can't.
    let isFingerprinted = field.scheme.lowercased() != "basic " && !field.value.contains(bytes: "‹redacted")
    let shown = isFingerprinted ? "‹redacted \(Secret(String(field.value)).fingerprint)›" : SecretText.mark
    return Escaped.text("\(field.name): \(field.scheme)\(shown)")
  }

  /// Returns a header line whose value is hidden, by its length; nil for any other line.
  private func hidden(_ line: String) -> String? {
    let names = hiddenFields.withLock { $0 }
    guard !names.isEmpty, let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = line[..<colon]
    guard names.contains(name.lowercased()) else { return nil }
    let value = line.utf8[line.utf8.index(after: colon)...].drop { $0 == UInt8(ascii: " ") }
    return Escaped.text("\(name): ‹\(value.count) chars›")
  }

  /// Returns a received status line or header field, as ``headerLine(_:isSecret:)`` does, also without short secrets in
  /// the field's value.
  package func receivedLine(_ line: String) -> String {
    let shown = headerLine(line)
    guard let colon = shown.utf8.firstIndex(of: UInt8(ascii: ":")) else { return shown }
    let value = shown.utf8.index(after: colon)
    return String(shown[..<value]) + short.redacting(String(shown[value...]))
  }

  /// Returns a field of a form as `name=value`, and remembers its value if that is a secret.
  ///
  /// A token is shown by its type, its length and its fingerprint; a password or client secret, which could be guessed
  /// from a fingerprint, not at all. The value of an unknown name is shown by its length.
  ///
  /// - Parameter isWhole: whether the value of an unknown name is shown without its secrets instead.
  package func field(_ name: String, _ value: String, isWhole: Bool = false) -> String {
    "\(Escaped.text(name, limit: 80))=\(shown(value, of: name, isWhole: isWhole, redacting: knownValues))"
  }

  /// Returns the value of a parameter of an authorization request; a secret is remembered and shown by its length.
  package func parameter(_ name: String, _ value: String) -> String {
    guard isSecret(name) else { return shown(value, of: name, isWhole: true, redacting: knownValues) }
    learn(value: value)
    return "‹\(value.unicodeScalars.count) chars›"
  }

  /// Returns a member of a JSON object as `name=value`, as ``field(_:_:isWhole:)`` does.
  package func member(_ name: String, _ value: JSONValue, isWhole: Bool = false) -> String {
    // A code may be a number.
    let plain = value.string ?? (try? value.text()) ?? ""
    let shown: String
    switch value {
    case .null, .bool: shown = plain
    case .object, .array:
      shown = isSecret(name) ? SecretText.mark : isWhole ? SecretText.withoutLongWords(json(value)) : "‹JSON›"
    case .string, .integer, .number:
      shown = self.shown(plain, of: name, isWhole: isWhole, redacting: serverText)
    }
    return "\(Escaped.text(name, limit: 80))=\(shown)"
  }

  /// Returns JSON from a server as text, without its secrets, as ``JSONValue/redacted(_:)`` does.
  package func json(_ value: JSONValue) -> String {
    // What was parsed from JSON can be written as JSON.
    Escaped.text(short.redacting((try? value.redacted(known).text()) ?? ""), limit: Redaction.longest)
  }

  /// Returns the token in a header line that was sent; nil if the line has none.
  package func token(in line: String) -> String? {
    guard let field = secretField(in: line, isSecret: false), !["cookie", "dpop"].contains(field.name.lowercased())
    else { return nil }
    return String(field.value)
  }

  /// The maximum length of a value that is shown, in characters.
  private static let longest = 4000

  /// Returns the text in place of a value, and remembers the value if it is a secret.
  ///
  /// - Parameter redacting: removes the known secrets from a value that is not a secret as a whole.
  private func shown(
    _ value: String, of name: String, isWhole: Bool, redacting: (String) -> String
  ) -> String {
    if value == SecretText.mark { return value }
    if SecretNames.publicParameters.contains(name) { return Escaped.text(redacting(value)) }
    guard isSecret(name) else {
      guard isWhole else { return "‹\(value.count) chars›" }
      // A value without a telling name may be a secret if it is long.
      return Escaped.text(SecretText.withoutLongWords(text(redacting(value))), limit: Redaction.longest)
    }
    learn(value: value)
    learn(short: value)
    return Redaction.mark(value, of: name)
  }

  /// Returns the replacement for a secret: the type, the length and the fingerprint of a token.
  private static func mark(_ value: String, of name: String) -> String {
    guard !SecretNames.isGuessable(name) else { return SecretText.mark }
    let isJWT = value.starts(withBytes: "eyJ") && value.count { $0 == "." } == 2
    return "‹\(isJWT ? "JWT" : "opaque"), \(value.count) chars, \(Secret(value).fingerprint)›"
  }

  /// Returns the replacement for a secret in a document; a short one could be a number that a person types.
  private static func token(_ value: String, of name: String) -> String {
    value.utf8.count < shortestToken ? SecretText.mark : mark(value, of: name)
  }

  /// The length from which a secret in a document is regarded as a token, which can't be guessed from its fingerprint.
  private static let shortestToken = 16

  /// Returns the text of a form or JSON document without its secrets, and remembers them.
  ///
  /// A token is shown by its type, its length and its fingerprint; what could be guessed from that, not at all.
  ///
  /// - Parameter isCut: whether the text may end within a secret.
  package func content(_ text: String, isCut: Bool = false) -> String {
    let shown = SecretText.redacted(text, or: secretNames) { found in
      learn(value: found.value)
      let value = FormEncoding.decodeOne(found.value)
      learn(short: value)
      return Redaction.token(value, of: found.name)
    }
    return known.redacting(shown, isCut: isCut)
  }

  /// Returns the text of a response that may issue secrets under any name, without them, and remembers those known by
  /// their names. The value of an unknown name is shown by its length.
  ///
  /// - Parameters:
  ///   - isCut: whether the text may end within a secret.
  ///   - kinds: returns what is shown of the values that are not shown by their names; see ``BodyValue``.
  package func issued(
    _ text: String, isCut: Bool = false, kinds: (JSONValue) -> [String: BodyValue.Kind] = { _ in [:] }
  ) -> String {
    guard let document = try? JSONValue(parsing: text.utf8) else {
      return SecretText.withoutLongWords(content(text, isCut: isCut))
    }
    // What was parsed from JSON can be written as JSON. A text may repeat a token that is shown after it.
    return known.redacting((try? issued(document, named: "", at: "", kinds(document)).text()) ?? "")
  }

  private func issued(
    _ value: JSONValue, named name: String, at path: String, _ kinds: [String: BodyValue.Kind]
  ) -> JSONValue {
    switch value {
    case .object(let members):
      let shown = members.map { ($0, issued($1, named: $0, at: BodyValue.path(path, $0), kinds)) }
      return .object(Dictionary(uniqueKeysWithValues: shown))
    case .array(let values):
      return .array(values.enumerated().map { issued($1, named: name, at: BodyValue.path(path, "\($0)"), kinds) })
    default: return shown(value, of: name, kinds[path] ?? .named)
    }
  }

  /// Returns a value in the body of a custom server as `path=value`, and remembers it if it is a secret.
  package func bodyValue(_ value: BodyValue) -> String {
    let name = value.path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? ""
    let shown = shown(value.value, of: name, value.kind)
    // What was parsed from JSON can be written as JSON.
    return "\(Escaped.text(knownValues(value.path), limit: 80))=\(shown.string ?? (try? shown.text()) ?? "")"
  }

  /// The maximum length of a value that a profile describes as harmless, in characters.
  private static let longestPlain = 200

  private func shown(_ value: JSONValue, of name: String, _ kind: BodyValue.Kind) -> JSONValue {
    guard let text = value.scalarText else { return value }
    switch kind {
    case .named: return named(value, name)
    case .plain where value.string == nil: return value
    case .plain: return .string(Escaped.text(serverText(text), limit: Redaction.longestPlain))
    case .secret: return .string(SecretText.mark)
    case .length: return .string("‹\(text.unicodeScalars.count) chars›")
    case .file: return .string("‹\(text) bytes›")
    case .token:
      learn(value: text)
      return .string(Redaction.token(text, of: ""))
    }
  }

  private func named(_ value: JSONValue, _ name: String) -> JSONValue {
    switch value {
    case .object, .array, .null, .bool: return value
    case .string(let text): return .string(shown(text, of: name, isWhole: false, redacting: serverText))
    case .integer, .number:
      guard !SecretNames.publicParameters.contains(name) else { return value }
      return .string(shown((try? value.text()) ?? "", of: name, isWhole: false, redacting: serverText))
    }
  }

  /// Returns a text of any form without its secrets.
  ///
  /// - Parameter isCut: whether the text may end within a secret.
  package func text(_ text: String, isCut: Bool = false) -> String {
    SecretText.redacted(known.redacting(text, isCut: isCut), or: secretNames)
  }

  /// Returns a text of this program in which only the secrets that have been sent are replaced.
  package func knownValues(_ text: String) -> String { known.redacting(text) }

  /// Returns a text of a server without its secrets, including short ones.
  package func serverText(_ text: String) -> String { withoutShortValues(self.text(text)) }

  /// Returns a text of a server without the short secrets that have been sent.
  package func withoutShortValues(_ text: String) -> String { short.redacting(text) }

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
    let bytes = line.utf8
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), !bytes[..<colon].contains(UInt8(ascii: " ")) else {
      return nil
    }
    let name = line[..<colon]
    guard isSecret || SecretNames.isSecret(field: name.lowercased(), or: secretNames) else { return nil }
    let value = line.suffix(after: colon).drop(anyOf: " ")
    let words = value.split(atAny: " ", maxSplits: 1)
    guard words.count == 2, name.lowercased().ends(withBytes: "authorization") else {
      return SecretField(name: name, scheme: "", value: value)
    }
    return SecretField(name: name, scheme: "\(words[0]) ", value: words[1])
  }
}
