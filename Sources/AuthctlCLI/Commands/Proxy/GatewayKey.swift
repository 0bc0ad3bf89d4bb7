import AuthCore

/// The key that a program needs to use the proxy. It is worth nothing elsewhere.
struct GatewayKey: Sendable {
  /// The key as text of the URL-safe alphabet.
  let text: Secret

  /// Generates a key of 256 random bits.
  init(random: RandomText) {
    text = Secret(random())
  }

  /// Reads the key from a file or a credential.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if it can't be read, or is not a key.
  init(_ file: SecretFile) throws(AuthError) {
    let why = "it is not a key of 22 to 128 letters, digits, - and _ on one line"
    let hint = "write one: openssl rand -hex 32 >FILE"
    let content = try file.text(orRefuse: why, hint: hint)
    let key = content.trimming(anyOf: "\r\n")
    guard 22...128 ~= key.utf8.count, key.utf8.allSatisfy(GatewayKey.isURLSafe) else {
      throw .usage(file.name, why: why, hint: hint)
    }
    text = Secret(String(key))
  }

  /// Whether a text is the key. The time does not depend on where the two differ.
  func matches(_ candidate: some StringProtocol) -> Bool {
    let (own, other) = (Array(text.exposed.utf8), Array(candidate.utf8))
    guard own.count == other.count else { return false }
    return zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private static func isURLSafe(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

extension GatewayKey {
  /// Returns the target without the key if its first segment is the key; nil if it is not. What remains may be empty.
  func stripped(from target: String) -> String? {
    guard let rest = target.dropping(prefix: "/") else { return nil }
    let segment = rest.prefix(upToAny: "/?")
    guard matches(segment) else { return nil }
    return String(rest[segment.endIndex...])
  }

  /// Whether the value of `Authorization` has the key, as a bearer token or as the password of any user.
  func isIn(authorization value: String) -> Bool {
    let words = value.split(atAny: " ", maxSplits: 1)
    guard words.count == 2 else { return false }
    switch words[0].lowercased() {
    case "bearer": return matches(words[1])
    case "basic":
      return BasicCredentials(encoded: Secret(String(words[1]))).map { matches($0.password.exposed) } ?? false
    default: return false
    }
  }
}
