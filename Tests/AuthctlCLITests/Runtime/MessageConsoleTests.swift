import Testing

@testable import AuthctlCLI

@Suite("MessageConsole") struct MessageConsoleTests {
  private func lines(asJSON: Bool, _ notes: String...) throws -> [String] {
    let base = try FakeConsole()
    let console = MessageConsole(base, program: ProgramName(calledBy: "authc"), asJSON: asJSON)
    for note in notes { console.note(note) }
    return base.errorLines
  }

  @Test("a message begins with the name of the program")
  func name() throws {
    let lines = try lines(
      asJSON: false, "authctl: warning: the clock is off", "authctl: no profile yet: authctl login NAME …",
      "[    1 ms] > X: authctl login")
    #expect(
      lines == [
        "authc: warning: the clock is off", "authc: no profile yet: authc login NAME …",
        "[    1 ms] > X: authctl login",
      ])
  }

  @Test("with JSON errors, warnings and notes are JSON lines, too")
  func json() throws {
    let lines = try lines(
      asJSON: true, "authctl: warning: the \"clock\"", "authctl: logged in", "", "  https://id.example/authorize")
    #expect(
      lines == [
        #"{"warning":"the \"clock\""}"#, #"{"note":"logged in"}"#, #"{"note":"https://id.example/authorize"}"#,
      ])
  }
}
