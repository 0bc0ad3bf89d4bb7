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

  @Test("a thousand lines: each answer in the place of its line, and no renewal")
  func thousand() throws {
    let place = try Workplace.loggedIn()
    let (outcome, responses) = try run(place, (0..<1000).map { "echo/\($0)" })
    #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.error)")
    #expect(responses.map { $0.integer("line") } == (1...1000).map { $0 })
    for (number, response) in responses.enumerated() {
      #expect(response.string("url") == "\(place.lab.origin)/api/echo/\(number)")
      #expect(response.integer("status") == 200)
      let seen = try JSONObject(Data((response.string("body") ?? "").utf8))
      #expect(seen.string("target") == "/api/echo/\(number)")
    }
    #expect(try place.lab.count("token") == 0)
    #expect(try place.lab.count("api") == 1000)
  }

  @Test("a token that is refused in the middle is renewed once for all lines; the input may stay open")
  func refusedInTheMiddle() throws {
    let place = try Workplace.loggedIn()
    let run = try place.start(["call", "--batch", "-", "--parallel", "40"], input: .held)
    try run.write(String(repeating: "me\n", count: 200))
    try Waiting.until("200 answers: \(run.errorSoFar)") { run.outputSoFar.utf8.count { $0 == 10 } == 200 }
    try place.lab.expireAccessTokens()
    try run.write(String(repeating: "me\n", count: 800))
    run.closeInput()
    let outcome = try run.wait()
    #expect(outcome.status == 0, "\(outcome.error)")
    let responses = try lines(outcome.text)
    #expect(responses.map { $0.integer("line") } == (1...1000).map { $0 })
    #expect(responses.allSatisfy { $0.integer("status") == 200 })
    let counters = try place.lab.counters()
    #expect(counters["token.refresh_token.ok"] == 1)
    #expect(counters["token"] == 1)
    #expect((1...40).contains(counters["api.401"] ?? 0), "\(counters)")
  }

  @Test("lines say method, headers and body")
  func objects() throws {
    let place = try Workplace.loggedIn()
    let (outcome, responses) = try run(
      place,
      [
        #"{"url":"echo","body":{"b": 1.10, "a": [1]},"headers":{"X-One":"1","User-Agent":null}}"#,
        #"{"url":"/echo?q=1","method":"PATCH","body":"as it is","headers":{"Accept":["a/b","c/d"]}}"#,
        #"{"url":"echo","method":"PUT","body_base64":"AP+A","headers":{"Content-Type":"x/y"}}"#,
        "echo",
      ], "-H", "X-All: yes", "-H", "Accept: text/plain")
    #expect(outcome.status == 0, "\(outcome.error)")
    let seen = try responses.map { try JSONObject(Data(($0.string("body") ?? "").utf8)) }
    #expect(seen.map { $0.string("method") } == ["POST", "PATCH", "PUT", "GET"])
    #expect(seen.map { $0.header("X-All") } == ["yes", "yes", "yes", "yes"])
    #expect(seen.map { $0.header("Accept") } == ["text/plain", "a/b", "text/plain", "text/plain"])
    #expect(responses[1].string("body")?.contains(#"["Accept","a/b"],["Accept","c/d"]"#) == true)
    #expect(seen.map { $0.header("Content-Type") } == ["application/json", nil, "x/y", nil])
    #expect(seen[0].string("body") == #"{"b": 1.10, "a": [1]}"#)
    #expect(seen[0].header("X-One") == "1" && seen[0].header("User-Agent") == nil)
    #expect(seen[1].string("body") == "as it is" && seen[1].string("target") == "/api/echo?q=1")
    #expect(seen[2].integer("length") == 3)
  }

  @Test("a body that is no UTF-8 comes as Base64, and headers as arrays by their names in lower case")
  func responses() throws {
    let place = try Workplace.loggedIn()
    let (_, responses) = try run(place, ["bytes/300"])
    let body = try #require(responses.first?.string("body_base64").flatMap { Data(base64Encoded: $0) })
    #expect(body == (try place.run("call", "bytes/300").output))
    #expect(responses[0].string("body") == nil)
    #expect(responses[0].keys == ["body_base64", "headers", "line", "status", "time", "url"])
  }

  @Test("with --unordered a slow line holds up nobody; without it the others wait for it", arguments: [true, false])
  func order(isOrdered: Bool) throws {
    let place = try Workplace.loggedIn()
    let input = ["slow?ms=2000"] + (0..<9).map { "echo/\($0)" }
    let (outcome, responses) = try isOrdered ? run(place, input) : run(place, input, "--unordered")
    #expect(outcome.status == 0)
    let numbers = responses.compactMap { $0.integer("line") }
    #expect(numbers.sorted() == Array(1...10))
    if isOrdered { #expect(numbers == Array(1...10)) } else { #expect(numbers.last == 1) }
  }

  @Test("a bad line, another origin, an error of the API: the others go on, and the status is the worst")
  func failures() throws {
    let place = try Workplace.loggedIn()
    let other = try Authlab()
    let (outcome, responses) = try run(
      place, ["me", "{\"url\":", "", "# a remark", other.origin + "/api/me", "status/404", "me"], "-p", "work")
    #expect(outcome.status == 2)
    #expect(responses.map { $0.integer("line") } == [1, 2, 5, 6, 7])
    #expect(responses.map { $0.integer("status") } == [200, nil, nil, 404, 200])
    let errors = try [1, 2].map { try responses[$0].object("error") }
    #expect(errors.map { $0.string("code") } == ["usage", "origin"])
    #expect(errors.map { $0.integer("exit") } == [2, 7])
    #expect(errors[0].string("message")?.contains("line 2") == true)
    #expect(try other.lastRequests().isEmpty)
    #expect(outcome.error.hasPrefix("authctl: the batch: 3 of 5 requests failed"), "\(outcome.error)")
    #expect(try run(place, ["me", "status/500"]).0.status == 22)
    let fine = try run(place, ["me", "status/500"], "--no-fail").0
    #expect(fine.status == 0 && fine.error.isEmpty)
    #expect(try run(place, ["me", "status/500"], "-s").0.error.isEmpty)
  }

  @Test("the token is refused as a header of a line, and is nowhere in what is written")
  func secrecy() throws {
    let place = try Workplace.loggedIn()
    let token = try #require(try place.pair().string("access_token"))
    let (outcome, responses) = try run(
      place, [#"{"url":"me","headers":{"authorization":"Bearer mine"}}"#, "me", "status/500"], "-v")
    #expect(outcome.status == 2)
    #expect(try responses[0].object("error").string("message")?.contains("uthorization") == true)
    #expect(try place.lab.count("api") == 2)
    for text in [outcome.text, outcome.error] {
      #expect(!text.contains(token) && !text.contains("Bearer mine"), "\(text)")
    }
  }

  @Test("where a person must log in, each line says so: status 3")
  func loggedOut() throws {
    let place = try Workplace.loggedIn()
    try place.lab.revokeAll()
    let (outcome, responses) = try run(place, Array(repeating: "me", count: 30))
    #expect(outcome.status == 3)
    #expect(responses.count == 30)
    for response in responses { #expect(try response.object("error").string("code") == "login_required") }
    #expect(try place.lab.count("token") == 1)
  }

  @Test("an input without an end is read as it is needed, and ends when nobody reads the answers")
  func endless() throws {
    let place = try Workplace.loggedIn()
    let script = "yes me | \"$0\" \"$@\" | head -n 3; echo \"${PIPESTATUS[1]}\""
    let outcome = try place.run(["call", "--batch", "-"], through: ["/bin/bash", "-c", script])
    let output = outcome.text.split(separator: "\n")
    #expect(output.count == 4 && output.last == "1", "\(outcome.text)")
    #expect(try lines(output.prefix(3).joined(separator: "\n")).map { $0.integer("line") } == [1, 2, 3])
    #expect(outcome.error.isEmpty, "\(outcome.error)")
    #expect(try place.lab.count("api") < 3000)
  }

  @Test("output that can't be written: status 1, said once")
  func unwritable() throws {
    let place = try Workplace.loggedIn()
    let outcome = try place.run(
      ["call", "--batch", "-"], input: .text("me\nme\n"), through: ["/bin/sh", "-c", "\"$0\" \"$@\" > /dev/full"])
    #expect(outcome.status == 1)
    #expect(outcome.error.contains("writing the output"), "\(outcome.error)")
  }

  @Test("without --profile each address finds its own; the lines may be in a file")
  func profiles() throws {
    let place = try Workplace.loggedIn()
    let other = try Authlab()
    try place.makeProfile("other", "issuer = \"\(other.origin)\"\napi = [\"\(other.origin)/api\"]")
    try place.logIn("other")
    let file = place.session.directory.appending(path: "lines")
    let input = [place.lab.origin, other.origin, place.lab.origin].map { $0 + "/api/me" }
    try Data(input.joined(separator: "\n").utf8).write(to: file)
    let outcome = try place.run("call", "--batch", file.path)
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(try lines(outcome.text).map { $0.string("url") } == input)
    #expect(try place.lab.count("api") == 2)
    #expect(try other.count("api") == 1)
  }

  @Test("-m, --retry and -L hold for each line")
  func options() throws {
    let place = try Workplace.loggedIn()
    try place.lab.fail(#"{"endpoint":"api","kind":"status","status":503,"count":3}"#)
    let (retried, responses) = try run(place, ["me", "me", "me"], "--retry", "3", "--retry-delay", "0.01", "-s")
    #expect(retried.status == 0 && retried.error.isEmpty, "\(retried.error)")
    #expect(responses.map { $0.integer("status") } == [200, 200, 200])
    #expect(try place.lab.count("api") == 6)
    let (timed, slow) = try run(place, ["slow?ms=20000", "me"], "-m", "1")
    #expect(timed.status == 5)
    #expect(try slow[0].object("error").string("code") == "try_later")
    #expect(slow[1].integer("status") == 200)
    #expect(try run(place, ["redirect?to=/api/me"]).1[0].integer("status") == 302)
    let followed = try run(place, ["redirect?to=/api/me"], "-L").1[0]
    #expect(followed.integer("status") == 200)
    #expect(followed.string("url")?.hasSuffix("/redirect?to=/api/me") == true)
  }
}
