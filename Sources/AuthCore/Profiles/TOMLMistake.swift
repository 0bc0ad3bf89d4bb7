/// Describes an error of the TOML library for a person who writes a profile.
enum TOMLMistake {
  /// Returns what is wrong, from the library's text `Error while parsing SCOPE: REASON`.
  static func words(_ description: String) -> String {
    let text = Array(description.utf8)
    let scope = text.dropFirst("Error while parsing ".utf8.count).prefix { $0 != UInt8(ascii: ":") }
    if text.contains(bytes: "cannot redefine".utf8) || text.contains(bytes: "cannot insert".utf8) {
      return "this key or table is already there"
    }
    return words(String(decoding: scope, as: UTF8.self), text)
  }

  private static func words(_ scope: String, _ text: [UInt8]) -> String {
    let expectsEquals = text.contains(bytes: "expected '='".utf8)
    let isEscape = text.contains(bytes: "unknown escape".utf8)
    return switch scope {
    case "string" where isEscape: "unknown escape in a string: a backslash is \\\\, or use single quotes"
    case "string", "literal string": "the closing quote of a string is missing"
    case "array": "a comma, or the closing ] of the array, is missing"
    case "inline table": "a comma, or the closing } of the table, is missing"
    case "table header": "not a table: its header is [NAME] on a line of its own"
    case "key-value pair" where expectsEquals: "the = after a key is missing"
    case "key-value pair": "the = or the value of a key is missing, or something follows it"
    case "key", "root table": "not a key: a line is KEY = VALUE, [TABLE] or a # comment"
    case "comment": "a comment contains a control character"
    default: "not a value: a string needs quotes, and only numbers, true and false need none"
    }
  }
}
