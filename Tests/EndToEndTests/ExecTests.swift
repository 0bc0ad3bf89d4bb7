import Foundation
import TestSupport
import Testing

@Suite("exec, end to end")
struct ExecTests {
  @Test("the command has the token in its environment, its own arguments, and its exit status is ours")
  func command() throws {
    let place = try Workplace.loggedIn()
    let token = try #require(try place.pair().string("access_token"))
    let script = "printf '%s|' \"$AUTHCTL_TOKEN\" \"$0\" \"$@\"; cat; exit 9"
    let outcome = try place.run(
      ["exec", "--", "sh", "-c", script, "zero", "--quiet", "-h", "--", "x y"], input: .text("input"))
    #expect(outcome.text == "\(token)|zero|--quiet|-h|--|x y|input")
    #expect(outcome.status == 9 && outcome.error.isEmpty, "\(outcome.error)")
  }

  @Test("without --, our options end at the command's name")
  func options() throws {
    let place = try Workplace.loggedIn()
    #expect(try place.run("exec", "-p", "work", "echo", "-p", "--none", "--", "x").text == "-p --none -- x\n")
    let unknown = try place.run("exec", "--none", "echo")
    unknown.expect(2, error: "'--none'")
  }

  @Test("--env gives the variable another name, and each of several the token")
  func names() throws {
    let place = try Workplace.loggedIn()
    let token = try #require(try place.pair().string("access_token"))
    let script = ["sh", "-c", "echo \"$GH_TOKEN,$OTHER_2,$AUTHCTL_TOKEN\""]
    let outcome = try place.run(["exec", "--env", "GH_TOKEN", "--env=OTHER_2", "--env", "GH_TOKEN", "--"] + script)
    #expect(outcome.text == "\(token),\(token),\n", "\(outcome.error)")
  }

  @Test("a missing command: 127; one that cannot be run: 126, as in a shell; and its arguments are not shown")
  func noCommand() throws {
    let place = try Workplace.loggedIn()
    let absent = try place.run("exec", "--", "no-such-command", "secret-argument")
    absent.expect(127, error: "no-such-command")
    #expect(!absent.error.contains("secret-argument"))
    #expect(try place.run("exec", "--", "/etc/passwd").status == 126)
    let json = try place.run("exec", "--errors=json", "--", "no-such-command")
    #expect(try json.errorJSON().string("code") == "not_found")
    #expect(try place.run("exec").status == 2)
    #expect(try place.run("exec", "--").status == 2)
  }

  @Test("an expired token is refreshed first, with its --min-validity, and a dead session runs nothing: status 3")
  func refresh() throws {
    let place = try Workplace.loggedIn()
    let first = try #require(try place.pair().string("access_token"))
    let outcome = try place.run("exec", "--min-validity", "599m", "--", "printenv", "AUTHCTL_TOKEN")
    let second = try #require(try place.pair().string("access_token"))
    #expect(first != second && outcome.text == second + "\n")
    #expect(outcome.error.contains("are not valid that long"), "\(outcome.error)")
    #expect(try place.run("logout").status == 0)
    let nobody = try place.run("exec", "--", "echo", "ran")
    #expect(nobody.status == 3 && nobody.text.isEmpty)
  }

  /// The signals of a line of /proc/PID/status, but for those above 31: the C library ignores one of its own.
  func mask(_ line: String) throws -> UInt64 {
    try #require(UInt64(line.split(separator: "\t").last?.dropLast() ?? "", radix: 16)) & 0x7FFF_FFFF
  }

  @Test("signals are the command's: none is blocked or ignored, and one that ends it ends us")
  func signals() throws {
    let place = try Workplace.loggedIn()
    let blocked = try place.run("exec", "--", "grep", "^SigBlk", "/proc/self/status").text
    #expect(try mask(blocked) == 0)
    let look = ["grep", "^SigIgn", "/proc/self/status"]
    #expect(try mask(place.run(["exec", "--"] + look).text) == 0)
    let ignoring = ["/bin/sh", "-c", "trap '' PIPE; exec \"$@\"", "-"]
    let ignored = try place.run(["exec", "--"] + look, through: ignoring).text
    #expect(try mask(ignored) == 1 << (SIGPIPE - 1), "what was ignored before stays so")
    let run = try place.start(["exec", "--", "sleep", "100"])
    try Waiting.until("the command") { run.commandLine.hasPrefix("sleep\0") }
    run.send(SIGTERM)
    #expect(try run.wait().status == -SIGTERM)
  }

  @Test("no file descriptor of ours is open in the command")
  func files() throws {
    let place = try Workplace.loggedIn()
    // What the tests have open is not.
    let closing = [
      "/usr/bin/python3", "-c", "import os, sys; os.closerange(3, 9999); os.execv(sys.argv[1], sys.argv[1:])",
    ]
    let listed = try place.run(["exec", "--", "ls", "/proc/self/fd"], through: closing).text
    #expect(listed == "0\n1\n2\n3\n", "3 is the folder itself")
  }

  @Test("AUTHCTL_ACCESS_TOKEN is handed on as it is; a profile with a password has none to hand on: status 2")
  func otherSources() throws {
    let place = try Workplace(.none)
    let given = try place.run(
      ["exec", "--", "printenv", "AUTHCTL_TOKEN"], environment: ["AUTHCTL_ACCESS_TOKEN": "given-token"])
    #expect(given.text == "given-token\n", "\(given.error)")
    try place.makeProfile("basic", "type = \"basic\"\nissuer=\nclient_id=\nflow=\nscope=")
    let lines = try String(contentsOf: place.file("basic"), encoding: .utf8).split(separator: "\n")
    try Data(lines.filter { !$0.hasSuffix("=") }.joined(separator: "\n").utf8).write(to: place.file("basic"))
    let refused = try place.run("exec", "-p", "basic", "--", "echo", "ran")
    refused.expect(2, error: "password and no token")
  }
}
