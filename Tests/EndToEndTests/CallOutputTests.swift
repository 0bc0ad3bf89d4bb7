import Foundation
import TestSupport
import Testing

@Suite("call's outputs, end to end")
struct CallOutputTests {
  @Test("-w reports the replayed request, and its time is that of the whole")
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
      _ = try peer.head()
      try peer.send("HTTP/1.1 200 OK\nContent-Type: text/event-stream\nTransfer-Encoding: chunked\n\n")
      for number in 1...3 {
        try peer.send("9\ndata: \(number)\n\n")
        seen.wait()
      }
      try peer.send("0\n\n")
    }
    let run = try place.start(["call", "--no-auth", server.base] + options)
    for number in 1...3 {
      try Waiting.until("line \(number)") { run.outputSoFar.contains("data: \(number)") }
      seen.signal()
    }
    #expect(try run.wait().status == 0)
  }
}
