import Foundation
import TestSupport
import Testing

@Suite("the command line, end to end")
struct CommandLineTests {
  @Test(
    "a slip of the finger: status 2, and what was meant",
    arguments: [
      (["stauts"], "status"), (["call", "--max-tim", "3", "me"], "max-time"), (["login", "--isuer", "x"], "issuer"),
      (["status", "wrok"], "work"),
    ])
  func suggestions(arguments: [String], meant: String) throws {
    let place = try Workplace(.none)
    try place.makeProfile()
    let outcome = try place.run(arguments)
    #expect(outcome.status == 2)
    #expect(outcome.text.isEmpty)
    #expect(outcome.error.contains("did you mean"), "\(outcome.error)")
    #expect(outcome.error.contains(meant), "\(outcome.error)")
  }

  @Test(
    "which profile: option, environment, the URL's origin, the default, the only one; else the candidates are named")
  func choice() throws {
    let place = try Workplace.loggedIn()
    let other = try Authlab()
    #expect(try place.run("call", "me").status == 0)
    try place.makeProfile("zoo", "api = [\"\(other.origin)/api\"]")
    let ambiguous = try place.run("call", "me")
    #expect(ambiguous.status == 2)
    #expect(ambiguous.error.contains("work") && ambiguous.error.contains("zoo"), "\(ambiguous.error)")
    #expect(try place.run("call", place.lab.origin + "/api/me").status == 0)
    #expect(try place.run("call", "-p", "work", "me").status == 0)
    #expect(try place.run("call", "me", environment: ["AUTHCTL_PROFILE": "work"]).status == 0)
    #expect(try place.run("call", "-p", "work", "me", environment: ["AUTHCTL_PROFILE": "zoo"]).status == 0)
    #expect(try place.run("call", "me", environment: ["AUTHCTL_PROFILE": "zoo"]).status == 3)
    #expect(try place.run("token").status == 2)
    try place.makeProfile("work", "default = true")
    #expect(try place.run("token").status == 0)
    #expect(try place.run("call", "me").status == 0)
  }

  @Test("two profiles with the URL's origin are ambiguous")
  func sameOrigin() throws {
    let place = try Workplace.loggedIn()
    try place.makeProfile("zoo")
    let outcome = try place.run("call", place.lab.origin + "/api/me")
    #expect(outcome.status == 2)
    #expect(outcome.error.contains("work, zoo"), "\(outcome.error)")
  }

  @Test("no profile at all: status 2, and how to make one")
  func noProfile() throws {
    let place = try Workplace(.none)
    for command in [["call", "me"], ["token"], ["refresh"]] {
      let outcome = try place.run(command)
      #expect(outcome.status == 2)
      #expect(outcome.error.contains("authctl login"), "\(outcome.error)")
    }
    #expect(try place.run("refresh", "--all").status == 2)
    #expect(try place.run("status").status == 0)
  }

  @Test("status -q prints its data: --quiet never silences data")
  func quietStatus() throws {
    let place = try Workplace()
    try place.makeProfile()
    let loud = try place.run("status")
    #expect(loud.text.hasPrefix("work: logged out\n"))
    #expect(try place.run("status", "-q").output == loud.output)
  }

  @Test("an option of another flow is refused before anything is asked or sent; a mistake in one names no draft")
  func contradictions() throws {
    let place = try Workplace()
    try place.makeProfile()
    let runs: [([String], String)] = [
      (["login", "work", "--flow", "device", "--password-file", "/nowhere"], "--password-file: it is for the flow"),
      (["login", "new", "--issuer", "nonsense", "--client-id", "x"], "--issuer: it is not a usable URL"),
      (["login", "work", "--timeout", "0"], "--timeout 0: "),
      (["call", "-m", "abc", place.lab.origin + "/api/me"], "--max-time abc: not a valid duration"),
    ]
    for (arguments, message) in runs {
      let outcome = try place.run(arguments)
      #expect(outcome.status == 2)
      #expect(outcome.error.hasPrefix("authctl: \(message)"), "\(outcome.error)")
    }
    #expect(try place.lab.lastRequests().isEmpty)
  }

  @Test("an error is one JSON object with --errors=json and with AUTHCTL_ERRORS")
  func jsonErrors() throws {
    let place = try Workplace()
    try place.makeProfile()
    let runs = [
      try place.run("--errors=json", "call", "me", "-p", "work"),
      try place.run("call", "me", "-p", "work", environment: ["AUTHCTL_ERRORS": "json"]),
      try place.run("refresh", "work", "--json"),
    ]
    for outcome in runs {
      #expect(outcome.status == 3)
      let error = try outcome.errorJSON()
      #expect(error.keys == ["code", "exit", "hint", "message", "profile"])
      #expect(error.string("code") == "login_required")
      #expect(error.integer("exit") == 3)
      #expect(error.string("profile") == "work")
      #expect(error.string("hint")?.contains("authctl login work") == true)
    }
    let usage = try place.run("--errors=json", "stauts")
    #expect(try usage.errorJSON().string("code") == "usage")
  }

  @Test("a message is one line of what and why, and one of what to do")
  func messages() throws {
    let place = try Workplace()
    try place.makeProfile()
    let lines = try place.run("token").error.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      lines.count == 3 && lines[0].hasPrefix("authctl: ") && lines[1].contains("authctl login work") && lines[2].isEmpty
    )
  }

  @Test("installed under another name, it calls itself so in messages, hints and help")
  func otherName() throws {
    let place = try Workplace()
    let binary = place.session.directory.appending(path: "authc").path
    try FileManager.default.createSymbolicLink(atPath: binary, withDestinationPath: Workplace.binary)
    func run(_ arguments: String...) throws -> Outcome {
      try ProgramRun(binary, arguments, environment: place.session.environment, folder: place.session.directory).wait()
    }
    #expect(try run("--version").text.hasPrefix("authc "))
    #expect(try run("stauts").error == "authc: unknown command 'stauts'\n  did you mean 'status'?\n")
    let none = "no profile configured yet; run: authc login NAME --issuer URL --client-id ID --api URL"
    #expect(try run("status").error == "authc: \(none)\n")
    try place.makeProfile("authctl")
    #expect(try run("token").error == "authc: profile authctl: not logged in\n  run: authc login authctl\n")
    #expect(try run("token", "--errors=json").errorJSON().string("hint") == "run: authc login authctl")
    #expect(try run("status").text.contains("  to do          authc login authctl\n"))
    let help = try run("call", "--help").text
    #expect(help.contains("authc call me\n") && help.contains("`") == false)
    for word in help.split(whereSeparator: { $0.isWhitespace }) where word.contains("authctl") {
      #expect(word.contains("/authctl"), "\(word)")
    }
  }

  @Test(
    "with JSON errors, warnings and notes are JSON lines too; AUTHCTL_ERRORS that names no format is an error")
  func jsonLines() throws {
    let place = try Workplace()
    try place.makeProfile()
    let login = try place.run(
      ["--errors=json", "login", "work", "--password-stdin"], input: .text(Workplace.password))
    #expect(login.status == 0)
    let lines = login.error.split(separator: "\n")
    #expect(!lines.isEmpty)
    for line in lines { #expect(try JSONObject(Data(line.utf8)).keys == ["note"], "\(line)") }
    let unknown = try place.run("token", environment: ["AUTHCTL_ERRORS": "xml"])
    #expect(unknown.status == 2 && unknown.output.isEmpty)
    #expect(unknown.error == "authctl: AUTHCTL_ERRORS: 'xml' is not an error format\n  set it to text or json\n")
  }

  @Test(
    "help and version go to standard output and open nothing",
    arguments: [["-h"], ["--help"], ["--version"], ["call", "-h"]])
  func help(arguments: [String]) throws {
    let place = try Workplace(.none)
    let outcome = try place.run(arguments)
    #expect(outcome.status == 0)
    #expect(!outcome.output.isEmpty && outcome.error.isEmpty)
  }
}
