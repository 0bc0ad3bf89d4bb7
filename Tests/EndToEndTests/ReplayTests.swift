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

  @Test(
    "401: one exchange, and the request is sent once more with the same body",
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
    "the renewal does not depend on the form of the challenge (real-servers.md, 22)",
    arguments: ["full", "lowercase", "no-space", "absent"])
  func challenges(form: String) throws {
    let place = try refused()
    try place.lab.change(#"{"challenge":"\#(form)"}"#)
    #expect(try place.run("call", "me").json().string("sub") == "alice")
    #expect(try place.lab.count("token.refresh_token.ok") == 1)
  }

  @Test("a second 401 is the answer: its body, status 22, one exchange")
  func secondRefusal() throws {
    let place = try Workplace.loggedIn()
    try place.lab.fail(#"{"endpoint":"api","kind":"always401"}"#)
    let outcome = try place.run("call", "me")
    #expect(outcome.status == 22, "\(outcome.error)")
    #expect(outcome.text.contains("invalid_token"))
    let counters = try place.lab.counters()
    #expect(counters["api"] == 2)
    #expect(counters["token.refresh_token"] == 1)
  }

  @Test(
    "a 401 that no refresh cures costs one exchange for all calls and batches, and is said (real-servers.md, 33)"
  )
  func uncured() throws {
    let place = try Workplace.loggedIn()
    try place.lab.fail(#"{"endpoint":"api","kind":"always401"}"#)
    let first = try place.run("call", "me")
    #expect(first.error.contains("401 (invalid_token"), "\(first.error)")
    #expect(
      first.error.contains("): the token was refreshed and refused again; not refreshed for 5m"), "\(first.error)")
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

  @Test("calls that are all refused at the same time cost one exchange", arguments: [["me"], ["--batch", "-"]])
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

  @Test("a 403 says what the API says in its challenge")
  func forbiddenWords() throws {
    let place = try Workplace(.none)
    let challenge = #"Bearer error="access_denied", error_description="not\u{1b}[31m yours""#
    let server = try ScriptedServer { peer in
      _ = try peer.readHead()
      try peer.write("HTTP/1.1 403 Forbidden\nWWW-Authenticate: \(challenge)\nContent-Length: 0\n\n")
    }
    let outcome = try place.run("call", "--no-auth", server.origin)
    #expect(outcome.error.contains("the API returned 403 (access_denied: not"), "\(outcome.error)")
    #expect(!outcome.error.contains("\u{1b}"))
  }

  @Test(
    "a challenge of a kind that no token meets has a hint of its own",
    arguments: [
      (#"Digest realm="x", nonce="n", qop="auth""#, "Digest authentication, which authctl does not support"),
      ("NTLM", "NTLM authentication"), (#"Bearer realm="x", Digest realm="y", nonce="n""#, nil),
    ] as [(String, String?)])
  func foreignScheme(challenge: String, hint: String?) throws {
    let place = try Workplace(.none)
    let server = try ScriptedServer { peer in
      _ = try peer.readHead()
      try peer.write("HTTP/1.1 401 No\nWWW-Authenticate: \(challenge)\nContent-Length: 0\n\n")
    }
    let outcome = try place.run("call", server.origin, environment: ["AUTHCTL_ACCESS_TOKEN": "given"])
    #expect(outcome.status == 22)
    #expect(outcome.error.contains(hint ?? "--no-fail"), "\(outcome.error)")
    #expect(outcome.error.contains("does not support") == (hint != nil))
  }

  @Test("403 is the answer, unless refresh_on names it")
  func forbidden() throws {
    let plain = try refused()
    let outcome = try plain.run("call", "forbidden-when-expired")
    #expect(outcome.status == 22 && outcome.text.contains("expired"))
    #expect(try plain.lab.count("token") == 0)
    let naming = try refused("refresh_on = [401, 403]")
    #expect(try naming.run("call", "forbidden-when-expired").status == 0)
    #expect(try naming.lab.count("token.refresh_token.ok") == 1)
  }

  @Test("where a person must log in, the body of the 401 is not printed: status 3")
  func loggedOutAtServer() throws {
    let place = try Workplace.loggedIn()
    try place.lab.revokeAll()
    let outcome = try place.run("call", "me")
    #expect(outcome.status == 3, "\(outcome.error)")
    #expect(outcome.text.isEmpty)
    #expect(outcome.error.contains("authctl login work"))
  }

  @Test("with -o the refused answer leaves nothing in the file")
  func outputFile() throws {
    let place = try refused()
    let file = place.session.directory.appending(path: "out")
    #expect(try place.run("call", "-i", "-o", file.path, "me").status == 0)
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.hasPrefix("HTTP/1.1 200"))
    #expect(!text.contains("401"))
  }
}
