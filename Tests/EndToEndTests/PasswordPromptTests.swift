import Foundation
import Glibc
import TestSupport
import Testing

/// A prompt for a secret under a shell with job control.
@Suite("a password prompt, end to end")
struct PasswordPromptTests {
  /// Starts a command that asks for a password; the shell goes on with a script when it is stopped.
  private func start(_ script: String, _ place: Workplace, _ terminal: PseudoTerminal) throws -> ProgramRun {
    let run = try place.start(
      ["call", "-u", "alice", place.lab.origin + "/open/echo"], input: .screen(terminal),
      through: ["/bin/bash", "-mc", "\"$0\" \"$@\"; \(script)"])
    _ = try terminal.read(until: "Password of alice")
    try Waiting.until("no echo") { !terminal.echoes }
    return run
  }

  @Test("stopped by Ctrl-Z, it leaves the shell its echo; continued, it asks again without")
  func stopped() throws {
    let place = try Workplace.loggedIn()
    let terminal = try PseudoTerminal()
    let run = try start("echo stopped; read -r line; echo \"<$line>\"; fg", place, terminal)
    try terminal.type("half\u{1A}")
    _ = try terminal.read(until: "stopped")
    #expect(terminal.echoes)
    try terminal.type("shown\n")
    let screen = try terminal.read(until: "Password of alice")
    #expect(screen.contains("shown\r\n<shown>"), "\(screen)")
    try Waiting.until("no echo") { !terminal.echoes }
    try terminal.type("alice-pass\n")
    let rest = try terminal.readToEnd()
    #expect(!rest.contains("alice-pass"), "\(rest)")
    #expect(try run.wait().status == 0)
    #expect(terminal.echoes)
  }

  @Test("stopped by SIGSTOP and continued, it asks again without echo")
  func suspended() throws {
    let place = try Workplace.loggedIn()
    let terminal = try PseudoTerminal()
    // A shell that resets the terminal, as one with line editing does.
    let run = try start("stty echo; echo stopped; read -r line; fg", place, terminal)
    let child = try String(contentsOfFile: "/proc/\(run.pid)/task/\(run.pid)/children", encoding: .utf8)
    let pid = try #require(child.split(separator: " ").first.flatMap { pid_t($0) })
    kill(pid, SIGSTOP)
    _ = try terminal.read(until: "stopped")
    try terminal.type("\n")
    _ = try terminal.read(until: "Password of alice")
    try Waiting.until("no echo") { !terminal.echoes }
    try terminal.type("alice-pass\n")
    #expect(try !terminal.readToEnd().contains("alice-pass"))
    #expect(try run.wait().status == 0)
  }
}
