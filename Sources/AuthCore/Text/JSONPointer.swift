/// Names one value in a JSON document (RFC 6901).
package struct JSONPointer: Sendable, Equatable {
  /// The reference tokens, unescaped.
  private let tokens: [String]

  /// Reads a pointer such as `/data/accessToken`; nil where it does not begin with a slash or has a wrong escape
  /// (section 3). The empty text names the whole document.
  package init?(_ text: String) {
    guard text.isEmpty || text.hasPrefix("/") else { return nil }
    var tokens: [String] = []
    for token in text.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      guard let unescaped = JSONPointer.unescape(token) else { return nil }
      tokens.append(unescaped)
    }
    self.tokens = tokens
  }

  /// The value that the pointer names (section 4); nil where there is none.
  package func value(in document: JSONValue) -> JSONValue? {
    var value = document
    for token in tokens {
      switch value {
      case .object(let members):
        guard let member = members[token] else { return nil }
        value = member
      case .array(let elements):
        guard let index = JSONPointer.index(token), elements.indices.contains(index) else { return nil }
        value = elements[index]
      default:
        return nil
      }
    }
    return value
  }

  /// One reference token as a pointer writes it.
  static func escape(_ token: String) -> String { token.replacing("~", with: "~0").replacing("/", with: "~1") }

  /// `~1` is a slash and `~0` a tilde; each escape is read once.
  private static func unescape(_ token: Substring) -> String? {
    guard token.contains("~") else { return String(token) }
    var unescaped = ""
    var rest = token
    while let character = rest.popFirst() {
      guard character == "~" else {
        unescaped.append(character)
        continue
      }
      guard let escaped = rest.popFirst(), let plain = ["0": "~", "1": "/"][String(escaped)] else { return nil }
      unescaped += plain
    }
    return unescaped
  }

  /// An index has no leading zeros; `-` names the element after the last, which is never there.
  private static func index(_ token: String) -> Int? {
    guard token.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      token == "0" || !token.hasPrefix("0")
    else { return nil }
    return Int(token)
  }
}

extension JSONPointer: CustomStringConvertible {
  /// The pointer as it is written: `/data/accessToken`.
  package var description: String { tokens.map { "/" + JSONPointer.escape($0) }.joined() }
}
