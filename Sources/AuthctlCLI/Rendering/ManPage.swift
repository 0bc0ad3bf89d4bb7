/// A page of the manual, in the macros of man(7), for groff and mandoc alike.
struct ManPage: Sendable {
  /// The table.
  let program: Program
  /// The command; nil for the program's own page.
  let command: Command?

  /// The name of the page: `authctl-call`, as git names its own.
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
    page.text(Usage(program: program, command: command).spans)
    page.macro("SH", "DESCRIPTION")
    page.add(Markup(command?.description ?? program.description))
    if command == nil { addCommands(to: &page) }
    addOptions(to: &page)
    addExamples(to: &page)
    for section in command?.sections ?? program.sections {
      page.macro("SH", section.title)
      page.add(Markup(section.text))
    }
    addReferences(to: &page)
    return page.text
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
    let own = command?.options ?? []
    if command != nil, !own.isEmpty { add(own, to: &page) }
    if command != nil {
      page.macro("SS", "Options of every command")
    }
    add(program.globalOptions, to: &page)
  }

  private func add(_ options: [Option], to page: inout Roff) {
    for option in options {
      page.tagged(option.spans)
      page.addNested(option.fullText)
    }
  }

  private func addExamples(to page: inout Roff) {
    guard let examples = command?.examples, !examples.isEmpty else { return }
    page.macro("SH", "EXAMPLES")
    for (index, example) in examples.enumerated() {
      if index > 0 { page.macro("PP") }
      page.text(Markup.Span.spans(of: example.explanation))
      page.literal([example.line])
    }
  }

  private func addReferences(to page: inout Roff) {
    let others = command == nil ? program.commands.map { "\(program.name)-\($0.name)" } : [program.name]
    guard !others.isEmpty else { return }
    page.macro("SH", "SEE ALSO")
    for (index, other) in others.enumerated() {
      page.line([.code(other)], then: index < others.count - 1 ? "(1)," : "(1)")
    }
  }

  private func sentence(_ summary: String) -> String { summary.prefix(1).uppercased() + summary.dropFirst() + "." }
}
