import Foundation
import TestSupport
import Testing

@Suite("requests of call, end to end")
struct CallRequestTests {
  /// What the API was sent by a call of `echo`.
  private func echo(_ place: Workplace, _ arguments: [String], input: ProgramInput = .nothing) throws -> JSONObject {
    let outcome = try place.run(["call"] + arguments, input: input)
    try #require(outcome.status == 0, "\(outcome.error)")
    return try outcome.json()
  }

  private func file(_ place: Workplace, _ name: String, _ text: String) throws -> String {
    let url = place.session.directory.appending(path: name)
    try Data(text.utf8).write(to: url)
    return url.path
  }

  @Test("-T puts a file under its name, and a pipe as it comes")
  func uploads() throws {
    let place = try Workplace.loggedIn()
    let data = try file(place, "my data", "content")
    var seen = try echo(place, ["-T", data, "echo/"])
    #expect(seen.string("method") == "PUT")
    #expect(seen.string("target") == "/api/echo/my%20data")
    #expect(seen.string("body") == "content")
    #expect(seen.header("Content-Type") == nil)
    seen = try echo(place, ["-T", "-", "echo/"], input: .text("piped"))
    #expect(seen.string("target") == "/api/echo/")
    #expect(seen.string("body") == "piped")
    #expect(seen.header("Transfer-Encoding") == "chunked")
    seen = try echo(place, ["-T", data, "-C", "3", "-X", "PATCH", "echo"])
    #expect(seen.header("Content-Range") == "bytes 3-6/7")
    #expect(seen.string("method") == "PATCH")
    #expect(seen.string("body") == "tent")
  }

  @Test("a form of texts, files and standard input is sent again whole after a 401")
  func form() throws {
    let place = try Workplace.loggedIn()
    let data = try file(place, "data.txt", String(repeating: "line\n", count: 20_000))
    try place.lab.expireAccessTokens()
    let seen = try echo(
      place, ["-F", "a=text", "-F", "b=@\(data)", "-F", "c=@-;filename=in", "-F", "d=<\(data)", "echo"],
      input: .text("from a pipe"))
    #expect(try place.lab.counters()["api"] == 2)
    let type = try #require(seen.header("Content-Type"))
    let boundary = try #require(type.split(separator: "boundary=").last)
    let parts = try #require(seen.string("body")).components(separatedBy: "--\(boundary)")
    #expect(parts.count == 6)
    #expect(parts.first == "" && parts.last == "--\r\n")
    let content = String(repeating: "line\n", count: 20_000)
    #expect(
      parts.dropFirst().dropLast() == [
        "\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\ntext\r\n",
        "\r\nContent-Disposition: form-data; name=\"b\"; filename=\"data.txt\"\r\n"
          + "Content-Type: text/plain\r\n\r\n\(content)\r\n",
        "\r\nContent-Disposition: form-data; name=\"c\"; filename=\"in\"\r\n\r\nfrom a pipe\r\n",
        "\r\nContent-Disposition: form-data; name=\"d\"\r\n\r\n\(content)\r\n",
      ])
  }

  @Test("-u asks for the password without echo and sends it instead of the token")
  func basic() throws {
    let place = try Workplace.loggedIn()
    let terminal = try PseudoTerminal()
    let output = place.session.directory.appending(path: "out").path
    let run = try place.start(
      ["call", "-u", "alice", "-o", output, place.lab.origin + "/open/echo"], input: .terminal(terminal))
    let prompt = try terminal.read(until: "Password of alice: ")
    try Waiting.until("no echo") { !terminal.echoes }
    try terminal.type("open sesame\n")
    #expect(try run.wait().status == 0)
    #expect(!prompt.contains("sesame") && !run.commandLine.contains("sesame"))
    let credentials = Data("alice:open sesame".utf8).base64EncodedString()
    #expect(try JSONObject(Data(contentsOf: URL(filePath: output))).header("Authorization") == "Basic \(credentials)")
  }
}
