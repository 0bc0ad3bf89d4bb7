import AuthCore

/// The prose of a help and of a manual page: a file of the folder Manual.
///
/// The text is ``Markup`` with headings. Above the first heading is the description. A heading in capitals is the title
/// of a section. A heading such as `# --output` begins the explanation of an option beyond its summary.
struct Manual: Sendable {
  /// Paragraphs.
  let description: String
  /// The texts below the headings, in order.
  let parts: [Section]

  /// Reads a text.
  init(_ text: String) {
    let parts = ("\n" + text).split(separator: "\n# ", omittingEmptySubsequences: false).map { $0.trimmed }
    description = String(parts[0])
    self.parts = parts.dropFirst().map { part in
      Section(String(part.prefix { $0 != "\n" }), String(part.drop { $0 != "\n" }.trimmed))
    }
  }

  /// Reads a file.
  ///
  /// - Parameter insertions: the generated texts that take the place of marks such as `{checks}`.
  init(_ file: [UInt8], inserting insertions: [String: String] = [:]) {
    let text = String(decoding: file, as: UTF8.self)
    self.init(insertions.reduce(text) { $0.replacing(bytes: $1.key, with: $1.value) })
  }

  /// The sections beyond those that every page has, such as `EXIT STATUS`.
  var sections: [Section] { parts.filter { !$0.title.hasPrefix("--") && $0.title != Manual.examplesTitle } }

  /// The pairs of an explanation and a command line, indented by four, in the section `EXAMPLES`.
  var examples: [Example] {
    let blocks = parts.first { $0.title == Manual.examplesTitle }?.text.split(separator: "\n\n") ?? []
    return stride(from: 1, to: blocks.count, by: 2).map { index in
      Example(String(blocks[index].dropFirst(4)), blocks[index - 1].replacing(bytes: "\n", with: " "))
    }
  }

  /// The explanations of options, by their long names.
  var explanations: [String: String] {
    let options = parts.filter { $0.title.hasPrefix("--") }
    return Dictionary(options.map { (String($0.title.dropFirst(2)), $0.text) }) { first, _ in first }
  }

  private static let examplesTitle = "EXAMPLES"
}

extension Substring {
  /// The text without empty lines at its ends.
  fileprivate var trimmed: Substring {
    let text = drop { $0 == "\n" }
    return text.prefix(upTo: text.lastIndex { $0 != "\n" }.map { text.index(after: $0) } ?? text.startIndex)
  }
}

/// A titled section of the long help and of a manual page, beyond those that every page has.
struct Section: Sendable {
  /// The title, in capitals: `EXIT STATUS`.
  let title: String
  /// The text, in ``Markup``.
  let text: String

  /// Creates a section: `Section("FILES", "- `~/.config/authctl/profiles/NAME.toml`: a profile.")`.
  init(_ title: String, _ text: String) {
    self.title = title
    self.text = text
  }
}

/// An example command line and its explanation.
struct Example: Sendable {
  /// The line as typed in a shell: `authctl call me`.
  let line: String
  /// The explanation, in ``Markup``: one sentence.
  let explanation: String

  /// Creates an example: `Example("authctl call me", "Asks the first API of the profile who you are.")`.
  init(_ line: String, _ explanation: String) {
    self.line = line
    self.explanation = explanation
  }
}
