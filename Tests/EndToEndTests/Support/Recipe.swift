import Foundation
import TestSupport
import Testing

/// A recipe of authctl-token(1): an example of its section RECIPES, as `authctl token --help` shows it.
struct Recipe: Sendable, CustomTestStringConvertible {
  /// What it is for: its first line, without the sign of a comment.
  let name: String
  /// What is typed.
  let script: String

  var testDescription: String { name }

  /// All of them.
  static let all: [Recipe] = {
    let help = try? ProgramRun(
      Workplace.binary, ["token", "--help"], environment: [:], folder: FileManager.default.temporaryDirectory
    ).wait().text
    let section = help?.components(separatedBy: "\nRECIPES\n").dropFirst().first ?? ""
    let indent = String(repeating: " ", count: 8)
    return section.components(separatedBy: "\n\n").compactMap { block in
      let lines = block.components(separatedBy: "\n").filter { !$0.isEmpty }
      guard let first = lines.first, first.hasPrefix(indent + "# ") else { return nil }
      return Recipe(
        name: String(first.dropFirst(indent.count + 2)),
        script: lines.map { $0.dropFirst(indent.count) }.joined(separator: "\n"))
    }
  }()
}
