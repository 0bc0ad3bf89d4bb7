import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("ExecRun") struct ExecRunTests {
  @Test("a name that no variable can have: status 2", arguments: ["", "1A", "A-B", "A=B", "É", "A B"])
  func badNames(name: String) async throws {
    let outcome = try await Workplace(.none).run("exec", "--env", name, "--", "echo", "ran")
    #expect(outcome.status == 2 && outcome.text.isEmpty)
    #expect(outcome.error.contains("variable"), "\(outcome.error)")
  }

  @Test("the process becomes the command, with the token in the variables that --env names")
  func command() async throws {
    let place = try await Workplace.loggedIn()
    let replacement = FakeReplacement(failure: .permissionDenied)
    let token = try #require(try place.pair().string("access_token"))
    let words = ["exec", "--env", "GH_TOKEN", "--env=OTHER", "--", "sh", "-c", "true", "--quiet"]
    let outcome = await place.run(words, at: try FakeConsole(), with: .init(replacement: replacement))
    #expect(replacement.words == ["sh", "-c", "true", "--quiet"])
    #expect(replacement.variables == ["GH_TOKEN": token, "OTHER": token])
    #expect(
      outcome.error == """
        authctl: running sh: Permission denied
          check that it is a program and executable

        """)
    #expect(outcome.status == 126 && outcome.output.isEmpty)
  }

  @Test("a command that does not exist ends with 127; its arguments are not shown")
  func absent() async throws {
    let place = try await Workplace.loggedIn()
    let outcome = try await place.run("exec", "--", "no-such-command", "argument")
    #expect(outcome.status == 127 && outcome.output.isEmpty)
    #expect(
      outcome.error == """
        authctl: running no-such-command: No such file or directory
          check its name and PATH

        """)
  }

  @Test("without a login nothing is run: status 3")
  func loggedOut() async throws {
    let place = try Workplace()
    try place.makeProfile()
    let replacement = FakeReplacement()
    let outcome = await place.run(["exec", "true"], at: try FakeConsole(), with: .init(replacement: replacement))
    #expect(outcome.status == 3 && replacement.words.isEmpty)
    #expect(outcome.error == "authctl: profile work: not logged in\n  run: authctl login work\n")
  }
}
