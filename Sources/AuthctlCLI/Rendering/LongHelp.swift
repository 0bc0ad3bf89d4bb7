/// The text of `--help`, with the same content as the manual page.
struct LongHelp: Sendable {
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
    page.title("USAGE")
    page.wrapped(Usage(program: program, command: command).spans, indent: 4)
    page.title("DESCRIPTION")
    let manual = program.manual(of: command)
    page.add(Markup(manual.description), indent: 4)
    addCommands(command == nil ? program.commands : command?.subcommands ?? [], to: &page)
    addOptions(to: &page)
    addExamples(to: &page)
    for section in manual.sections {
      page.title(section.title)
      page.add(Markup(section.text), indent: 4)
    }
    return page.text
  }

  private func addCommands(_ commands: [Command], to page: inout Page) {
    guard !commands.isEmpty else { return }
    page.title("COMMANDS")
    let column = 6 + (commands.map(\.word.count).max() ?? 0)
    for command in commands {
      page.wrapped(Markup.Span.spans(of: command.summary), indent: column, lead: [.text("    "), .code(command.word)])
    }
  }

  private func addOptions(to page: inout Page) {
    guard let command else { return add("OPTIONS", program.globalOptions, to: &page) }
    let settings = command.settings
    add("OPTIONS", command.options.filter { !settings.contains($0) }, to: &page)
    if !settings.isEmpty {
      let names = command.shortHelpOptions.filter(settings.contains).map { "`--\($0.long)`" }
      page.gap()
      page.line([.code("--KEY"), .text(" "), .placeholder("VALUE")], indent: 4)
      let text = """
        Each key of a profile is an option, with dashes for underscores, such as \(names.joined(separator: ", ")). \
        Give it several times for a list. \(program.name)-\(command.words[0])(1) explains all of them.
        """
      page.add(Markup(text), indent: 8)
    }
    page.title("OPTIONS OF EVERY COMMAND")
    page.add(Markup(program.sharedOptions), indent: 4)
  }

  private func add(_ title: String, _ options: [Option], to page: inout Page) {
    guard !options.isEmpty else { return }
    page.title(title)
    let explanations = program.explanations(for: command)
    for (index, option) in options.enumerated() {
      if index > 0 { page.gap() }
      page.line(option.spans, indent: 4)
      page.add(option.fullText(explanations), indent: 8)
    }
  }

  private func addExamples(to page: inout Page) {
    guard let examples = command?.examples, !examples.isEmpty else { return }
    page.title("EXAMPLES")
    for (index, example) in examples.enumerated() {
      if index > 0 { page.gap() }
      page.line([.code(example.line)], indent: 4)
      page.wrapped(Markup.Span.spans(of: example.explanation), indent: 8)
    }
  }
}

extension Program {
  /// Where the options of every command are explained, in ``Markup``.
  var sharedOptions: String {
    globalOptions.map { "`\($0.names[0])`" }.joined(separator: ", ") + ": see \(name)(1), or run `\(name) --help`."
  }
}
