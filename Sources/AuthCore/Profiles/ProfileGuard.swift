/// Looks at a profile's text before the TOML library does, for what that one can't take: it ends the process at a table
/// header without a name, and runs out of stack in a name of many thousand parts.
enum ProfileGuard {
  /// The largest file that is read, in bytes: a profile is a page of text.
  static let largest = 64 << 10
  private static let mostDots = 64

  /// What is wrong and in which line, counted from 1; nil where the text may be parsed.
  static func fault(in text: String) -> (line: Int, why: String)? {
    guard text.utf8.count <= largest else { return (1, "the file is larger than \(largest >> 10) KiB") }
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let content = line.drop { $0 == " " || $0 == "\t" }
      guard content.prefix(while: { $0 != "=" }).filter({ $0 == "." }).count <= mostDots else {
        return (index + 1, "a name has more than \(mostDots) parts")
      }
      guard content.hasPrefix("[") else { continue }
      let inside = content.dropFirst(content.hasPrefix("[[") ? 2 : 1).drop { $0 == " " || $0 == "\t" }
      let isNamed = inside.first.map { $0.isLetter || $0.isNumber || "_-\"'".contains($0) } ?? false
      guard isNamed else { return (index + 1, "the name of a table is missing after [") }
    }
    return nil
  }
}
