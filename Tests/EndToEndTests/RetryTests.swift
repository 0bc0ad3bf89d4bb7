import Crypto
import Foundation
import TestSupport
import Testing

@Suite("call --retry, end to end")
struct RetryTests {
  private static let fast = ["--retry-delay", "0.01"]

  /// A workplace whose API fails so many times.
  func failing(_ count: Int, _ fault: String = #""kind":"status","status":503"#) throws -> Workplace {
    let place = try Workplace.loggedIn()
    try place.lab.fail(#"{"endpoint":"api",\#(fault),"count":\#(count)}"#)
    return place
  }

  @Test("what fails for a moment is sent again; only the last answer is printed, and each retry is told")
  func again() throws {
    let place = try failing(2)
    let outcome = try place.run(["call", "--retry", "3"] + RetryTests.fast + ["me"])
    #expect(outcome.status == 0)
    #expect(try outcome.json().string("sub") == "alice")
    let told = outcome.error.split(separator: "\n")
    #expect(told.count == 2, "\(outcome.error)")
    #expect(told[0].hasPrefix("authctl: warning: GET \(place.lab.origin)/api/me: the API returned 503; retrying in"))
    #expect(told.map { $0.hasSuffix("(2 retries left)") } == [true, false])
    #expect(told[1].hasSuffix("(1 retry left)"))
    #expect(try place.lab.count("api") == 3)
  }

  @Test("-s and -q keep the retries to themselves", arguments: ["-s", "-q"])
  func silent(option: String) throws {
    let place = try failing(1)
    let outcome = try place.run(["call", "--retry", "1", option] + RetryTests.fast + ["me"])
    #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.error)")
  }

  @Test("when no retry is left, the last answer is the answer: its body, status 22")
  func exhausted() throws {
    let place = try failing(9)
    let outcome = try place.run(["call", "--retry", "2", "-s"] + RetryTests.fast + ["me"])
    #expect(outcome.status == 22)
    #expect(outcome.text == #"{"error":"server_error"}"#, "\(outcome.text)")
    #expect(try place.lab.count("api") == 3)
  }

  @Test("a connection that breaks is tried again, and so is a time limit that runs out", arguments: ["drop", "hang"])
  func noResponse(kind: String) throws {
    let place = try failing(1, #""kind":"\#(kind)""#)
    let outcome = try place.run(["call", "--retry", "1", "-s", "-m", "3"] + RetryTests.fast + ["me"])
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(try outcome.json().string("sub") == "alice")
  }

  @Test("a method that may do harm twice is sent once, unless --retry-unsafe says otherwise")
  func unsafeMethods() throws {
    let place = try failing(1)
    let once = try place.run(["call", "--retry", "3", "-s", "-d", "a=b"] + RetryTests.fast + ["echo"])
    #expect(once.status == 22)
    #expect(try place.lab.count("api") == 1)
    try place.lab.fail(#"{"endpoint":"api","kind":"status","status":503,"count":1}"#)
    let twice = try place.run(["call", "--retry", "3", "--retry-unsafe", "-d", "a=b"] + RetryTests.fast + ["echo"])
    #expect(twice.status == 0, "\(twice.error)")
    #expect(try twice.json().string("body") == "a=b")
  }

  @Test("where nobody listens, --retry-connrefused sends a POST again as well", arguments: [true, false])
  func refused(isRepeated: Bool) throws {
    let place = try Workplace(.none)
    let arguments = ["call", "--no-auth", "--retry", "2", "-d", "a=b", "http://127.0.0.1:\(try FreePort.find())/"]
    let outcome = try place.run(arguments + RetryTests.fast + (isRepeated ? ["--retry-connrefused"] : []))
    #expect(outcome.status == 5)
    #expect(outcome.error.split(separator: "\n").count { $0.contains("retrying in") } == (isRepeated ? 2 : 0))
  }

  @Test("a body is sent whole each time: from a file and from a pipe", arguments: ["file", "pipe"])
  func bodies(kind: String) throws {
    let place = try failing(2)
    let data = Data((0..<3 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
    let file = place.session.directory.appending(path: "data")
    try data.write(to: file)
    let source = kind == "pipe" ? "@-" : "@\(file.path)"
    let outcome = try place.run(
      ["call", "--retry", "2", "-s", "-X", "PUT", "--data-binary", source] + RetryTests.fast + ["echo"],
      input: kind == "pipe" ? .pipe(data) : .nothing)
    #expect(outcome.status == 0, "\(outcome.error)")
    let digest = SHA256.hash(data: data).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(try outcome.json().string("sha256") == digest)
  }

  @Test("Retry-After is waited for, and one that is longer than there is time ends it")
  func retryAfter() throws {
    let place = try failing(1, #""kind":"retry_after","milliseconds":1000"#)
    let waited = try place.run(["call", "--retry", "1"] + RetryTests.fast + ["me"])
    #expect(waited.status == 0 && waited.seconds >= 1, "\(waited.seconds) \(waited.error)")
    try place.lab.fail(#"{"endpoint":"api","kind":"retry_after","milliseconds":60000,"count":1}"#)
    let ended = try place.run("call", "--retry", "1", "--retry-max-time", "30", "me")
    #expect(ended.status == 22 && ended.text.contains("slow_down"), "\(ended.error)")
  }

  @Test("the refresh of a refused token is no retry, and the other way round")
  func refresh() throws {
    let place = try failing(1)
    try place.lab.expireAccessTokens()
    let outcome = try place.run(["call", "--retry", "1", "-s"] + RetryTests.fast + ["me"])
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(try place.lab.count("token.refresh_token.ok") == 1)
    #expect(try place.lab.count("api") == 3)
    try place.lab.expireAccessTokens()
    #expect(try place.run("call", "--retry", "0", "me").status == 0)
  }

  @Test("with -o and -i the file holds the last answer only, and several addresses are retried each for itself")
  func files() throws {
    let place = try failing(2)
    let file = place.session.directory.appending(path: "out")
    let outcome = try place.run(
      ["call", "--retry", "2", "-s", "-i", "-o", file.path, "me", "me"] + RetryTests.fast)
    #expect(outcome.status == 0, "\(outcome.error)")
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.hasPrefix("HTTP/1.1 200") && !text.contains("503"))
    #expect(outcome.text.hasPrefix("HTTP/1.1 200") && !outcome.text.contains("503"))
  }
}
