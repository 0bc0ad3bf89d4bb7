/// Parses the value of a `WWW-Authenticate` field (RFC 9110, sections 11.3 and 11.6.1). Each byte is read at most three
/// times.
///
/// A comma separates challenges as well as the parameters of one, and either list may have empty elements. A token
/// followed by `=` is a parameter of the preceding challenge; any other token is the scheme of a new one. In addition
/// to the grammar it accepts deviations of real servers: tabs for spaces, no space after a comma, no comma between two
/// parameters, and unquoted values that are not tokens, such as URLs.
struct ChallengeReader {
  private let bytes: [UInt8]
  private var position = 0
  private var found: [Challenge] = []
  /// The current challenge, and whether parameters may follow: only if a space follows the scheme.
  private var scheme: String?
  private var token68: String?
  private var parameters: [Challenge.Parameter] = []
  private var takesParameters = false

  init(_ value: String) {
    bytes = Array(value.utf8)
  }

  /// Reads all challenges.
  mutating func challenges() -> [Challenge] {
    while true {
      skip { ChallengeReader.isBlank($0) || $0 == UInt8(ascii: ",") }
      guard position < bytes.count else { break }
      readElement()
    }
    finishChallenge()
    return found
  }

  /// Reads a parameter of the current challenge, or the start of the next one.
  private mutating func readElement() {
    if takesParameters, readParameter() { return readParametersWithoutComma() }
    let name = token()
    let end = position
    skip(ChallengeReader.isBlank)
    // A parameter without a challenge, or text that can't be a scheme.
    guard !name.isEmpty, next != UInt8(ascii: "=") else { return skipElement() }
    finishChallenge()
    scheme = name.lowercased()
    guard position > end else { return skipElement() }
    token68 = readToken68()
    takesParameters = token68 == nil
    guard takesParameters, !isAtEndOfElement else { return skipElement() }
    if readParameter() { readParametersWithoutComma() } else { skipElement() }
  }

  /// Reads `name=value`. Otherwise returns false and does not advance.
  private mutating func readParameter() -> Bool {
    let start = position
    let name = token()
    skip(ChallengeReader.isBlank)
    guard !name.isEmpty, next == UInt8(ascii: "=") else {
      position = start
      return false
    }
    position += 1
    skip(ChallengeReader.isBlank)
    if let value = next == UInt8(ascii: "\"") ? quotedString() : unquoted() {
      parameters.append(Challenge.Parameter(name: name.lowercased(), value: value))
    }
    return true
  }

  /// Reads further parameters that are separated by spaces; several servers omit the comma.
  private mutating func readParametersWithoutComma() {
    while !isAtEndOfElement {
      let end = position
      skip(ChallengeReader.isBlank)
      guard position > end, readParameter() else { return skipElement() }
    }
  }

  private mutating func finishChallenge() {
    if let scheme { found.append(Challenge(scheme, token68: token68, parameters: parameters)) }
    (scheme, token68, parameters, takesParameters) = (nil, nil, [], false)
  }
}

// MARK: - The parts

extension ChallengeReader {
  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Whether a comma or the end comes next, ignoring blanks.
  private var isAtEndOfElement: Bool {
    bytes[position...].first { !ChallengeReader.isBlank($0) }.map { $0 == UInt8(ascii: ",") } ?? true
  }

  private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
    while let byte = next, isSkipped(byte) { position += 1 }
  }

  /// Skips to the next comma outside a quoted string.
  private mutating func skipElement() {
    while let byte = next, byte != UInt8(ascii: ",") {
      if byte == UInt8(ascii: "\"") { _ = quotedString() } else { position += 1 }
    }
  }

  private mutating func text(_ isPart: (UInt8) -> Bool) -> String {
    let start = position
    skip(isPart)
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Reads a `token` (RFC 9110, section 5.6.2); empty if there is none.
  private mutating func token() -> String { text(ChallengeReader.isTokenCharacter) }

  /// Reads a `token68` (RFC 9110, section 11.2). It must be the whole rest of the challenge, because `realm=x` starts
  /// like one.
  private mutating func readToken68() -> String? {
    let start = position
    let characters = text(ChallengeReader.isToken68Character)
    let padding = text { $0 == UInt8(ascii: "=") }
    guard !characters.isEmpty, isAtEndOfElement else {
      position = start
      return nil
    }
    return characters + padding
  }

  /// Reads an unquoted value; nil if there is none, or if it does not extend to the end of the word.
  private mutating func unquoted() -> String? {
    let value = text(ChallengeReader.isUnquotedCharacter)
    guard let byte = next else { return value.isEmpty ? nil : value }
    return value.isEmpty || !(ChallengeReader.isBlank(byte) || byte == UInt8(ascii: ",")) ? nil : value
  }

  /// Reads a `quoted-string` (RFC 9110, section 5.6.4) without its quotes and escapes; nil if it is unterminated.
  private mutating func quotedString() -> String? {
    var value: [UInt8] = []
    position += 1
    while let byte = next {
      position += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: value, as: UTF8.self) }
      guard byte == UInt8(ascii: "\\") else {
        value.append(byte)
        continue
      }
      guard let escaped = next else { return nil }
      position += 1
      value.append(escaped)
    }
    return nil
  }

  /// Whether a byte is a space or a tab; a line end within a field counts as a space, too (RFC 9110, section 5.5).
  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  private static func isTokenCharacter(_ byte: UInt8) -> Bool {
    byte.isAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  private static func isToken68Character(_ byte: UInt8) -> Bool {
    byte.isAlphanumeric || "-._~+/".utf8.contains(byte)
  }

  private static func isUnquotedCharacter(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && !"\",\\".utf8.contains(byte)
  }
}
