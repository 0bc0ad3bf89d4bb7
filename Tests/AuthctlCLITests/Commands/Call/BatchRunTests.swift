import Foundation
import TestSupport
import Testing

@Suite("BatchRun") struct BatchRunTests {
  /// The lines of an output as objects.
  func lines(_ text: String) throws -> [JSONObject] {
    try text.split(separator: "\n").map { try JSONObject(Data($0.utf8)) }
  }

  /// Runs a batch of these lines.
  func run(_ place: Workplace, _ input: [String], _ arguments: String...) async throws -> (Outcome, [JSONObject]) {
    let outcome = try await place.run(
      ["call", "--batch", "-"] + arguments, input: .text(input.map { $0 + "\n" }.joined()))
    return (outcome, try lines(outcome.text))
  }

  @Test("lines state method, headers and body")
  func objects() async throws {
    let place = try await Workplace.loggedIn()
    let (outcome, responses) = try await run(
      place,
      [
        #"{"url":"echo","body":{"b": 1.10, "a": [1]},"headers":{"X-One":"1","User-Agent":null}}"#,
        #"{"url":"/echo?q=1","method":"PATCH","body":"as it is","headers":{"Accept":["a/b","c/d"]}}"#,
        #"{"url":"echo","method":"PUT","body_base64":"AP+A","headers":{"Content-Type":"x/y"}}"#,
        "echo",
      ], "-H", "X-All: yes", "-H", "Accept: text/plain")
    outcome.expect(0)
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

  @Test("a body that is not UTF-8 is printed as Base64, and headers as arrays by their names in lower case")
  func responses() async throws {
    let place = try await Workplace.loggedIn()
    let (_, responses) = try await run(place, ["bytes/300"])
    let body = try #require(responses.first?.string("body_base64").flatMap { Data(base64Encoded: $0) })
    #expect(body == (try await place.run("call", "bytes/300").output))
    #expect(responses[0].string("body") == nil)
    #expect(responses[0].keys == ["body_base64", "headers", "line", "status", "time", "url"])
  }

  @Test("a bad line, another origin, an error of the API: the others continue, and the status is the worst")
  func failures() async throws {
    let place = try await Workplace.loggedIn()
    let other = try place.otherLab()
    let (outcome, responses) = try await run(
      place, ["me", "{\"url\":", "", "# a remark", other.origin + "/api/me", "status/404", "me"], "-p", "work")
    #expect(outcome.status == 2)
    #expect(responses.map { $0.integer("line") } == [1, 2, 5, 6, 7])
    #expect(responses.map { $0.integer("status") } == [200, nil, nil, 404, 200])
    let errors = try [1, 2].map { try responses[$0].object("error") }
    #expect(errors.map { $0.string("code") } == ["usage", "origin"])
    #expect(errors.map { $0.integer("exit") } == [2, 7])
    #expect(errors[0].string("message")?.contains("line 2") == true)
    #expect(try await other.lastRequests().isEmpty)
    #expect(outcome.error.hasPrefix("authctl: the batch: 3 of 5 requests failed"), "\(outcome.error)")
    #expect(try await run(place, ["me", "status/500"]).0.status == 22)
    let fine = try await run(place, ["me", "status/500"], "--no-fail").0
    #expect(fine.status == 0 && fine.error.isEmpty)
    #expect(try await run(place, ["me", "status/500"], "-s").0.error.isEmpty)
  }

  @Test("the token is refused as a header of a line, and is nowhere in what is written")
  func secrecy() async throws {
    let place = try await Workplace.loggedIn()
    let token = try #require(try place.pair().string("access_token"))
    let (outcome, responses) = try await run(
      place, [#"{"url":"me","headers":{"authorization":"Bearer mine"}}"#, "me", "status/500"], "-v")
    #expect(outcome.status == 2)
    #expect(try responses[0].object("error").string("message")?.contains("uthorization") == true)
    #expect(try await place.lab.count("api") == 2)
    for text in [outcome.text, outcome.error] {
      #expect(!text.contains(token) && !text.contains("Bearer mine"), "\(text)")
    }
  }

  @Test("if a login is required, each line says so: status 3")
  func loggedOut() async throws {
    let place = try await Workplace.loggedIn()
    try await place.lab.revokeAll()
    let (outcome, responses) = try await run(place, Array(repeating: "me", count: 30))
    #expect(outcome.status == 3)
    #expect(responses.count == 30)
    for response in responses { #expect(try response.object("error").string("code") == "login_required") }
    #expect(try await place.lab.count("token") == 1)
  }

  @Test("without --profile each address finds its own; the lines may be in a file")
  func profiles() async throws {
    let place = try await Workplace.loggedIn()
    let other = try place.otherLab()
    try place.makeProfile("other", "issuer = \"\(other.origin)\"\napi = [\"\(other.origin)/api\"]")
    try await place.logIn("other")
    let file = place.folder.appending(path: "lines")
    let input = [place.lab.origin, other.origin, place.lab.origin].map { $0 + "/api/me" }
    try Data(input.joined(separator: "\n").utf8).write(to: file)
    let outcome = try await place.run("call", "--batch", file.path)
    outcome.expect(0)
    #expect(try lines(outcome.text).map { $0.string("url") } == input)
    #expect(try await place.lab.count("api") == 2)
    #expect(try await other.count("api") == 1)
  }
}
