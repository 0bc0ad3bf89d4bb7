import Foundation
import TestSupport
import Testing

@Suite("CallRequestRun") struct CallRequestRunTests {
  /// What the API was sent by a call of `echo`.
  private func echo(_ place: Workplace, _ arguments: [String], input: ProgramInput = .nothing) async throws
    -> JSONObject
  {
    let outcome = try await place.run(["call"] + arguments, input: input)
    try #require(outcome.status == 0, "\(outcome.error)")
    return try outcome.json()
  }

  private func file(_ place: Workplace, _ name: String, _ text: String) throws -> String {
    let url = place.folder.appending(path: name)
    try Data(text.utf8).write(to: url)
    return url.path
  }

  @Test("-G puts data into the query, after what is there")
  func query() async throws {
    let place = try await Workplace.loggedIn()
    let seen = try await echo(place, ["-G", "-d", "a=1", "--data-urlencode", "b=x y&z", "echo?c=2"])
    #expect(seen.string("target") == "/api/echo?c=2&a=1&b=x+y%26z")
    #expect(seen.string("method") == "GET")
    #expect(seen.integer("length") == 0)
  }

  @Test("--data-urlencode in its five forms, with other data in the order of the line")
  func urlencoded() async throws {
    let place = try await Workplace.loggedIn()
    let data = try file(place, "data", "a b\n")
    let arguments = [
      "--data-urlencode", "a b", "-d", "c=d", "--data-urlencode", "=e f", "--data-urlencode", "g=h i",
      "--data-urlencode", "@\(data)", "--data-raw", "@x", "--data-urlencode", "j@\(data)", "echo",
    ]
    #expect(try await echo(place, arguments).string("body") == "a+b&c=d&e+f&g=h+i&a+b%0A&@x&j=a+b%0A")
  }

  @Test("several addresses are sent the same data, and each its own file")
  func several() async throws {
    let place = try await Workplace.loggedIn()
    func bodies(_ arguments: [String], _ input: ProgramInput) async throws -> [String] {
      let outcome = try await place.run(["call"] + arguments, input: input)
      try #require(outcome.status == 0, "\(outcome.error)")
      return outcome.text.matches(of: /"body":"([^"]*)"/).map { String($0.1) }
    }
    #expect(try await bodies(["--data-binary", "@-", "echo/1", "echo/2"], .text("piped")) == ["piped", "piped"])
    let (one, two) = (try file(place, "one", "1"), try file(place, "two", "2"))
    #expect(try await bodies(["-T", one, "-T", two, "echo", "echo"], .nothing) == ["1", "2"])
  }

  @Test(
    "options that request two methods are refused before anything is sent",
    arguments: [
      ["-d", "a", "-F", "b=c"], ["-d", "a", "-T", "/dev/null"], ["-F", "b=c", "-T", "/dev/null"], ["-I", "-d", "a"],
      ["-G", "-F", "b=c"], ["-G", "-T", "/dev/null"], ["-T", "/dev/null", "-T", "/dev/null"], ["-C", "1", "-d", "a"],
      ["-C", "1", "-r", "1-"], ["-C", "x"], ["-C", "5", "-T", "/dev/null"], ["-d", "@/nowhere"], ["-F", "a=@/nowhere"],
      ["-F", "=)"], ["-F", "a=b;encoder=base64"], ["-F", "a=b", "-H", "Content-Type:"], ["-T", "/"],
    ])
  func contradictions(arguments: [String]) async throws {
    let place = try await Workplace.loggedIn()
    let outcome = try await place.run(["call"] + arguments + ["echo"])
    outcome.expect(2)
    #expect(try await place.lab.lastRequests().isEmpty)
  }

  @Test("a password on the command line is refused, and so is -u without a terminal")
  func passwords() async throws {
    let place = try await Workplace.loggedIn()
    let refused = try await place.run("call", "-u", "alice:topsecret", "echo")
    #expect(refused.status == 2)
    #expect(refused.error.contains("enter the password when prompted") && !refused.error.contains("topsecret"))
    let nobody = try await place.run("call", "-u", "alice", "echo")
    #expect(nobody.status == 2)
    #expect(nobody.error.contains("type = \"basic\""))
    #expect(try await place.run("call", "-u", "alice", "http://api.example/").status == 7)
    #expect(try await place.lab.lastRequests().isEmpty)
  }
}
