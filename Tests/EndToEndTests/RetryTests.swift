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

  @Test("a connection that breaks is tried again, and so is a time limit that runs out", arguments: ["drop", "hang"])
  func noResponse(kind: String) throws {
    let place = try failing(1, #""kind":"\#(kind)""#)
    let limit = kind == "hang" ? "10" : "60"
    let outcome = try place.run(["call", "--retry", "1", "-s", "-m", limit] + RetryTests.fast + ["me"])
    outcome.expect(0)
    #expect(try outcome.json().string("sub") == "alice")
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
    outcome.expect(0)
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
}
