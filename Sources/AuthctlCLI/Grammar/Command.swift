/// One command: what may be typed after its name, how it is explained, and what it does.
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
  /// Does it.
  let run: @Sendable (Invocation, Context) async throws -> ExitStatus

  /// Creates a command; `-h` shows all of its options unless `leading` is given.
  init(
    name: String, summary: String, operands: [Operand] = [], description: String, options: [Option] = [],
    leading: [String]? = nil, examples: [Example], sections: [Section] = [],
    unknownOptionAdvice: @escaping @Sendable (String) -> String? = { _ in nil },
    run: @escaping @Sendable (Invocation, Context) async throws -> ExitStatus
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
    self.run = run
  }

  /// Makes a family: commands whose names begin with the same word.
  ///
  /// Without the name of one of them it does what the program does without a command's: it shows its short help on
  /// standard error, which is a usage error.
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
    run = { invocation, context in
      let help = ShortHelp(program: .authctl, command: invocation.command, name: context.program)
      context.console.note(help.text(width: context.console.width, colour: false))
      return .usage
    }
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
