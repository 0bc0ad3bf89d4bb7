import AuthCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AuthctlCLI

/// Servers that repeat secrets in places and notations of their own.
@Suite("no secret is printed that a server repeats") struct SecretEchoTests {
  @Test("of a server whose requests have a secret in the path and in a header field of any name")
  func oddPlaces() async throws {
    let place = try Workplace()
    let hunt = SecretHunt(place)
    let origin = "https://odd.example"
    try place.write(
      """
      type = "custom"
      base = "\(origin)"
      api = ["\(origin)/api"]
      [requests.login]
      url = "/enter/{password}"
      headers = { X-Any = "{password}" }
      json = { username = "{username}" }
      [response]
      access_token = "/accessToken"
      error_message = "/message"

      """)
    place.network.add(origin) { head in
      // The last part of the path in the request line.
      let word = head[0].split(separator: " ")[1].split(separator: "/").last ?? ""
      let body = #"{"message":"\#(word) is wrong"}"#
      return "HTTP/1.1 400 Bad Request\nX-Echo: \(word)\nContent-Length: \(body.utf8.count)\n"
        + "Content-Type: application/json\n\n\(body)"
    }
    hunt.add("sesame")
    let words = ["login", "work", "--username", "alice", "--password-stdin"]
    let outcome = try await hunt.run(words, input: .text("sesame"), status: nil)
    #expect(outcome.status != 0 && outcome.error.contains(": ‹redacted› is wrong"), "\(outcome.error)")
    #expect(outcome.error.contains("/enter/‹redacted›") && outcome.error.contains("> X-Any: ‹redacted›"))
    try hunt.expectNothing(atLeast: 1)
  }

  /// The traces of `--trace`, in one folder.
  private static func traces(in place: Workplace) -> [String] {
    ["har", "html", "mmd", "jsonl"].flatMap { ["--trace", place.folder.appending(path: "trace.\($0)").path] }
  }

  /// The texts of the traces, with a backslash for each that JSON escapes.
  private static func traced(in place: Workplace) throws -> [String] {
    try ["har", "html", "mmd", "jsonl"].map { ending in
      let text = try String(contentsOf: place.folder.appending(path: "trace.\(ending)"), encoding: .utf8)
      return text.replacing("\\\\", with: "\\")
    }
  }

  /// Whether a text contains the beginning, the middle or the end of a secret in some notation.
  private static func contains(_ text: String, _ notation: String) -> Bool {
    let middle = notation.index(notation.startIndex, offsetBy: notation.count / 2)
    return [notation.prefix(14), notation[middle...].prefix(14), notation.suffix(14)].contains { text.contains($0) }
  }

  @Test("of an API that repeats the token in any encoding, and that issues secrets of its own in any form")
  func echo() async throws {
    let place = try Workplace()
    let origin = "https://echo.example"
    try place.makeProfile("work", #"api = ["\#(origin)"]"#)
    #expect(try await place.run(["login", "work", "--password-stdin"], input: .text(Workplace.password)).status == 0)
    let item = try #require(place.secrets.items.first { $0.key.kind == .tokens }?.value)
    let token = try #require(try JSONValue(parsing: Array(item.exposed.utf8))["access_token"]?.string)
    let base64 = { (text: String) in Data(text.utf8).base64EncodedString() }
    let url = token.utf8.map { "%" + String($0, radix: 16) }.joined()
    let json = token.utf8.map { "\\u00" + String($0, radix: 16) }.joined()
    let own = "UNKNOWN-of-the-API-0123456789"
    // Each with what must not be found: without the characters that depend on what is around the token.
    let notations: [(text: String, secret: String)] =
      [
        token, url, url.replacing("%", with: "%25"), url.replacing("%", with: "%2525"), json,
        token.utf8.map { "&#\($0);" }.joined(), token.utf8.map { String($0, radix: 16) }.joined(),
      ].map { ($0, $0) }
      + ["", "x", "xy", #"{"Authorization":"Bearer "#].map { lead in
        let text = base64(lead + token + "xyz")
        return (text, String(text.dropFirst(lead.count / 3 * 4 + 4).dropLast(8)))
      }
      + [
        "<access_token>\(own)</access_token>", "access_token: \(own)", "token = \(own)", "user_code=\(own)",
        #"{"token":{"value":"\#(own)"}}"#, #"{"access_token":{"token":"\#(own)"}}"#,
        #"{"kty":"oct","k":"\#(own)"}"#, #"{"access\u005ftoken":"\#(own)"}"#, "next=https%3A%2F%2Fh%3Fcode%3D\(own)",
        "-----BEGIN PRIVATE KEY-----\n\(own)\n-----END PRIVATE KEY-----",
      ].map { ($0, own) }
    let texts = notations.map(\.text)
    let number = Mutex(0)
    place.network.add(origin) { head in
      let text = texts[number.withLock { $0 }]
      let field = text.replacing("\n", with: " ")
      return "HTTP/1.1 200 OK\nX-Echo: \(field)\nLocation: /x?next=\(field.replacing(" ", with: "+"))\n"
        + "Content-Length: \(text.utf8.count)\nContent-Type: text/plain\n\n\(text)"
    }
    for (index, notation) in notations.enumerated() {
      number.withLock { $0 = index }
      let isQuery = !notation.text.contains { " <{\n\\".contains($0) }
      let address = "\(origin)/?a=1&next=" + (isQuery ? notation.text : "")
      let outcome = try await place.run(["call", address, "-vv"] + Self.traces(in: place))
      outcome.expect(0, error: "‹redacted›")
      for text in try [outcome.error] + Self.traced(in: place) {
        #expect(!Self.contains(text, notation.secret), "\(notation.text): \(text)")
        #expect(text.contains("echo.example"))
      }
    }
  }

  @Test(
    "of a server whose errors quote the tokens of the session, which were not all sent",
    arguments: [
      (400, #"{"error":"invalid_request","error_description":"for @A and @R, not S"}"#),
      (400, #"{"error":"@A","error_description":"of @R"}"#), (503, #"{"error":"x","message":"@A @R"}"#),
      (400, "the tokens @A and @R of S"), (200, "<p>@A, @R</p>"), (401, #"{"error_description":"@A @R"}"#),
    ])
  func quotedTokens(status: Int, body: String) async throws {
    let place = try Workplace()
    try place.makeProfile()
    #expect(try await place.run(["login", "work", "--password-stdin"], input: .text(Workplace.password)).status == 0)
    let item = try #require(place.secrets.items.first { $0.key.kind == .tokens }?.value)
    let pair = try JSONValue(parsing: Array(item.exposed.utf8))
    let tokens = try ["access_token", "refresh_token"].map { try #require(pair[$0]?.string) }
    let text = body.replacing("@A", with: tokens[0]).replacing("@R", with: tokens[1])
    place.network.add(place.lab.origin) { _ in
      "HTTP/1.1 \(status) X\nContent-Length: \(text.utf8.count)\nContent-Type: application/json\n\n\(text)"
    }
    for words in [
      ["refresh", "work"], ["inspect", "--online"], ["call", "me"], ["doctor", "work"], ["logout", "work"],
    ] {
      for more in [[], ["-vv"], ["-vv"] + Self.traces(in: place)] {
        guard more.count < 2 || !["inspect", "doctor"].contains(words[0]) else { continue }
        let outcome = try await place.run(words + more)
        let files = more.count < 2 ? [] : try Self.traced(in: place)
        for shown in [outcome.error] + (words[0] == "call" ? [] : [outcome.text]) + files {
          for token in tokens { #expect(!Self.contains(shown, token), "\(words) \(more): \(shown)") }
        }
      }
    }
  }
}
