/// One command: what may be typed after its name, how it is explained, and what it does.
struct Command: Sendable {
  /// The word that calls it: `call`.
  let name: String
  /// One line in lower case without a full stop.
  let summary: String
  /// What it takes beside options, in order.
  let operands: [Operand]
  /// What it does, in ``Markup``: paragraphs.
  let description: String
  /// Its own options, beside the program's.
  let options: [Option]
  /// Lines to try; at least one.
  let examples: [Example]
  /// More parts of its help and its manual page, such as `EXIT STATUS`.
  let sections: [Section]
  /// Does it.
  let run: @Sendable (Invocation, Context) async throws -> ExitStatus

  /// Makes a command.
  init(
    name: String, summary: String, operands: [Operand] = [], description: String, options: [Option] = [],
    examples: [Example], sections: [Section] = [],
    run: @escaping @Sendable (Invocation, Context) async throws -> ExitStatus
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.description = description
    self.options = options
    self.examples = examples
    self.sections = sections
    self.run = run
  }
}
