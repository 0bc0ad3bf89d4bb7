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

  private func body(_ page: LoopbackPage) -> String { String(decoding: page.response.body, as: UTF8.self) }

  @Test("a page may run nothing and load nothing, and is not kept", arguments: all.indices)
  func head(index: Int) throws {
    let response = LoopbackPageTests.all[index].response
    let (head, body) = (
      response.fields.map { "\($0.name): \($0.value)" }, String(decoding: response.body, as: UTF8.self)
    )
    let nonce = try #require(body.firstMatch(of: /<style nonce="([A-Za-z0-9_-]{43})">/)).1
    for line in [
      "Cache-Control: no-store", "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff",
      "Content-Type: text/html; charset=utf-8", "Connection: close",
      "Content-Security-Policy: default-src 'none'; style-src 'nonce-\(nonce)'; img-src data:; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'",
    ] {
      #expect(head.contains(line), "\(line)")
    }
    #expect(!body.contains("<script") && !body.contains("http:") && !body.contains("https:") && !body.contains("url("))
    #expect(body.contains("prefers-color-scheme:dark") && body.contains("width=device-width"))
  }

  @Test("no two responses have the same nonce")
  func nonce() {
    let page = LoopbackPage.late
    #expect(body(page) != body(page))
  }

  @Test("the page of a success names the person and the profile")
  func success() {
    let page = LoopbackPage.loggedIn(to: "work", as: "alice")
    let body = body(page)
    #expect(page.status == 200)
    #expect(body.contains("<title>Logged in</title>") && body.contains("<h1>Logged in</h1>"))
    #expect(body.contains("alice is logged in to profile work."), "\(body)")
    #expect(self.body(.loggedIn(to: "work", as: nil)).contains("You are logged in to profile work."))
  }

  @Test("the page of a failure has the reason; that of a denial says so")
  func failure() {
    let page = LoopbackPage.failed(LoopbackPageTests.failure, profile: "work")
    let body = body(page)
    #expect(page.status == 200 && body.contains("<h1>Login failed</h1>"))
    #expect(body.contains("<blockquote>the server returned server_error: &lt;b&gt;no&lt;/b&gt;</blockquote>"))
    #expect(body.contains("The login to profile work failed."))
    let denial = AuthError.refused(
      .init("logging in to work", why: "the login was denied (access_denied)", serverError: "access_denied"))
    let denied = self.body(.failed(denial, profile: "work"))
    #expect(denied.contains("<h1>Login denied</h1>") && denied.contains("the login was denied (access_denied)"))
  }

  @Test(
    "name, profile and reason are text, whatever they contain",
    arguments: ["<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'&lt;", "\u{202E}evil\u{0}"])
  func escaping(text: String) {
    let error = AuthError.refused(.init("x", why: text))
    for page in [
      LoopbackPage.loggedIn(to: "work", as: text), .loggedIn(to: text, as: "alice"), .failed(error, profile: "work"),
      .failed(error, profile: text),
    ] {
      let body = body(page)
      #expect(!body.contains(text), "\(body)")
      #expect(!body.contains("<script") && !body.contains("<img") && !body.unicodeScalars.contains("\u{202E}"))
    }
    let shown = body(.loggedIn(to: "work", as: "<a & \"b\" 'c'>"))
    #expect(shown.contains("&lt;a &amp; &quot;b&quot; &#39;c&#39;&gt; is logged in"), "\(shown)")
  }

  @Test("a name or a reason of any length is cut")
  func length() {
    let long = String(repeating: "x", count: 100_000)
    #expect(LoopbackPage.loggedIn(to: "work", as: long).response.body.count < 8192)
    #expect(LoopbackPage.failed(.refused(.init("x", why: long)), profile: "work").response.body.count < 8192)
  }
}
