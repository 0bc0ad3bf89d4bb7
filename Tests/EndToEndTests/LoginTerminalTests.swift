import Foundation
import Glibc
import TestSupport
import Testing

/// What a person sees at a terminal while a login waits.
@Suite("login at a terminal, end to end")
struct LoginTerminalTests {
  private let emptyLine = "\r\u{1B}[K"

  @Test("the time left is redrawn on one line, below each message; Ctrl-C leaves a clean line")
  func line() throws {
    let place = try Workplace()
    let terminal = try PseudoTerminal()
    let run = try place.start(
      place.browserLogin(["--no-browser"]), input: .terminal(terminal), environment: ["TERM": "xterm"])
    let first = try terminal.read(until: " left")
    let line = emptyLine + "Waiting for the browser at http://127.0.0.1:"
    #expect(first.contains("/authorize?") && first.contains("\r\n" + line), "\(first)")
    // Not each second is drawn on a machine that is busy.
    let second = try terminal.read(until: " left")
    #expect(second.contains(line) && second.contains(" 4:") && !second.contains("\n"), "\(second)")
    #expect(try AuthorizationURL(in: first).visit("/callback").status == 400)
    let third = try terminal.read(until: "still waiting\r\nWaiting for the browser")
    #expect(third.contains(emptyLine + "authctl: the browser returned without a code"), "\(third)")
    try terminal.type("\u{3}")
    let rest = try terminal.readToEnd()
    #expect(rest.hasSuffix(emptyLine), "\(rest)")
    #expect(try run.wait().status == 130)
  }

  @Test("the line is gone when the login has ended")
  func end() throws {
    let place = try Workplace()
    let terminal = try PseudoTerminal()
    let run = try place.start(
      place.browserLogin(), input: .terminal(terminal),
      environment: place.browser().merging(["TERM": "xterm"]) { $1 })
    let screen = try terminal.readToEnd()
    #expect(screen.contains("left" + emptyLine + "\u{1B}[32m✓ logged in to work as alice"), "\(screen)")
    #expect(try run.wait().status == 0)
  }

  @Test("Enter opens the page of a device login in the browser")
  func enter() throws {
    let place = try Workplace()
    let terminal = try PseudoTerminal()
    let run = try place.start(
      place.deviceLogin(), input: .terminal(terminal),
      environment: place.browser().merging(["TERM": "xterm"]) { $1 })
    _ = try terminal.read(until: "left. Press Enter to open the page here.")
    try terminal.type("\n")
    let screen = try terminal.read(until: "logged in to work")
    // The terminal has shown the line end: the line stays where it was.
    #expect(screen.contains("\u{1B}[1A" + emptyLine), "\(screen)")
    _ = try terminal.readToEnd()
    #expect(try run.wait().status == 0)
    #expect(try place.browserLog().contains("user_code="))
  }

  @Test("in a pipe nothing is read and nothing is redrawn", arguments: ["\n\n", "text without an end", ""])
  func pipe(input: String) throws {
    let place = try Workplace()
    let run = try place.start(
      place.deviceLogin(), input: .text(input), environment: place.browser().merging(["TERM": "xterm"]) { $1 })
    try run.waitUntilError(contains: "?user_code=")
    try place.lab.decideDevices(#"{"decision":"allow"}"#)
    let outcome = try run.wait()
    outcome.expect(0)
    #expect(!outcome.error.contains("\u{1B}") && !outcome.error.contains("Waiting"), "\(outcome.error)")
    #expect(throws: (any Error).self) { try place.browserLog() }
  }

  @Test("in the background the terminal is not read, which would stop the login")
  func background() throws {
    let place = try Workplace()
    let terminal = try PseudoTerminal()
    let run = try place.start(
      place.deviceLogin(), input: .terminal(terminal),
      environment: place.browser().merging(["TERM": "xterm"]) { $1 },
      through: ["/bin/bash", "-mc", "\"$@\" & wait $!", "bash"])
    _ = try terminal.read(until: "Press Enter")
    try terminal.type("\n")
    // It has looked at the terminal several times by then.
    try Waiting.until("a poll") { try place.lab.count("token.device_code") > 0 }
    try place.lab.decideDevices(#"{"decision":"allow"}"#)
    _ = try terminal.read(until: "logged in to work")
    #expect(try run.wait().status == 0)
    #expect(throws: (any Error).self) { try place.browserLog() }
  }

  @Test("a login without arguments asks at the terminal, and ends in a session")
  func conversation() throws {
    let place = try Workplace(lab: ["--registration"])
    let terminal = try PseudoTerminal()
    let run = try place.start(
      ["login"], input: .terminal(terminal), environment: place.browser().merging(["TERM": "xterm"]) { $1 })
    _ = try terminal.read(until: "Address of the API or of its server: ")
    try terminal.type(place.lab.origin + "\n")
    _ = try terminal.read(until: "API that gets the token [none]: ")
    try terminal.type(place.lab.origin + "/api\n")
    _ = try terminal.read(until: "Flow, browser or device [browser]: ")
    try terminal.type("\n")
    let screen = try terminal.readToEnd()
    #expect(screen.contains("Client       registered as "), "\(screen)")
    #expect(try run.wait().status == 0)
    #expect(try place.run("call", "/me").status == 0)
  }

  @Test("Ctrl-C at a question leaves nothing behind: status 130", arguments: [0, 1, 2])
  func interrupted(answered: Int) throws {
    let place = try Workplace(lab: ["--registration"])
    let terminal = try PseudoTerminal()
    let run = try place.start(["login"], input: .terminal(terminal), environment: ["TERM": "xterm"])
    let questions = ["its server: ", "[none]: ", "[browser]: "]
    let answers = [place.lab.origin, place.lab.origin + "/api"]
    for index in 0...answered {
      _ = try terminal.read(until: questions[index])
      try terminal.type(index < answered ? answers[index] + "\n" : "\u{3}")
    }
    _ = try terminal.readToEnd()
    #expect(try run.wait().status == 130)
    #expect(try place.lab.count("registration.create") == 0)
    let status = try place.run("status")
    #expect(status.error.contains("no profile configured yet"), "\(status.error)")
  }

  @Test("the address that is pasted at the terminal ends the login, and is not shown")
  func paste() throws {
    let place = try Workplace()
    let terminal = try PseudoTerminal()
    let run = try place.start(
      place.browserLogin(["--no-browser"]), input: .terminal(terminal), environment: ["TERM": "xterm"])
    let first = try terminal.read(until: "and press Enter (it is not shown):")
    let request = try AuthorizationURL(in: first)
    #expect(first.contains("  ssh -N -L \(request.port):127.0.0.1:\(request.port) USER@HOST\r\n"), "\(first)")
    let location = try place.redirect(of: request)
    let code = try #require(URLComponents(string: location)?.queryItems?.first { $0.name == "code" }?.value)
    try terminal.type("\(code)\n")
    _ = try terminal.read(until: "this is not the whole address")
    try terminal.type("\(location)\n")
    let screen = try terminal.readToEnd()
    #expect(screen.contains("logged in to work as alice") && !screen.contains(code), "\(screen)")
    #expect(try run.wait().status == 0)
  }

  @Test("--complete takes the address from a pipe that stays open")
  func complete() throws {
    let place = try Workplace()
    let run = try place.start(place.browserLogin(["--complete"]), input: .held)
    try run.waitUntilError(contains: "to standard input.")
    let location = try place.redirect(of: AuthorizationURL(in: run.errorSoFar))
    try run.write(location + "\n")
    let outcome = try run.wait()
    outcome.expect(0)
    #expect(try place.stored() != nil)
  }
}
