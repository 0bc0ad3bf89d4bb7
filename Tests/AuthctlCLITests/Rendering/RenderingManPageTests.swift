import Testing

@testable import AuthctlCLI

@Suite("ManPage") struct RenderingManPageTests {
  static let pages = [Program.authctl, Program.sample].flatMap { program in
    ([nil] + program.commands.map(Optional.some)).map { ManPage(program: program, command: $0) }
  }

  static let references = [Program.authctl, Program.sample].flatMap { program in
    program.references.map { ReferencePage(program: program, reference: $0) }
  }
  static let texts = pages.map { ($0.path, $0.text) } + references.map { ($0.path, $0.text) }

  @Test("leaves mandoc and groff nothing to complain about", arguments: texts.indices)
  func lint(index: Int) throws {
    let page = (path: Self.texts[index].0, text: Self.texts[index].1)
    let mandoc = try Tool.run(["mandoc", "-T", "lint"], input: page.text)
    #expect(mandoc == Tool.Outcome(status: 0, output: "", errors: ""), "\(page.path)")
    for device in ["utf8", "ascii", "ps"] {
      let groff = try Tool.run(["groff", "-ww", "-man", "-T", device], input: page.text)
      #expect(groff.status == 0 && groff.errors.isEmpty, "\(page.path): \(groff.errors)")
    }
  }

  @Test("comes out of both as it was written, so that examples can be pasted", arguments: ["mandoc", "groff"])
  func text(tool: String) throws {
    let page = ManPage(program: .sample, command: nil).text
    let arguments = tool == "mandoc" ? ["mandoc", "-T", "ascii"] : ["groff", "-man", "-T", "ascii", "-P-cbou"]
    let overstruck = try Tool.run(arguments, input: page).output
    let lines = overstruck.replacing(/.\u{8}/, with: "").split(separator: "\n").map { $0.drop { $0 == " " } }
    let text = lines.joined(separator: "\n")
    #expect(text.contains(#".starts with a dot, and 'quotes' \ backslashes, "double" ones,"#))
    #expect(text.contains("--long-name, access_token and NAME."))
    #expect(lines.contains(#"literal  --line 'a' \n"#))
    #expect(lines.contains("-p, --profile NAME"))
    #expect(lines.contains { $0.hasPrefix("AUTHCTL(1)") && $0.hasSuffix("AUTHCTL(1)") })
    #expect(lines.contains("authctl-call(1)"))
    #expect(text.contains("authctl-call(1), authctl-logout(1), authctl-status(1),"))
    #expect(text.contains("authctl-keyring(5)"))
    #expect(text.contains("0") && text.contains("all went well"))
  }

  @Test("marks what is typed in bold and what is replaced in italics")
  func fonts() {
    let text = ManPage(program: .sample, command: .sampleCall).text
    #expect(text.contains("\n.TP\n\\fB\\-X\\fP, \\fB\\-\\-request\\fP \\fIMETHOD\\fP\nUse this method.\n"))
    #expect(text.contains("\n\\fBauthctl\\fP \\fBcall\\fP \\fI[OPTIONS]\\fP \\fIURL|PATH\\fP\n"))
    #expect(text.contains("\n\\fBauthctl call \\-X POST \\-d \\(aqa=b\\(aq me\\fP\n"))
    #expect(!text.contains("Show help:"))
    #expect(
      ManPage(program: .sample, command: nil).text.contains(
        "\nShow help: \\-h for a summary, \\-\\-help for all.\n"))
    #expect(Roff.escaped("well-known - (-x)") == "well-known \\- (\\-x)")
    #expect(text.hasPrefix(".\\\" Made from the table"))
  }

  @Test("describes a whole family on one page")
  func family() {
    let text = ManPage(program: .sample, command: .sampleKeyring).text
    #expect(
      text.contains(
        "\\fBkeyring\\fP \\fBstatus\\fP \\fI[OPTIONS]\\fP\n.br\n\\fBauthctl\\fP \\fBkeyring\\fP \\fBerase\\fP"))
    #expect(text.contains("\n.SH \"KEYRING ERASE\"\nIt's [all] gone.\n.PP\nErases.\n"), "\(text)")
    #expect(text.contains("\n.SH OPTIONS\n\\fB\\-p\\fP, "), "\(text)")
    #expect(text.contains("\n.SH NOTES\nNoted.\n"), "\(text)")
    #expect(text.hasSuffix("\n.SH \"SEE ALSO\"\n\\fBauthctl\\fP(1),\n\\fBauthctl\\-keyring\\fP(5)\n"), "\(text)")
  }

  @Test("is named as git names its pages")
  func names() {
    #expect(
      Program.sample.generatedFiles.map(\.path) == [
        "man/authctl.1", "man/authctl-call.1", "man/authctl-logout.1", "man/authctl-status.1",
        "man/authctl-keyring.1", "man/authctl-keyring.5",
      ])
  }
}
