import Foundation
import TestSupport
import Testing

@Suite("call's outputs, end to end")
struct CallOutputTests {
  @Test("-i and -D hold the final answer only, -v shows all of them in their order")
  func finalResponse() throws {
    let place = try Workplace.loggedIn()
    let head = place.session.directory.appending(path: "head")
    try place.lab.expireAccessTokens()
    let target = "\(place.lab.origin)/api/redirect?to=/api/me"
    let outcome = try place.run("call", "-vi", "-D", head.path, "-L", target)
    try #require(outcome.status == 0, "\(outcome.error)")
    let header = try String(contentsOf: head, encoding: .utf8)
    #expect(header.hasPrefix("HTTP/1.1 200 ") && header.hasSuffix("\r\n\r\n"))
    #expect(header.components(separatedBy: "HTTP/1.1").count == 2)
    #expect(outcome.text.hasPrefix(header + "{"))
    let seen = outcome.error.split(separator: "\n").compactMap { line in
      line.firstRange(of: "] ").map { line[$0.upperBound...] }
    }
    .filter { $0.hasPrefix("> GET ") || $0.hasPrefix("> POST ") || $0.hasPrefix("< HTTP/1.1 ") }
    .map { $0.split(separator: " ").dropFirst().map(String.init) }
    #expect(
      seen.map { String($0[1].prefix { $0 != "?" }) }
        == ["/api/redirect", "401", "/token", "200", "/api/redirect", "302", "/api/me", "200"])
  }

  @Test("-w tells of the request that was replayed, and its time is that of the whole")
  func replayed() throws {
    let place = try Workplace.loggedIn()
    try place.lab.expireAccessTokens()
    let format = "\\n%{http_code} %{num_redirects} %{num_connects} %{exitcode} %{time_redirect} %{time_total}"
    let outcome = try place.run("call", "-w", format, "me")
    let words = try #require(outcome.text.split(separator: "\n").last).split(separator: " ")
    #expect(words.prefix(4) == ["200", "0", "1", "0"])
    let (before, total) = (try #require(Double(words[4])), try #require(Double(words[5])))
    #expect(before > 0 && before < total && total < outcome.seconds)
  }

  @Test("-w is printed also when the request has failed, with authctl's own status")
  func failed() throws {
    let place = try Workplace.loggedIn()
    let refused = try place.run("call", "-sw", "%{http_code} %{exitcode} %{errormsg}", "-o", "/dev/null", "status/404")
    #expect(refused.status == 22 && refused.error.isEmpty)
    #expect(refused.text.hasPrefix("404 22 ") && refused.text.contains("the API returned 404"))
    let dead = "http://127.0.0.1:\(try FreePort.find())/"
    let down = try place.run("call", "--no-auth", "-w", "%{http_code}|%{exitcode}|%{onerror}down", dead)
    #expect(down.status == 5 && down.text == "000|5|down")
    #expect(try place.run("call", "-w", "%{onerror}down", "-o", "/dev/null", "me").output.isEmpty)
  }

  @Test("a transfer that needs a login first is told of, too")
  func loginRequired() throws {
    let place = try Workplace()
    try place.makeProfile()
    let outcome = try place.run("call", "-w", "%{http_code} %{exitcode}", "me")
    #expect(outcome.status == 3 && outcome.text == "000 3", "\(outcome.error)")
  }

  @Test(
    "-O and -D are refused before anything is sent: status 1", arguments: [["-O", "/"], ["-D", "/nowhere/x", "/me"]])
  func refusedBefore(words: [String]) throws {
    let place = try Workplace.loggedIn()
    let outcome = try place.run(["call"] + words.dropLast() + ["\(place.lab.origin)/api\(words[words.count - 1])"])
    #expect(outcome.status == 1, "\(outcome.error)")
    #expect(outcome.error.contains(words[0]))
    #expect(try place.lab.lastRequests().isEmpty)
  }

  @Test("more -o than addresses: a warning, and what is there is written")
  func tooMany() throws {
    let place = try Workplace.loggedIn()
    let outcome = try place.run("call", "-o", "/dev/null", "-o", "/dev/null", "me")
    #expect(outcome.status == 0 && outcome.error.contains("more -o and -O than URLs"))
    #expect(try place.run("call", "-s", "-o", "/dev/null", "-o", "/dev/null", "me").error.isEmpty)
  }

  @Test("a reader that goes away ends the call without a word")
  func brokenPipe() throws {
    let place = try Workplace(.none)
    let script = "\"$0\" \"$@\" | head -c 1 >/dev/null; exit ${PIPESTATUS[0]}"
    let address = place.lab.origin + "/open/bytes/30000000"
    for more in [[], ["-i"], ["-w", "%{url}"]] {
      let outcome = try place.run(["call", "--no-auth", address] + more, through: ["/bin/bash", "-c", script])
      #expect(outcome.status == 1 && outcome.error.isEmpty, "\(outcome.error)")
    }
  }

  @Test("each line of a stream is there before the next one is sent", arguments: [[], ["-i"], ["--color", "always"]])
  func lines(options: [String]) throws {
    let place = try Workplace(.none)
    let seen = DispatchSemaphore(value: 0)
    let server = try ScriptedServer { peer in
      _ = try peer.readHead()
      try peer.write("HTTP/1.1 200 OK\nContent-Type: text/event-stream\nTransfer-Encoding: chunked\n\n")
      for number in 1...3 {
        try peer.write("9\ndata: \(number)\n\n")
        seen.wait()
      }
      try peer.write("0\n\n")
    }
    let run = try place.start(["call", "--no-auth", server.origin] + options)
    for number in 1...3 {
      try Waiting.until("line \(number)") { run.outputSoFar.contains("data: \(number)") }
      seen.signal()
    }
    #expect(try run.wait().status == 0)
  }
}
