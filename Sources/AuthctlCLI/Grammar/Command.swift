/// One command: what may be typed after its name, and how it is explained.
struct Command: Sendable {
  /// The word that calls it, `call`; below a family both words, `profile list`.
  let name: String
  /// One line in lower case without a full stop.
  let summary: String
  /// What it takes beside options, in order.
  let operands: [Operand]
  /// What it does, in ``Markup``: paragraphs.
  let description: String
  /// Its own options, beside the program's.
  let options: [Option]
  /// The long names of those of its own options that `-h` shows, the most used first.
  let leading: [String]
  /// Lines to try; at least one. `-h` shows the first three.
  let examples: [Example]
  /// More parts of its help and its manual page, such as `EXIT STATUS`.
  let sections: [Section]
  /// The commands of a family, each of which is called by the family's word and its own; empty for every other command.
  let subcommands: [Command]
  /// What to do instead of an option that it doesn't have, as it was typed; nil where there is nothing special to say.
  let unknownOptionAdvice: @Sendable (String) -> String?

  /// Creates a command; `-h` shows all of its options unless `leading` is given.
  init(
    name: String, summary: String, operands: [Operand] = [], description: String, options: [Option] = [],
    leading: [String]? = nil, examples: [Example], sections: [Section] = [],
    unknownOptionAdvice: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.description = description
    self.options = options
    self.leading = leading ?? options.map(\.long)
    self.examples = examples
    self.sections = sections
    subcommands = []
    self.unknownOptionAdvice = unknownOptionAdvice
  }

  /// Makes a family: commands whose names begin with the same word.
  init(
    family name: String, summary: String, description: String, subcommands: [Command], sections: [Section] = []
  ) {
    self.name = name
    self.summary = summary
    self.description = description
    self.subcommands = subcommands
    self.sections = sections
    operands = []
    options = []
    leading = []
    examples = subcommands.compactMap(\.examples.first)
    unknownOptionAdvice = { _ in nil }
  }

  /// The words that call it, in order.
  var words: [String] { name.split(separator: " ").map(String.init) }

  /// The word that calls it within its family; the only one elsewhere.
  var word: String { words.last ?? name }

  /// The options that `-h` shows.
  var shortHelpOptions: [Option] { leading.compactMap { name in options.first { $0.long == name } } }

  /// Whether other commands are called through it, and it does nothing itself.
  var isFamily: Bool { !subcommands.isEmpty }
}

/// A line to try, and what it does.
struct Example: Sendable {
  /// The line as typed in a shell: `authctl call me`.
  let line: String
  /// What it does, in ``Markup``: one sentence.
  let explanation: String

  /// Makes an example: `Example("authctl call me", "Asks the first API of the profile who you are.")`.
  init(_ line: String, _ explanation: String) {
    self.line = line
    self.explanation = explanation
  }
}
