import Foundation
import Testing

/// A recipe of the README: a code block of its section on other tools.
struct Recipe: Sendable, CustomTestStringConvertible {
  /// What it is for: its first line, without the sign of a comment.
  let name: String
  /// What is typed.
  let script: String

  var testDescription: String { name }

  /// All of them.
  static let all: [Recipe] = {
    let file = Workplace.servers.appending(path: "../../README.md")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    let section = text.components(separatedBy: "\n## With other tools\n").dropFirst().first ?? ""
    let own = section.components(separatedBy: "\n## ").first ?? ""
    return own.components(separatedBy: "```bash\n").dropFirst().map { part in
      let script = part.components(separatedBy: "```").first ?? ""
      return Recipe(name: String(script.prefix { $0 != "\n" }.drop { "# ".contains($0) }), script: script)
    }
  }()
}
