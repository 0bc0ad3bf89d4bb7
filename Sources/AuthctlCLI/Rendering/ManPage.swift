/// A page of the manual, in the macros of man(7), for groff and mandoc.
struct ManPage: Sendable {
  /// The table.
  let program: Program
  /// The command; nil for the program's own page.
  let command: Command?

  /// The name of the page: `authctl-call`, in the style of git.
  var name: String { [program.name, command?.name].compactMap { $0 }.joined(separator: "-") }

  /// The path of the page in the source tree.
  var path: String { "man/\(name).1" }

  /// The text, with its last newline.
  var text: String {
    var page = Roff()
    page.comment("Made from the table of commands by make generate. Edit the table, not this file.")
    page.header(name, date: program.date, source: "\(program.name) \(program.version)")
    page.request("ad l")
    page.request("nh")
    page.macro("SH", "NAME")
    page.line([.text(name)], then: " \\- " + Roff.escaped(command?.summary ?? program.summary))
    page.macro("SH", "SYNOPSIS")
    addUsage(to: &page)
    page.macro("SH", "DESCRIPTION")
    let manual = program.manual(of: command)
    page.add(Markup(manual.description))
    if let command, command.isFamily {
      addSubcommands(of: command, to: &page)
    } else if command == nil {
      addCommands(to: &page)
    }
    addOptions(to: &page)
    if let command, !command.isFamily { addExamples(of: command, to: &page) }
    for section in manual.sections {
      page.macro("SH", section.title)
      page.add(Markup(section.text))
    }
    addReferences(to: &page)
    return page.text
  }

  private func addUsage(to page: inout Roff) {
    let usages = (command?.subcommands ?? []).map { Usage(program: program, command: $0) }
    for (index, usage) in (usages.isEmpty ? [Usage(program: program, command: command)] : usages).enumerated() {
      if index > 0 { page.request("br") }
      page.text(usage.spans)
    }
  }

  /// Adds the commands of a family. A family has one page, because its commands share most of their description.
  private func addSubcommands(of family: Command, to page: inout Roff) {
    for command in family.subcommands {
      page.macro("SH", command.name.uppercased())
      page.text(Markup.Span.spans(of: sentence(command.summary)))
      page.macro("PP")
      page.add(Markup(command.manual.description))
      add(command.options, of: command, to: &page)
      addExamples(of: command, titled: false, to: &page)
    }
  }

  private func addCommands(to page: inout Roff) {
    guard !program.commands.isEmpty else { return }
    page.macro("SH", "COMMANDS")
    for command in program.commands {
      page.tagged([.code("\(program.name)-\(command.name)"), .text("(1)")])
      page.text(Markup.Span.spans(of: sentence(command.summary)))
    }
  }

  private func addOptions(to page: inout Roff) {
    page.macro("SH", "OPTIONS")
    guard let command else { return add(program.globalOptions, of: nil, to: &page) }
    add(command.options, of: command, to: &page)
    if !command.isFamily { page.macro("SS", "Options of every command") }
    page.add(Markup(program.sharedOptions))
  }

  private func add(_ options: [Option], of command: Command?, to page: inout Roff) {
    let explanations = program.explanations(for: command)
    for option in options {
      page.tagged(option.spans)
      page.addNested(option.fullText(explanations))
    }
  }

  private func addExamples(of command: Command, titled: Bool = true, to page: inout Roff) {
    let examples = command.examples
    guard !examples.isEmpty else { return }
    if titled { page.macro("SH", "EXAMPLES") }
    for (index, example) in examples.enumerated() {
      if index > 0 || !titled { page.macro("PP") }
      page.text(Markup.Span.spans(of: example.explanation))
      page.literal([example.line])
    }
  }

  private func addReferences(to page: inout Roff) {
    let commands = command == nil ? program.commands.map { "\(program.name)-\($0.name)" } : [program.name]
    let references = program.references.filter { command == nil || $0.name == command?.name }
    page.references(commands.map { ($0, 1) } + references.map { ("\(program.name)-\($0.name)", $0.manualSection) })
  }

  private func sentence(_ summary: String) -> String { summary.prefix(1).uppercased() + summary.dropFirst() + "." }
}
