import Foundation
import TestSupport
import Testing

@Suite("RetryRun") struct RetryRunTests {
  private static let fast = ["--retry-delay", "0.01"]

  /// A workplace whose API fails so many times.
  func failing(_ count: Int, _ fault: String = #""kind":"status","status":503"#) async throws -> Workplace {
    let place = try await Workplace.loggedIn()
    try await place.lab.fail(#"{"endpoint":"api",\#(fault),"count":\#(count)}"#)
    return place
  }

  @Test("a transient failure is retried; only the last response is printed, and each retry is reported")
  func again() async throws {
    let place = try await failing(2)
    let outcome = try await place.run(["call", "--retry", "3"] + RetryRunTests.fast + ["me"])
    #expect(outcome.status == 0)
    #expect(try outcome.json().string("sub") == "alice")
    let told = outcome.error.split(separator: "\n")
    #expect(told.count == 2, "\(outcome.error)")
    #expect(told[0].hasPrefix("authctl: warning: GET \(place.lab.origin)/api/me: the API returned 503; retrying in"))
    #expect(told.map { $0.hasSuffix("(2 retries left)") } == [true, false])
    #expect(told[1].hasSuffix("(1 retry left)"))
    #expect(try await place.lab.count("api") == 3)
  }

  @Test("-s and -q keep the retries to themselves", arguments: ["-s", "-q"])
  func silent(option: String) async throws {
    let place = try await failing(1)
    let outcome = try await place.run(["call", "--retry", "1", option] + RetryRunTests.fast + ["me"])
    #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.error)")
  }

  @Test("when no retry is left, the last response is the response: its body, status 22")
  func exhausted() async throws {
    let place = try await failing(9)
    let outcome = try await place.run(["call", "--retry", "2", "-s"] + RetryRunTests.fast + ["me"])
    #expect(outcome.status == 22)
    #expect(outcome.text == #"{"error":"server_error"}"#, "\(outcome.text)")
    #expect(try await place.lab.count("api") == 3)
  }

  @Test("a method that may do harm twice is sent once, unless --retry-unsafe says otherwise")
  func unsafeMethods() async throws {
    let place = try await failing(1)
    let once = try await place.run(["call", "--retry", "3", "-s", "-d", "a=b"] + RetryRunTests.fast + ["echo"])
    #expect(once.status == 22)
    #expect(try await place.lab.count("api") == 1)
    try await place.lab.fail(#"{"endpoint":"api","kind":"status","status":503,"count":1}"#)
    let twice = try await place.run(
      ["call", "--retry", "3", "--retry-unsafe", "-d", "a=b"] + RetryRunTests.fast + ["echo"])
    twice.expect(0)
    #expect(try twice.json().string("body") == "a=b")
  }

  @Test("if the connection is refused, --retry-connrefused sends a POST again as well", arguments: [true, false])
  func refused(isRepeated: Bool) async throws {
    let place = try Workplace(.none)
    let arguments = ["call", "--no-auth", "--retry", "2", "-d", "a=b", "http://127.0.0.1:1/"]
    let outcome = try await place.run(arguments + RetryRunTests.fast + (isRepeated ? ["--retry-connrefused"] : []))
    #expect(outcome.status == 5)
    #expect(outcome.error.split(separator: "\n").count { $0.contains("retrying in") } == (isRepeated ? 2 : 0))
  }

  @Test("a refresh of a refused token does not count as a retry, nor a retry as a refresh")
  func refresh() async throws {
    let place = try await failing(1)
    try await place.lab.expireAccessTokens()
    let outcome = try await place.run(["call", "--retry", "1", "-s"] + RetryRunTests.fast + ["me"])
    outcome.expect(0)
    #expect(try await place.lab.count("token.refresh_token.ok") == 1)
    #expect(try await place.lab.count("api") == 3)
    try await place.lab.expireAccessTokens()
    #expect(try await place.run("call", "--retry", "0", "me").status == 0)
  }

  @Test("with -o and -i the file holds the last response only, and several addresses are retried each for itself")
  func files() async throws {
    let place = try await failing(2)
    let file = place.folder.appending(path: "out")
    let outcome = try await place.run(
      ["call", "--retry", "2", "-s", "-i", "-o", file.path, "me", "me"] + RetryRunTests.fast)
    outcome.expect(0)
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.hasPrefix("HTTP/1.1 200") && !text.contains("503"))
    #expect(outcome.text.hasPrefix("HTTP/1.1 200") && !outcome.text.contains("503"))
  }
}
