import Foundation
import Testing

@testable import AuthctlCLI

/// `.make/rename`, with which `make install NAME=...` installs under another name.
@Suite("Renaming") struct RenderingRenameTests {
  static let script = GeneratedFilesTests.top.appending(path: ".make/rename").path

  @Test(
    "changes the word that one types and nothing else",
    arguments: [
      ("authctl call; authctl-call(1), \\fBauthctl\\-call\\fP\n", "foo call; foo-call(1), \\fBfoo\\-call\\fP\n"),
      ("~/.config/authctl/profiles, $X/authctl\n", "~/.config/authctl/profiles, $X/authctl\n"),
      ("application authctl profile\n", "application authctl profile\n"),
      ("application=authctl, authctl\n", "application=authctl, foo\n"),
      ("\\fBapplication\\fP\n\\fBauthctl\\fP\n", "\\fBapplication\\fP\n\\fBauthctl\\fP\n"),
      ("\\fBauthctl: work\\fP AUTHCTL_PROFILE\n", "\\fBauthctl: work\\fP AUTHCTL_PROFILE\n"),
      ("complete -F _authctl_complete authctl\n", "complete -F _authctl_complete foo\n"),
      ("#compdef authctl\n", "#compdef foo\n"),
      (".TH AUTHCTL\\-CALL 1 2026-01-31 \"authctl 1\"\n", ".TH FOO\\-CALL 1 2026-01-31 \"foo 1\"\n"),
    ])
  func words(before: String, after: String) throws {
    #expect(try Tool.run([Self.script, "foo"], input: before) == Tool.Outcome(status: 0, output: after, errors: ""))
  }

  @Test("leaves pages that mandoc and groff are content with", arguments: Program.sample.generatedFiles)
  func pages(file: GeneratedFile) throws {
    let page = try Tool.run([Self.script, "oauth-ctl"], input: file.text).output
    #expect(page.contains("OAUTH\\-CTL"))
    #expect(try Tool.run(["mandoc", "-T", "lint"], input: page) == Tool.Outcome(status: 0, output: "", errors: ""))
    let groff = try Tool.run(["groff", "-ww", "-man", "-T", "utf8"], input: page)
    #expect(groff.status == 0 && groff.errors.isEmpty, "\(groff.errors)")
  }

  @Test("refuses what can't be the name of a command", arguments: ["", "a b", "a/b", "-x", "a,b", "a&b"])
  func refuses(name: String) throws {
    #expect(try Tool.run([Self.script, name], input: "authctl\n").status != 0)
  }
}
