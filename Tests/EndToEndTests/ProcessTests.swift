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
    let plain = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
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

  @Test("standard streams that are closed at the start are no other files' numbers")
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
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
    let run = try place.start(
      ["login", "work"],
      environment: [
        "BROWSER": script.path, "AUTHCTL_TOKEN": "secret-1", "AUTHCTL_ACCESS_TOKEN": "secret-2", "OTHER": "kept",
      ])
    try Waiting.until("the browser") { FileManager.default.fileExists(atPath: seen.path) }
    run.send(SIGTERM)
    try run.wait()
    let environment = try String(contentsOf: seen, encoding: .utf8)
    #expect(environment.contains("OTHER=kept") && !environment.contains("secret-"))
  }

  @Test("the command of exec inherits the token that was given")
  func given() throws {
    let place = try Workplace(.none)
    let outcome = try place.run(
      ["exec", "--", "/usr/bin/env"], environment: ["AUTHCTL_ACCESS_TOKEN": "given-1"])
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(outcome.text.contains("AUTHCTL_TOKEN=given-1") && outcome.text.contains("AUTHCTL_ACCESS_TOKEN=given-1"))
  }
}
