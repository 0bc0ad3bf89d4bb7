@testable import AuthCore

/// The value of a `WWW-Authenticate` field.
enum ChallengeTarget: FuzzTarget {
  static let name = "challenge"

  static func check(_ bytes: [UInt8]) {
    let challenges = Challenge.all(in: String(decoding: bytes, as: UTF8.self))
    for challenge in challenges {
      require(isToken(challenge.scheme), "a scheme is a token: \(challenge)")
      require(challenge.token68 == nil || challenge.parameters.isEmpty, "either token68 or parameters: \(challenge)")
      require(challenge.parameters.allSatisfy { isToken($0.name) }, "a parameter's name is a token: \(challenge)")
      let words = challenge.words("scope")
      require(Set(words).count == words.count, "each word once: \(words)")
      require(words.allSatisfy { $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } }, "words can be shown: \(words)")
    }
    let text = challenges.map(text).joined(separator: ", ")
    require(Challenge.all(in: text) == challenges, "what is written is read again: \(text.debugDescription)")
  }

  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty && text == text.lowercased() && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      && !text.utf8.contains { "\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
  }

  /// A challenge by the letter of RFC 9110, section 11.3.
  private static func text(_ challenge: Challenge) -> String {
    if let token68 = challenge.token68 { return challenge.scheme + " " + token68 }
    guard !challenge.parameters.isEmpty else { return challenge.scheme }
    let parameters = challenge.parameters.map { parameter in
      // By code points: a combining mark hides no quote that it stands behind.
      let escaped = parameter.value.unicodeScalars.reduce(into: "") { result, scalar in
        if scalar == "\"" || scalar == "\\" { result += "\\" }
        result.unicodeScalars.append(scalar)
      }
      return "\(parameter.name)=\"\(escaped)\""
    }
    return challenge.scheme + " " + parameters.joined(separator: ", ")
  }
}
