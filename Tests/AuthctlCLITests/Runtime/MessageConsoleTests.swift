import Testing

@testable import AuthctlCLI

@Suite("MessageConsole") struct MessageConsoleTests {
  private func lines(asJSON: Bool, _ notes: String...) throws -> [String] {
    let base = try FakeConsole()
    let console = MessageConsole(
      base, program: ProgramName(calledBy: "authc"), asJSON: asJSON, line: OutputLine(isShared: false))
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

  @Test("a message starts on a line of its own if the streams are the same terminal, else nothing is added")
  func ownLine() throws {
    for isShared in [true, false] {
      for asJSON in [true, false] {
        let base = try FakeConsole()
        let line = OutputLine(isShared: isShared)
        let console = MessageConsole(base, program: .standard, asJSON: asJSON, line: line)
        try console.write("text")
        console.note("authctl: warning: a")
        try console.write("line\n")
        console.note("authctl: warning: b")
        line.wrote("body".utf8)
        line.wrote([])
        console.draw("drawn\n")
        console.draw("next\n")
        let texts =
          asJSON ? [#"{"warning":"a"}"#, #"{"warning":"b"}"#] : ["authctl: warning: a", "authctl: warning: b"]
        let end = isShared ? "\n" : ""
        #expect(base.error == "\(end)\(texts[0])\n\(texts[1])\n\(end)drawn\nnext\n")
        #expect(base.written == "textline\n")
      }
    }
  }
}
