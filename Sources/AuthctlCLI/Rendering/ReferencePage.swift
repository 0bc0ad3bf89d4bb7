/// A page of the manual about something other than a command.
struct ReferencePage: Sendable {
  /// The table.
  let program: Program
  /// The subject of the page.
  let reference: Reference

  /// The name of the page: `authctl-profile`.
  var name: String { "\(program.name)-\(reference.name)" }

  /// The path of the page in the source tree.
  var path: String { "man/\(name).\(reference.manualSection)" }

  /// The text, with its last newline.
  var text: String {
    var page = Roff()
    page.comment("Made from the table of commands by make generate. Edit the table, not this file.")
    page.header(
      name, section: reference.manualSection, date: program.date, source: "\(program.name) \(program.version)")
    page.request("ad l")
    page.request("nh")
    page.macro("SH", "NAME")
    page.line([.text(name)], then: " \\- " + Roff.escaped(reference.summary))
    for section in reference.sections() {
      page.macro("SH", section.title)
      page.add(Markup(section.text))
    }
    page.references([(program.name, 1)] + reference.commands.map { ("\(program.name)-\($0)", 1) })
    return page.text
  }
}
