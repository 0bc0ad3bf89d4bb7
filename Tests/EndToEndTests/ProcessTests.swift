import Foundation
import Glibc
import TestSupport
import Testing

/// What a process is to other processes: its memory, its descriptors, what its children inherit.
@Suite("the process, end to end") struct ProcessTests {
  @Test("no other process of the user can look into it; the command that it becomes is as any other")
  func dumpable() throws {
    let place = try Workplace.loggedIn()
    let terminal = try PseudoTerminal()
    // Of root's processes all files belong to root anyway.
    let plain = geteuid() == 0 ? ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
    let run = try place.start(
      ["call", "-u", "alice", place.lab.origin + "/open/echo"], input: .terminal(terminal), through: plain)
    _ = try terminal.read(until: "Password of alice")
    // The files below /proc of a process that is not dumpable are root's, proc_pid_environ(5).
    let attributes = try FileManager.default.attributesOfItem(atPath: "/proc/\(run.pid)/environ")
    #expect(attributes[.ownerAccountID] as? Int == 0)
    run.send(SIGTERM)
    try run.wait()
    let python = "import ctypes; print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))"
    #expect(try place.run("exec", "--", "/usr/bin/python3", "-c", python).text == "1\n")
  }

  @Test("closed standard streams are not reused as numbers of other files")
  func closed() throws {
    let place = try Workplace.loggedIn()
    let file = place.session.directory.appending(path: "body").path
    let shell = ["/bin/sh", "-c", "exec \"$0\" \"$@\" <&- >&- 2>&-"]
    let outcome = try place.run(["call", "-v", "-o", file, "me"], through: shell)
    #expect(outcome.status == 0)
    #expect(try !JSONObject(Data(contentsOf: URL(filePath: file))).keys.isEmpty)
    #expect(try place.run(["call", "/nowhere"], through: shell).status == 22)
  }

  @Test("the browser inherits no token")
  func browser() throws {
    let place = try Workplace()
    try place.makeProfile("work", "flow = \"browser\"")
    let seen = place.session.directory.appending(path: "seen")
    let script = place.session.directory.appending(path: "browser")
    try Data("#!/bin/sh\nenv >\(seen.path).new\nmv \(seen.path).new \(seen.path)\n".utf8).write(to: script)
    // Not the script itself: a child of another test may have it open for writing, and it could not be run then.
    let run = try place.start(
      ["login", "work"],
      environment: [
        "BROWSER": "/bin/sh \(script.path)", "AUTHCTL_TOKEN": "secret-1", "AUTHCTL_ACCESS_TOKEN": "secret-2",
        "OTHER": "kept",
      ])
    try Waiting.until("the browser") { FileManager.default.fileExists(atPath: seen.path) }
    run.send(SIGTERM)
    try run.wait()
    let environment = try String(contentsOf: seen, encoding: .utf8)
    #expect(environment.contains("OTHER=kept") && !environment.contains("secret-"))
  }

  /// Waits until a script has written its environment, and checks that no token is in it.
  private func expectNoToken(in file: URL) throws {
    try Waiting.until("the script") { FileManager.default.fileExists(atPath: file.path) }
    let environment = try String(contentsOf: file, encoding: .utf8)
    #expect(environment.contains("OTHER=kept") && !environment.contains("secret-"), "\(environment)")
  }

  private static let tokens = ["AUTHCTL_TOKEN": "secret-1", "AUTHCTL_ACCESS_TOKEN": "secret-2", "OTHER": "kept"]

  @Test("the hook of a profile inherits no token")
  func hook() throws {
    let place = try Workplace()
    let seen = place.session.directory.appending(path: "seen")
    let hook = "[on]\nlogin_required = 'env >\(seen.path).new; mv \(seen.path).new \(seen.path)'\n"
    try place.makeProfile("work", "", tables: hook)
    try place.logIn()
    try place.lab.revokeAll()
    #expect(try place.run(["refresh", "work"], environment: ProcessTests.tokens).status == 3)
    try expectNoToken(in: seen)
    #expect(try String(contentsOf: seen, encoding: .utf8).contains("AUTHCTL_PROFILE=work"))
  }

  @Test("the editor inherits no token")
  func editor() throws {
    let place = try Workplace(.none)
    try place.makeProfile()
    let seen = place.session.directory.appending(path: "seen")
    let script = place.session.directory.appending(path: "editor")
    try Data("env >\(seen.path).new; mv \(seen.path).new \(seen.path)\n".utf8).write(to: script)
    let terminal = try PseudoTerminal()
    let environment = ProcessTests.tokens.merging(["EDITOR": "sh \(script.path)"]) { $1 }
    let run = try place.start(["profile", "edit", "work"], input: .terminal(terminal), environment: environment)
    #expect(try run.wait().status == 0)
    try expectNoToken(in: seen)
  }

  @Test(
    "a user who is not root, whose process is not dumpable: refresh in the background, standard streams by name, exec",
    .enabled(if: geteuid() == 0, "the other tests are run as such a user already"))
  func unprivileged() throws {
    let place = try Workplace(user: 65534)
    let seen = place.session.directory.appending(path: "seen")
    try place.makeProfile("work", "", tables: "[on]\nlogin_required = 'id -u >\(seen.path)'\n")
    try place.logIn()
    let before = try place.pair()
    let refreshed = try place.run("refresh", "work")
    refreshed.expect(0)
    #expect(try place.pair().string("refresh_token") != before.string("refresh_token"))
    // The pipe belongs to the user; the files of the test's own streams do not.
    let shell = { (line: String) in ["/bin/bash", "-c", "set -o pipefail; \(line)"] }
    let me = try place.run("call", "me").text
    for line in [
      "\"$0\" \"$@\" -o /dev/stdout | cat", "\"$0\" \"$@\" -o /dev/fd/3 3>&1 >&2 | cat",
      "\"$0\" \"$@\" -o /proc/self/fd/1 | cat",
    ] {
      let outcome = try place.run(["call", "me"], through: shell(line))
      #expect(outcome.status == 0 && outcome.text == me, "\(line): \(outcome.error)")
    }
    let echo = ["call", place.lab.origin + "/api/echo"]
    for option in ["--data-binary @/dev/stdin", "--data-binary @/proc/self/fd/0", "--data-binary @<(printf x=1)"] {
      let outcome = try place.run(echo, through: shell("printf x=1 | \"$0\" \"$@\" \(option)"))
      #expect(try outcome.json().string("body") == "x=1", "\(option): \(outcome.error)")
    }
    let exec = try place.run("exec", "--", "/bin/sh", "-c", "id -u; test -n \"$AUTHCTL_TOKEN\" && ls /proc/self/fd >&2")
    #expect(exec.status == 0 && exec.text == "65534\n", "\(exec.error)")
    try place.lab.revokeAll()
    #expect(try place.run("refresh", "work").status == 3)
    try Waiting.until("the hook") { (try? String(contentsOf: seen, encoding: .utf8)) == "65534\n" }
  }

  @Test("the command of exec inherits the token that was given")
  func given() throws {
    let place = try Workplace(.none)
    let outcome = try place.run(
      ["exec", "--", "/usr/bin/env"], environment: ["AUTHCTL_ACCESS_TOKEN": "given-1"])
    outcome.expect(0)
    #expect(outcome.text.contains("AUTHCTL_TOKEN=given-1") && outcome.text.contains("AUTHCTL_ACCESS_TOKEN=given-1"))
  }
}
