import Foundation
import TestSupport
import Testing

@Suite struct ProgramTests {
  @Test("ends when its standard input ends")
  func endOfInput() throws {
    let process = try ChildProcess(Authlab.binary.path, ["--exit-with-stdin"], environment: [:])
    let line = String(decoding: process.output.availableData, as: UTF8.self)
    #expect(line.wholeMatch(of: /authlab listening on http:\/\/127\.0\.0\.1:[0-9]+\n/) != nil)
    try process.input.close()
    #expect(process.wait() == 0)
    #expect(process.output.availableData.isEmpty)
  }

  @Test("ends with status 0 on a signal", arguments: [SIGTERM, SIGINT])
  func signal(number: Int32) throws {
    let process = try ChildProcess(Authlab.binary.path, [], environment: [:])
    _ = process.output.availableData
    kill(process.pid, number)
    #expect(process.wait() == 0)
  }

  @Test(
    "refuses a wrong command line with status 2",
    arguments: [
      (["--bogus"], "authlab: --bogus: there is no such option\n"),
      (["--port"], "authlab: --port: lacks its value N\n"),
      (["--port=70000"], "authlab: --port: can't be 70000\n"),
      (["--reuse", "maybe"], "authlab: --reuse: can't be maybe\n"),
      (["--log=1"], "authlab: --log: takes no value\n"),
      (["--origin", "id.example"], "authlab: --origin: can't be id.example\n"),
    ])
  func invalidCommandLine(arguments: [String], message: String) throws {
    // Were the line accepted, the server would end with its standard input instead of keeping the test waiting.
    let command = [Authlab.binary.path, "--exit-with-stdin"] + arguments
    let process = try ChildProcess(
      "sh", ["-c", "exec \"$@\" 2>&1 </dev/null", "sh"] + command, environment: [:])
    #expect(process.wait() == 2)
    let text = String(decoding: process.output.availableData, as: UTF8.self)
    #expect(text == message + "Try authlab --help.\n")
  }

  @Test("announces the origin that it is given")
  func announcedOrigin() throws {
    let lab = try Authlab(["--origin", "https://id.example"])
    let metadata = try lab.send("GET", "/.well-known/oauth-authorization-server")
    #expect(try metadata.string("issuer") == "https://id.example")
    #expect(try metadata.string("token_endpoint") == "https://id.example/token")
  }

  @Test("serves 500 connections that are open at once")
  func manyConnections() throws {
    let lab = try Authlab(["--access-lifetime", "300"])
    let token = try lab.logIn().access
    let connections = try (0..<500).map { _ in try LoopbackConnection(port: lab.port) }
    for connection in connections {
      let header = (name: "Authorization", value: "Bearer \(token)")
      try connection.write(method: "GET", path: "/api/me", headers: [header], body: nil)
    }
    let answers = try connections.map { try $0.readResponse().status }
    connections.forEach { $0.close() }
    #expect(answers == Array(repeating: 200, count: 500))
    #expect(try lab.count("api.ok") == 500)
  }

  @Test("refuses settings that it does not know")
  func unknownSettings() throws {
    let lab = try Authlab()
    #expect(throws: AuthlabError.refused(#"{"error":"There is no setting reus."}"#)) {
      try lab.change(#"{"reus":"none"}"#)
    }
  }
}
