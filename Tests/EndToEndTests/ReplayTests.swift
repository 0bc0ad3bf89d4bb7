import Crypto
import Foundation
import TestSupport
import Testing

@Suite("call with a token that the API refuses, end to end")
struct ReplayTests {
  /// Bytes that don't repeat in step with any buffer.
  func bytes(_ count: Int) -> Data { Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }) }

  func digest(_ data: Data) -> String {
    SHA256.hash(data: data).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// A workplace whose token the server does not take any more although it is valid by the clock.
  func refused(_ more: String = "") throws -> Workplace {
    let place = try Workplace.loggedIn(more)
    try place.lab.expireAccessTokens()
    return place
  }

  @Test("a simulated refusal: a real 401, one refresh in another process, the replay; then a good session")
  func simulated() throws {
    let place = try Workplace.loggedIn()
    let old = try place.pair().string("access_token")
    let outcome = try place.run("call", "--simulate", "refused", "-d", "a=b", "echo")
    try #require(outcome.status == 0, "\(outcome.error)")
    #expect(try outcome.json().string("body") == "a=b")
    #expect(outcome.error == "authctl: simulating a refused token: an altered one is sent first\n")
    let pair = try place.pair()
    #expect(pair.string("access_token") != old && pair.string("refused_at") == nil)
    #expect(try place.run("call", "me").status == 0)
    let counters = try place.lab.counters()
    #expect(counters["api"] == 3 && counters["token.refresh_token.ok"] == 1)
  }

  @Test(
    "401: one refresh, and the request is replayed once with the same body",
    arguments: ["bytes", "file", "pipe", "small pipe"])
  func replay(kind: String) throws {
    let place = try refused()
    let data = kind == "small pipe" ? bytes(70_000) : kind == "bytes" ? Data("a=b&c=ü".utf8) : bytes(3 << 20)
    let file = place.session.directory.appending(path: "data")
    try data.write(to: file)
    let arguments =
      switch kind {
      case "bytes": ["--data-raw", "a=b&c=ü"]
      case "file": ["--data-binary", "@\(file.path)"]
      default: ["--data-binary", "@-"]
      }
    let outcome = try place.run(["call"] + arguments + ["echo"], input: kind.hasSuffix("pipe") ? .pipe(data) : .nothing)
    try #require(outcome.status == 0, "\(outcome.error)")
    #expect(try outcome.json().string("sha256") == digest(data))
    #expect(try outcome.json().integer("length") == data.count)
    let counters = try place.lab.counters()
    #expect(counters["api"] == 2)
    #expect(counters["api.401"] == 1)
    #expect(counters["token.refresh_token.ok"] == 1)
    #expect(counters["token"] == 1)
  }

  @Test(
    "a 401 that no refresh cures costs one refresh for all calls and batches, and is reported (real-servers.md, 33)"
  )
  func uncured() throws {
    let place = try Workplace.loggedIn()
    try place.lab.fail(#"{"endpoint":"api","kind":"always401"}"#)
    let first = try place.run("call", "me")
    #expect(first.error.contains("401 (invalid_token"), "\(first.error)")
    #expect(
      first.error.contains(/\): the token was refreshed and refused again; not refreshed for (5m|4m )/),
      "\(first.error)")
    #expect(try place.pair().string("refused_at") != nil)
    for run in try (0..<30).map({ _ in try place.start(["call", "me"]) }) {
      let outcome = try run.wait()
      #expect(outcome.status == 22 && outcome.text.contains("invalid_token"), "\(outcome.error)")
      #expect(outcome.error.contains("not refreshed for"), "\(outcome.error)")
    }
    let batch = try place.run(["call", "--batch", "-"], input: .text(String(repeating: "me\n", count: 60)))
    #expect(batch.status == 22)
    #expect(batch.error.split(separator: "\n").count { $0.contains("refused again") } == 1, "\(batch.error)")
    #expect(try place.lab.count("token.refresh_token") == 1)
    try place.lab.clearFaults()
    #expect(try place.run("refresh").status == 0)
    #expect(try place.pair().string("refused_at") == nil)
    #expect(try place.run("call", "me").status == 0)
  }

  @Test("calls that are all refused at the same time cost one refresh", arguments: [["me"], ["--batch", "-"]])
  func uncuredAtOnce(arguments: [String]) throws {
    let place = try Workplace.loggedIn()
    try place.lab.fail(#"{"endpoint":"api","kind":"always401"}"#)
    let input = String(repeating: "me\n", count: 100)
    let runs = try (0..<(arguments == ["me"] ? 40 : 3)).map { _ in
      try place.start(["call"] + arguments, input: arguments == ["me"] ? .nothing : .text(input))
    }
    for run in runs { #expect(try run.wait().status == 22) }
    #expect(try place.lab.count("token.refresh_token") == 1)
  }
}
