import Foundation
import TestSupport
import Testing

@Suite("CallOutputRun") struct CallOutputRunTests {
  @Test("-i and -D hold the final response only, -v shows all of them in their order")
  func finalResponse() async throws {
    let place = try await Workplace.loggedIn()
    let head = place.folder.appending(path: "head")
    try await place.lab.expireAccessTokens()
    let target = "\(place.lab.origin)/api/redirect?to=/api/me"
    let outcome = try await place.run("call", "-vi", "-D", head.path, "-L", target)
    try #require(outcome.status == 0, "\(outcome.error)")
    let header = try String(contentsOf: head, encoding: .utf8)
    #expect(header.hasPrefix("HTTP/1.1 200 ") && header.hasSuffix("\r\n\r\n"))
    #expect(header.components(separatedBy: "HTTP/1.1").count == 2)
    #expect(outcome.text.hasPrefix(header + "{"))
    let lines: [Substring] = outcome.error.split(separator: "\n").compactMap { line in
      line.firstRange(of: "] ").map { line[$0.upperBound...] }
    }
    let seen = lines.filter { $0.hasPrefix("> GET ") || $0.hasPrefix("> POST ") || $0.hasPrefix("< HTTP/1.1 ") }
    #expect(
      seen.map { String($0.split(separator: " ")[2].prefix { $0 != "?" }) }
        == ["/api/redirect", "401", "/token", "200", "/api/redirect", "302", "/api/me", "200"])
  }

  @Test("-w is printed also when the request has failed, with authctl's own status")
  func failed() async throws {
    let place = try await Workplace.loggedIn()
    let refused = try await place.run(
      "call", "-sw", "%{http_code} %{exitcode} %{errormsg}", "-o", "/dev/null", "status/404")
    #expect(refused.status == 22 && refused.error.isEmpty)
    #expect(refused.text.hasPrefix("404 22 ") && refused.text.contains("the API returned 404"))
    let dead = "http://127.0.0.1:1/"
    let down = try await place.run("call", "--no-auth", "-w", "%{http_code}|%{exitcode}|%{onerror}down", dead)
    #expect(down.status == 5 && down.text == "000|5|down")
    #expect(try await place.run("call", "-w", "%{onerror}down", "-o", "/dev/null", "me").output.isEmpty)
  }

  @Test("a transfer that needs a login first is reported, too")
  func loginRequired() async throws {
    let place = try Workplace()
    try place.makeProfile()
    let outcome = try await place.run("call", "-w", "%{http_code} %{exitcode}", "me")
    #expect(outcome.status == 3 && outcome.text == "000 3", "\(outcome.error)")
  }

  @Test(
    "-O and -D are refused before anything is sent: status 1", arguments: [["-O", "/"], ["-D", "/nowhere/x", "/me"]])
  func refusedBefore(words: [String]) async throws {
    let place = try await Workplace.loggedIn()
    let outcome = try await place.run(
      ["call"] + words.dropLast() + ["\(place.lab.origin)/api\(words[words.count - 1])"])
    outcome.expect(1)
    #expect(outcome.error.contains(words[0]))
    #expect(try await place.lab.lastRequests().isEmpty)
  }

  @Test("more -o than addresses: a warning, and what is there is written")
  func tooMany() async throws {
    let place = try await Workplace.loggedIn()
    let outcome = try await place.run("call", "-o", "/dev/null", "-o", "/dev/null", "me")
    #expect(outcome.status == 0 && outcome.error.contains("more -o and -O than URLs"))
    #expect(try await place.run("call", "-s", "-o", "/dev/null", "-o", "/dev/null", "me").error.isEmpty)
  }
}
