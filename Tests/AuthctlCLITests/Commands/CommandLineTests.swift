import Foundation
import TestSupport
import Testing

@Suite("CommandLine") struct CommandLineTests {
  @Test(
    "a slip of the finger: status 2, and what was meant",
    arguments: [
      (["stauts"], "status"), (["call", "--max-tim", "3", "me"], "max-time"), (["login", "--isuer", "x"], "issuer"),
      (["status", "wrok"], "work"),
    ])
  func suggestions(arguments: [String], meant: String) async throws {
    let place = try Workplace(.none)
    try place.makeProfile()
    let outcome = try await place.run(arguments)
    #expect(outcome.status == 2)
    #expect(outcome.text.isEmpty)
    #expect(outcome.error.contains("did you mean"), "\(outcome.error)")
    #expect(outcome.error.contains(meant), "\(outcome.error)")
  }

  @Test(
    "__complete: status 0 and no message, whatever is on the line; no word of it comes back",
    arguments: [
      ([], "login"), (["call", "-\u{1B}[2J", "--to\u{FFFD}ken=s3cret", "s3cret", "--sil"], "--silent"),
      (["token", "--errors=x", "-p"], "words 0 OPTION"), (["token", "-p", ""], "work"), (["logout", "s3cr"], "work"),
      (["call", "-d@\u{1B}s3cret"], "file 3 DATA\n"), (["-p"], "--profile"), (["--", "-", "s3cret"], "words 0 "),
    ])
  func completion(words: [String], offered: String) async throws {
    let place = try Workplace(.none)
    try place.makeProfile()
    try place.write("broken", as: "other")
    try Data().write(to: place.configuration.appending(path: "profiles/\u{1B}[2J.toml"))
    let outcome = try await place.run(["__complete"] + words)
    #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.error)")
    #expect(outcome.text.contains(offered), "\(outcome.text)")
    #expect(!outcome.text.contains("s3cr") && !outcome.text.contains("\u{1B}"), "\(outcome.text)")
    #expect(try await place.lab.lastRequests().isEmpty)
  }

  @Test("no profile at all: status 2, and how to make one")
  func noProfile() async throws {
    let place = try Workplace(.none)
    for command in [["call", "me"], ["token"], ["refresh"]] {
      let outcome = try await place.run(command)
      #expect(outcome.status == 2)
      #expect(outcome.error.contains("authctl login"), "\(outcome.error)")
    }
    #expect(try await place.run("refresh", "--all").status == 2)
    #expect(try await place.run("status").status == 0)
  }

  @Test("status -q prints its data: --quiet never silences data")
  func quietStatus() async throws {
    let place = try Workplace()
    try place.makeProfile()
    let loud = try await place.run("status")
    #expect(loud.text.hasPrefix("work: logged out\n"))
    #expect(try await place.run("status", "-q").output == loud.output)
  }

  @Test("an option of another flow is refused before anything is asked or sent; a mistake in one names no draft")
  func contradictions() async throws {
    let place = try Workplace()
    try place.makeProfile()
    let runs: [([String], String)] = [
      (["login", "work", "--flow", "device", "--password-file", "/nowhere"], "--password-file: it is for the flow"),
      (["login", "new", "--issuer", "nonsense", "--client-id", "x"], "--issuer: it is not a usable URL"),
      (["login", "work", "--timeout", "0"], "--timeout 0: "),
      (["call", "-m", "abc", place.lab.origin + "/api/me"], "--max-time abc: not a valid duration"),
    ]
    for (arguments, message) in runs {
      let outcome = try await place.run(arguments)
      #expect(outcome.status == 2)
      #expect(outcome.error.hasPrefix("authctl: \(message)"), "\(outcome.error)")
    }
    #expect(try await place.lab.lastRequests().isEmpty)
  }

  @Test("an error is one JSON object with --errors=json and with AUTHCTL_ERRORS")
  func jsonErrors() async throws {
    let place = try Workplace()
    try place.makeProfile()
    let runs = [
      try await place.run("--errors=json", "call", "me", "-p", "work"),
      try await place.run("call", "me", "-p", "work", environment: ["AUTHCTL_ERRORS": "json"]),
      try await place.run("refresh", "work", "--json"),
    ]
    for outcome in runs {
      #expect(outcome.status == 3)
      let error = try outcome.errorJSON()
      #expect(error.keys == ["code", "exit", "hint", "message", "profile", "reason"])
      #expect(error.string("reason") == "not_logged_in")
      #expect(error.string("code") == "login_required")
      #expect(error.integer("exit") == 3)
      #expect(error.string("profile") == "work")
      #expect(error.string("hint")?.contains("authctl login work") == true)
    }
    let usage = try await place.run("--errors=json", "stauts")
    #expect(try usage.errorJSON().string("code") == "usage")
  }

  @Test("a message is one line of what and why, and one of what to do")
  func messages() async throws {
    let place = try Workplace()
    try place.makeProfile()
    let lines = try await place.run("token").error.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      lines.count == 3 && lines[0].hasPrefix("authctl: ") && lines[1].contains("authctl login work") && lines[2].isEmpty
    )
  }

  @Test(
    "with JSON errors, warnings and notes are JSON lines too; AUTHCTL_ERRORS that names no format is an error")
  func jsonLines() async throws {
    let place = try Workplace()
    try place.makeProfile()
    let login = try await place.run(
      ["--errors=json", "login", "work", "--password-stdin"], input: .text(Workplace.password))
    #expect(login.status == 0)
    let lines = login.error.split(separator: "\n")
    #expect(!lines.isEmpty)
    for line in lines { #expect(try JSONObject(Data(line.utf8)).keys == ["note"], "\(line)") }
    let unknown = try await place.run("token", environment: ["AUTHCTL_ERRORS": "xml"])
    #expect(unknown.status == 2 && unknown.output.isEmpty)
    #expect(unknown.error == "authctl: AUTHCTL_ERRORS: 'xml' is not an error format\n  set it to text or json\n")
  }
}
