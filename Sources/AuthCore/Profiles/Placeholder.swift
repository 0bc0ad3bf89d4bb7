/// A placeholder for a value in a request that a profile describes.
package struct Placeholder: Sendable, Hashable {
  /// The name of the value.
  package let name: String
  /// Whether the value may be absent; the part that contains it is then omitted.
  package let isOptional: Bool
  /// Whether the value is the content of a file.
  package internal(set) var isFile = false

  /// The values that authctl inserts automatically, in a refresh and a revocation only.
  package static let builtins = ["access_token", "refresh_token"]

  /// Parses the text between the braces; nil if it is not a name. A `?` after the name makes the value optional.
  init?(_ text: some StringProtocol) {
    isOptional = text.ends(withBytes: "?")
    name = String(isOptional ? text.dropLast() : text[...])
    guard let first = name.first, first.isASCII, first.isLetter,
      name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") })
    else { return nil }
  }
}
