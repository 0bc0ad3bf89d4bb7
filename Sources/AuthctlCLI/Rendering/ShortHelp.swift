/// The text of `-h`, one screen: usage, three examples, then the most used commands and options.
struct ShortHelp: Sendable {
  /// The table.
  let program: Program
  /// The command; nil for the program.
  let command: Command?
  /// The name of the program in the text.
  var name = ProgramName.standard

  /// The text, with its last newline. `width` is in columns.
  func text(width: Int, colour: Bool) -> String {
    var page = Page(width: width, colour: colour, program: name)
    let subject = [program.name, command?.name].compactMap { $0 }.joined(separator: " ")
    page.wrapped([.code(subject)] + Markup.Span.spans(of: ": " + (command?.summary ?? program.summary)), indent: 0)
    page.gap()
    page.wrapped(Usage(program: program, command: command).spans, indent: 7, lead: [.text("Usage: ")])
    let commands = command?.subcommands ?? program.commands.filter { !$0.isForPrograms }
    add("Commands:", commands.map { ([.code($0.word)], $0.summary) }, to: &page)
    addExamples(to: &page)
    add("Options:", options.map { ($0.spans, $0.summary) }, to: &page)
    page.gap()
    if command == nil, !program.firstStep.isEmpty {
      page.wrapped(Markup.Span.spans(of: "start with: `\(program.firstStep)`"), indent: 0)
    }
    page.wrapped(closing, indent: 0)
    return page.text
  }

  /// The command's own options, then the program's. A family has no use for a profile: its commands name one.
  private var options: [Option] {
    guard let command else { return program.leading }
    return command.shortHelpOptions + program.leading.filter { !command.isFamily || $0.long != Option.profile.long }
  }

  private var closing: [Markup.Span] {
    let line = [program.name, command?.name].compactMap { $0 }.joined(separator: " ")
    guard let command, !command.isFamily else {
      return Markup.Span.spans(of: "Run `\(line) COMMAND -h` for one command, `\(line) --help` for all.")
    }
    let all = command.leading.count < command.options.count ? "all options" : "the full help"
    return Markup.Span.spans(of: "Run `\(line) --help` for \(all).")
  }

  private func addExamples(to page: inout Page) {
    guard let examples = command?.examples.prefix(3), !examples.isEmpty else { return }
    page.title("Examples:")
    for example in examples { page.line([.text("  "), .text(example.line)], indent: 0) }
  }

  /// Adds rows of two columns. A left part that is too long for its column gets a line of its own.
  private func add(_ title: String, _ rows: [(left: [Markup.Span], right: String)], to page: inout Page) {
    guard !rows.isEmpty else { return }
    page.title(title)
    let lefts = rows.map { [.text("  ")] + indented($0.left) }
    let widths = lefts.map { $0.map(\.content.count).reduce(0, +) }
    let column = min(widths.max() ?? 0, 30) + 2
    for (index, left) in lefts.enumerated() {
      let right = Markup.Span.spans(of: rows[index].right)
      if widths[index] + 2 > column {
        page.line(left, indent: 0)
        page.wrapped(right, indent: column)
      } else {
        page.wrapped(right, indent: column, lead: left)
      }
    }
  }

  /// Aligns long names: one without a short name is indented like the others.
  private func indented(_ spans: [Markup.Span]) -> [Markup.Span] {
    let isBare = spans.first?.content.hasPrefix("--") ?? false
    return isBare ? [.text("    ")] + spans : spans
  }
}

extension Usage {
  /// The usage line, split into text that the user types and names that the user replaces.
  var spans: [Markup.Span] {
    let typed = 1 + (command?.words.count ?? 0)
    return words.enumerated().flatMap { index, word -> [Markup.Span] in
      let span: Markup.Span = index < typed ? .code(word) : .placeholder(word)
      return index == 0 ? [span] : [.text(" "), span]
    }
  }
}
