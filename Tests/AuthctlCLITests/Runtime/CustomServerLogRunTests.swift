import AuthCore
import Foundation
import TestSupport
import Testing

@testable import AuthctlCLI

/// What `-v` and `--trace` show of the requests that a profile describes.
@Suite("CustomServerLogRun") struct CustomServerLogRunTests {
  private static let origin = "https://own.example"

  /// The lines without their times.
  private func lines(_ outcome: Outcome) -> [String] {
    outcome.error.split(separator: "\n").compactMap { line in
      line.firstRange(of: "ms] ").map { String(line[$0.upperBound...]) }
    }
  }

  /// A server that responds to every request of a profile with this body.
  private func place(_ body: String, status: Int = 200, request: String? = nil) throws -> Workplace {
    let place = try Workplace()
    let fields = request ?? #"json = { username = "{username}", password = "{password}" }"#
    try place.write(
      """
      type = "custom"
      base = "\(Self.origin)"
      api = ["\(Self.origin)/api"]
      [requests.login]
      url = "/enter"
      \(fields)
      [requests.refresh]
      url = "/again"
      json = { refreshToken = "{refresh_token}", kind = "again" }
      [response]
      access_token = ["/data/at", "/at"]
      refresh_token = "/data/rt"
      expires_in = "/data/seconds"
      success = "/ok"
      error_code = "/code"
      error_message = "/message"
      subject = "/user"
      login_required_codes = ["SESSION_OVER"]

      """)
    place.network.add(Self.origin) { _ in
      "HTTP/1.1 \(status) X\nContent-Type: application/json\nContent-Length: \(body.utf8.count)\n\n\(body)"
    }
    return place
  }

  private func logIn(_ place: Workplace, _ more: [String] = ["-v"], password: String = "hunter-2") async throws
    -> Outcome
  {
    try await place.run(
      ["login", "work", "--username", "alice", "--password-stdin"] + more, input: .text(password))
  }

  private static let tokens = #""data":{"at":"access-of-alice-1","rt":"refresh-of-alice-1","seconds":600}"#

  @Test("the fields of a login and of its response: lengths, fingerprints, and what [response] describes")
  func login() async throws {
    let place = try place(#"{"ok":true,"code":"OK","user":"Ada Byron","more":{"note":"secret"},\#(Self.tokens)}"#)
    let outcome = try await logIn(place)
    outcome.expect(0)
    let shown = lines(outcome).filter { $0.hasPrefix("> ") || $0.hasPrefix("< ") }.drop {
      $0 != "> password=‹redacted›"
    }
    func token(_ text: String) -> String { "‹opaque, \(text.count) chars, \(Secret(text).fingerprint)›" }
    let expected = [
      "> password=‹redacted›", "> username=‹5 chars›", "< HTTP/1.1 200 X", "< Content-Type: application/json",
      "< data/at=\(token("access-of-alice-1"))", "< data/rt=\(token("refresh-of-alice-1"))", "< more/note=‹6 chars›",
      "< code=OK", "< data/seconds=600", "< ok=true", "< user=Ada Byron",
    ]
    #expect(shown.filter { !$0.hasPrefix("< Content-Length") && $0.count > 2 } == expected, "\(outcome.error)")
  }

  @Test("a refresh shows its token by the same fingerprint; an error code is shown with -v, -vv and in the traces")
  func refusal() async throws {
    let body = #"{"ok":false,"code":"SESSION_OVER","message":"SESSION_OVER: log in"}"#
    for option in ["-v", "-vv"] {
      let place = try place(#"{"ok":true,\#(Self.tokens)}"#)
      #expect(try await logIn(place).status == 0)
      place.network.add(Self.origin) { _ in "HTTP/1.1 200 X\nContent-Length: \(body.utf8.count)\n\n\(body)" }
      let traces = ["har", "jsonl", "html"].map { place.folder.appending(path: "t.\($0)").path }
      let outcome = try await place.run(["refresh", "work", option] + traces.flatMap { ["--trace", $0] })
      outcome.expect(3)
      let shown = lines(outcome)
      let token = "‹opaque, 18 chars, \(Secret("refresh-of-alice-1").fingerprint)›"
      #expect(shown.contains("> refreshToken=\(token)") && shown.contains("> kind=‹5 chars›"), "\(shown)")
      for line in ["< code=SESSION_OVER", "< message=SESSION_OVER: log in", "< ok=false"] {
        #expect(shown.contains(line), "\(shown)")
      }
      #expect(!shown.contains { $0.hasPrefix("< ") && $0.contains("‹redacted›") }, "\(shown)")
      for trace in traces {
        #expect(try String(contentsOfFile: trace, encoding: .utf8).contains("SESSION_OVER: log in"))
      }
    }
  }

  @Test("a described value is escaped, cut, and not shown if it was sent or is a token")
  func secrets() async throws {
    let long = String(repeating: "x ", count: 150)
    let cases: [(body: String, line: String)] = [
      (#"{"code":"1234","message":"PIN 1234 is wrong"}"#, "< code=‹"),
      (#"{"code":1234}"#, "< code=‹"), (#"{"message":"1234"}"#, "< message=‹"),
      (#"{"code":"alice"}"#, "< code=‹5 chars›"), (#"{"code":"constant"}"#, "< code=‹8 chars›"),
      (#"{"message":"\u001b[2J\u202e\#(long)"}"#, "< message=\\u{1b}[2J\\u{202e}x x "),
      (#"{"at":"opaque-token-0","message":"for opaque-token-0"}"#, "< message=for ‹redacted›"),
      (#"{"at":"opaque-token-0","user":"opaque-token-0"}"#, "< user=‹14 chars›"),
    ]
    for (body, start) in cases {
      let place = try place(
        body, status: 403, request: #"json = { u = "{username}", pin = "{password}", c = "constant" }"#)
      for option in ["-v", "-vv"] {
        let trace = place.folder.appending(path: "t.har").path
        let outcome = try await logIn(place, [option, "--trace", trace], password: "1234")
        #expect(outcome.status != 0, "\(outcome.error)")
        let line = try #require(lines(outcome).first { $0.hasPrefix(start) }, "\(body) \(outcome.error)")
        #expect(line.count < 240)
        for text in [outcome.error, try String(contentsOfFile: trace, encoding: .utf8)] {
          // Of the response: the request has the user and the constant, which are no secrets.
          for secret in ["\"1234\"", "=1234", "PIN 1234", ": 1234", "opaque-token", "code=", #"code\":\"constant"#] {
            let shown = text.replacing("< code=‹", with: "")
            #expect(!shown.contains(secret), "\(body) \(option): \(secret) in \(shown)")
          }
        }
      }
    }
  }

  @Test("the fields of a form and the parts of a body in parts, a file by its size")
  func forms() async throws {
    let image = "GIF89a"
    for (request, expected) in [
      (#"form = { user = "{username}", pass = "{password}" }"#, ["> pass=‹redacted›", "> user=‹5 chars›"]),
      (
        #"multipart = { user = "{username}", word = "{password}", image = "@{image}" }"#,
        ["> image=‹6 bytes›", "> user=‹5 chars›", "> word=‹redacted›"]
      ),
    ] {
      let place = try place("{\(Self.tokens)}", request: request)
      let file = try place.file("picture.bin", holding: image)
      let more = request.hasPrefix("form") ? ["-v"] : ["-v", "--field", "image=@\(file)"]
      let outcome = try await logIn(place, more)
      outcome.expect(0)
      let shown = lines(outcome).filter { line in expected.contains { $0.prefix(6) == line.prefix(6) } }
      #expect(shown.sorted() == expected, "\(outcome.error)")
    }
  }
}
