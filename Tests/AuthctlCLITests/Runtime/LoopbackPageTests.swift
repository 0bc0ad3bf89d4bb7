import AuthCore
import Foundation
import Testing

@testable import AuthctlCLI

@Suite("LoopbackPage") struct LoopbackPageTests {
  private static let failure = AuthError.refused(
    .init("logging in to work", why: "the server returned server_error: <b>no</b>", serverError: "server_error"))
  private static let all: [LoopbackPage] = [
    .loggedIn(to: "work", as: "alice"), .failed(failure, profile: "work"), .late, .empty, .foreign, .stateless,
    .noNavigation,
    .notFound, .methodNotAllowed,
  ]

  /// The lines of the head without their ends, and the body.
  private func parts(_ page: LoopbackPage) throws -> (head: [String], body: String) {
    let text = String(decoding: page.response, as: UTF8.self)
    let parts = text.components(separatedBy: "\r\n\r\n")
    try #require(parts.count == 2)
    return (parts[0].components(separatedBy: "\r\n"), parts[1])
  }

  @Test("a page may run nothing and load nothing, is not kept, and its length is stated", arguments: all.indices)
  func head(index: Int) throws {
    let (head, body) = try parts(LoopbackPageTests.all[index])
    let nonce = try #require(body.firstMatch(of: /<style nonce="([A-Za-z0-9_-]{43})">/)).1
    for line in [
      "Cache-Control: no-store", "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff",
      "Content-Type: text/html; charset=utf-8", "Content-Length: \(body.utf8.count)", "Connection: close",
      "Content-Security-Policy: default-src 'none'; style-src 'nonce-\(nonce)'; img-src data:; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'",
    ] {
      #expect(head.contains(line), "\(line)")
    }
    #expect(!body.contains("<script") && !body.contains("http:") && !body.contains("https:") && !body.contains("url("))
    #expect(body.contains("prefers-color-scheme:dark") && body.contains("width=device-width"))
  }

  @Test("no two responses have the same nonce")
  func nonce() throws {
    let page = LoopbackPage.late
    #expect(try parts(page).body != parts(page).body)
  }

  @Test("the page of a success names the person and the profile")
  func success() throws {
    let (head, body) = try parts(.loggedIn(to: "work", as: "alice"))
    #expect(head[0] == "HTTP/1.1 200 OK")
    #expect(body.contains("<title>Logged in</title>") && body.contains("<h1>Logged in</h1>"))
    #expect(body.contains("alice is logged in to profile work."), "\(body)")
    #expect(try parts(.loggedIn(to: "work", as: nil)).body.contains("You are logged in to profile work."))
  }

  @Test("the page of a failure has the reason; that of a denial says so")
  func failure() throws {
    let (head, body) = try parts(.failed(LoopbackPageTests.failure, profile: "work"))
    #expect(head[0] == "HTTP/1.1 200 OK" && body.contains("<h1>Login failed</h1>"))
    #expect(body.contains("<blockquote>the server returned server_error: &lt;b&gt;no&lt;/b&gt;</blockquote>"))
    #expect(body.contains("The login to profile work failed."))
    let denial = AuthError.refused(
      .init("logging in to work", why: "the login was denied (access_denied)", serverError: "access_denied"))
    let denied = try parts(.failed(denial, profile: "work")).body
    #expect(denied.contains("<h1>Login denied</h1>") && denied.contains("the login was denied (access_denied)"))
  }

  @Test(
    "name, profile and reason are text, whatever they contain",
    arguments: ["<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'&lt;", "\u{202E}evil\u{0}"])
  func escaping(text: String) throws {
    let error = AuthError.refused(.init("x", why: text))
    for page in [
      LoopbackPage.loggedIn(to: "work", as: text), .loggedIn(to: text, as: "alice"), .failed(error, profile: "work"),
      .failed(error, profile: text),
    ] {
      let body = try parts(page).body
      #expect(!body.contains(text), "\(body)")
      #expect(!body.contains("<script") && !body.contains("<img") && !body.unicodeScalars.contains("\u{202E}"))
    }
    let shown = try parts(.loggedIn(to: "work", as: "<a & \"b\" 'c'>")).body
    #expect(shown.contains("&lt;a &amp; &quot;b&quot; &#39;c&#39;&gt; is logged in"), "\(shown)")
  }

  @Test("a name or a reason of any length is cut")
  func length() throws {
    let long = String(repeating: "x", count: 100_000)
    #expect(LoopbackPage.loggedIn(to: "work", as: long).response.count < 8192)
    #expect(LoopbackPage.failed(.refused(.init("x", why: long)), profile: "work").response.count < 8192)
  }
}
