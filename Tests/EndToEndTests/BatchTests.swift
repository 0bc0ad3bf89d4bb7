import Foundation
import TestSupport
import Testing

@Suite("call --batch, end to end")
struct BatchTests {
  /// The lines of an output as objects.
  func lines(_ text: String) throws -> [JSONObject] {
    try text.split(separator: "\n").map { try JSONObject(Data($0.utf8)) }
  }

  /// Runs a batch of these lines.
  func run(_ place: Workplace, _ input: [String], _ arguments: String...) throws -> (Outcome, [JSONObject]) {
    let outcome = try place.run(
      ["call", "--batch", "-"] + arguments, input: .text(input.map { $0 + "\n" }.joined()))
    return (outcome, try lines(outcome.text))
  }

  @Test("a thousand lines: each response in the place of its line, and no refresh", arguments: Workplace.Wire.allCases)
  func thousand(wire: Workplace.Wire) throws {
    let place = try Workplace.loggedIn(over: wire)
    let (outcome, responses) = try run(place, (0..<1000).map { "echo/\($0)" })
    #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.error)")
    #expect(responses.map { $0.integer("line") } == (1...1000).map { $0 })
    for (number, response) in responses.enumerated() {
      #expect(response.string("url") == "\(place.origin)/api/echo/\(number)")
      #expect(response.integer("status") == 200)
      let seen = try JSONObject(Data((response.string("body") ?? "").utf8))
      #expect(seen.string("target") == "/api/echo/\(number)")
    }
    #expect(try place.lab.count("token") == 0)
    #expect(try place.lab.count("api") == 1000)
  }

  @Test(
    "a thousand lines over HTTP/2, with GOAWAY in the middle: each has its response, also if the API refuses the token",
    arguments: [2, 5, 20], [false, true])
  func multiplexed(parallel: Int, isRefused: Bool) throws {
    let place = try Workplace.loggedIn(over: .http2)
    if isRefused { try place.lab.expireAccessTokens() }
    let (outcome, responses) = try run(place, (0..<1000).map { "echo/\($0)" }, "--parallel", String(parallel))
    #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.error)")
    #expect(responses.map { $0.integer("status") } == Array(repeating: 200, count: 1000))
    #expect(try place.lab.count("token") == (isRefused ? 1 : 0))
    let requests = try #require(place.proxy).requests().filter { $0[3].hasPrefix("/api/") }
    // As many as are sent at a time meet the refusal, and as many again wait with the token that they already have.
    #expect((1000...1000 + (isRefused ? 2 * parallel : 0)).contains(requests.count), "\(requests.count)")
    #expect(requests.allSatisfy { $0[0] == "HTTP/2.0" })
    // The proxy has ended connections with GOAWAY in the middle of the batch.
    #expect(Set(requests.map { $0[1] }).count >= 10)
  }

  @Test(
    "a token that is refused in the middle is refreshed once for all lines; the input may stay open",
    arguments: Workplace.Wire.allCases)
  func refusedInTheMiddle(wire: Workplace.Wire) throws {
    let place = try Workplace.loggedIn(over: wire)
    let run = try place.start(["call", "--batch", "-", "--parallel", "40"], input: .held)
    try run.write(String(repeating: "me\n", count: 200))
    try Waiting.until("200 answers: \(run.errorSoFar)") { run.outputSoFar.utf8.count { $0 == 10 } == 200 }
    try place.lab.expireAccessTokens()
    try run.write(String(repeating: "me\n", count: 800))
    run.closeInput()
    let outcome = try run.wait()
    outcome.expect(0)
    let responses = try lines(outcome.text)
    #expect(responses.map { $0.integer("line") } == (1...1000).map { $0 })
    #expect(responses.allSatisfy { $0.integer("status") == 200 })
    let counters = try place.lab.counters()
    #expect(counters["token.refresh_token.ok"] == 1)
    #expect(counters["token"] == 1)
    // As many again wait, with the token that they already have.
    #expect((1...80).contains(counters["api.401"] ?? 0), "\(counters)")
  }

  @Test(
    "with --unordered a slow line delays no other; without it the others wait for it", arguments: [true, false],
    Workplace.Wire.allCases)
  func order(isOrdered: Bool, wire: Workplace.Wire) throws {
    let place = try Workplace.loggedIn(over: wire)
    try place.lab.fail(#"{"endpoint":"api","kind":"delay","milliseconds":600000,"count":1}"#)
    let run = try place.start(["call", "--batch", "-"] + (isOrdered ? [] : ["--unordered"]), input: .held)
    try run.write("me\n")
    try Waiting.until("the slow line") { try place.lab.count("api") == 1 }
    try run.write((0..<9).map { "echo/\($0)\n" }.joined())
    try Waiting.until("the others: \(run.outputSoFar)") {
      try isOrdered ? place.lab.count("api.ok") == 9 : run.outputSoFar.count { $0 == "\n" } == 9
    }
    if isOrdered { #expect(run.outputSoFar.isEmpty) }
    run.closeInput()
    try place.lab.clearFaults()
    let outcome = try run.wait()
    outcome.expect(0)
    let numbers = try lines(outcome.text).compactMap { $0.integer("line") }
    #expect(numbers.sorted() == Array(1...10))
    if isOrdered { #expect(numbers == Array(1...10)) } else { #expect(numbers.last == 1) }
  }

  @Test(
    "an input without an end is read as needed, and ends when the reader of the responses closes",
    arguments: Workplace.Wire.allCases)
  func endless(wire: Workplace.Wire) throws {
    let place = try Workplace.loggedIn(over: wire)
    let script = "yes me | \"$0\" \"$@\" | head -n 3; echo \"${PIPESTATUS[1]}\""
    let outcome = try place.run(["call", "--batch", "-"], through: ["/bin/bash", "-c", script])
    let output = outcome.text.split(separator: "\n")
    #expect(output.count == 4 && output.last == "1", "\(outcome.text)")
    #expect(try lines(output.prefix(3).joined(separator: "\n")).map { $0.integer("line") } == [1, 2, 3])
    #expect(outcome.error.isEmpty, "\(outcome.error)")
    #expect(try place.lab.count("api") < 3000)
  }

  @Test(
    "output that cannot be written: status 1, reported once, whether a thread of its own writes it or not",
    arguments: ["> /dev/full", "1< /dev/null"])
  func unwritable(output: String) throws {
    let place = try Workplace.loggedIn()
    let outcome = try place.run(
      ["call", "--batch", "-"], input: .text("me\nme\n"), through: ["/bin/sh", "-c", "\"$0\" \"$@\" \(output)"])
    #expect(outcome.status == 1)
    #expect(outcome.error.components(separatedBy: "writing the output").count == 2, "\(outcome.error)")
  }

  @Test("-m, --retry and -L hold for each line", arguments: Workplace.Wire.allCases)
  func options(wire: Workplace.Wire) throws {
    let place = try Workplace.loggedIn(over: wire)
    try place.lab.fail(#"{"endpoint":"api","kind":"status","status":503,"count":3}"#)
    let (retried, responses) = try run(place, ["me", "me", "me"], "--retry", "3", "--retry-delay", "0.01", "-s")
    #expect(retried.status == 0 && retried.error.isEmpty, "\(retried.error)")
    #expect(responses.map { $0.integer("status") } == [200, 200, 200])
    #expect(try place.lab.count("api") == 6)
    let (timed, slow) = try run(place, ["slow?ms=60000", "me"], "-m", "5")
    #expect(timed.status == 5)
    #expect(try slow[0].object("error").string("code") == "try_later")
    #expect(slow[1].integer("status") == 200)
    #expect(try run(place, ["redirect?to=/api/me"]).1[0].integer("status") == 302)
    let followed = try run(place, ["redirect?to=/api/me"], "-L").1[0]
    #expect(followed.integer("status") == 200)
    #expect(followed.string("url")?.hasSuffix("/redirect?to=/api/me") == true)
  }
}
