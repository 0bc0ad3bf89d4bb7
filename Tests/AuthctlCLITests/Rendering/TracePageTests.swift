import Foundation
import TestSupport
import Testing

@testable import AuthCore
@testable import AuthctlCLI

@Suite("TracePage") struct TracePageTests {
  private func page(_ sample: TraceSample, title: String = "authctl call me") -> String {
    TracePage.html(sample.entries, title: title, program: .standard, nonce: "NONCE")
  }

  /// The names of the elements of a page.
  private func elements(_ html: String) -> Set<String> {
    Set(html.matches(of: /<\/?([a-z0-9]+)/).map { String($0.1) })
  }

  @Test("has no script and loads nothing; only its own style is allowed")
  func policy() throws {
    let html = page(.refused)
    let policy = try #require(html.firstMatch(of: /http-equiv="Content-Security-Policy" content="([^"]+)"/)).1
    #expect(
      policy
        == "default-src 'none'; style-src 'nonce-NONCE'; img-src data:; base-uri 'none'; form-action 'none'")
    #expect(html.contains("<style nonce=\"NONCE\">"))
    #expect(!html.contains("style=\"") && !html.contains("<script") && !html.contains("onclick"))
    #expect(html.matches(of: /(?:src|href)="([^"]*)"/).allSatisfy { $0.1.hasPrefix("#") || $0.1 == "data:," })
    let other = TracePage.html([], title: "", program: .standard)
    #expect(other.firstMatch(of: /nonce-([\w-]{20,})'/) != nil)
  }

  @Test("texts of servers are escaped wherever they are shown")
  func hostile() {
    let html = page(.hostile, title: "<title>\"&")
    let expected = elements(page(.refused)).union(elements(page(.failing)))
    #expect(elements(html).subtracting(expected).isEmpty, "\(elements(html).subtracting(expected))")
    #expect(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    #expect(html.contains("&lt;b&gt;;--&gt;&lt;/b&gt;"))
    #expect(html.contains("<title>&lt;title&gt;&quot;&amp; · id.example.com · api.example.com</title>"))
    #expect(html.contains("<th>x-&lt;i&gt;</th>"))
    #expect(html.contains("&quot;&gt;&lt;img src=x&gt;"))
    #expect(html.contains("]]&gt; &quot;&#39;&amp;amp;"))
    #expect(html.contains("\\u{202e}txt.exe\\u{1b}[31m"))
    #expect(!html.unicodeScalars.contains { $0.drivesTerminal && $0 != "\n" })
  }

  @Test("each request opens its header fields, bodies and timings, and those of its response")
  func details() throws {
    let html = page(.refused)
    #expect(html.matches(of: /<details class="step/).count == 3)
    let request = try #require(html.firstMatch(of: /id="e6">(?s:.*?)<\/details>/)).0
    for part in [
      "POST https://id.example.com/token", "<tr><th>Accept</th><td>application/json</td></tr>",
      "<pre>grant_type=refresh_token\nrefresh_token=<code class=\"token ", "HTTP/2 200",
      "\n  &quot;token_type&quot;: &quot;Bearer&quot;,\n", "<i class=\"p-tls\"></i>TLS 7.8 ms</span>",
      "<b>total 31.0 ms</b>", "server at 192.0.2.7:443",
      "sent by process 4242, the background refresh",
    ] {
      #expect(request.contains(part), "\(part) in \(request)")
    }
  }

  @Test("a request and its response are one row, unless another step is between them")
  func rows() {
    #expect(page(.valid).matches(of: /<details class="step/).count == 1)
    let html = page(.batch)
    #expect(html.matches(of: /<details class="step/).count == 5)
    #expect(html.matches(of: #/ id="e[0-9]+"/#).count == 3)
  }

  @Test("a token has the same colours everywhere, and can be followed")
  func tokens() {
    let html = page(.refused)
    let styles = html.matches(of: /class="token (k-[0-9a-f]+)"[^>]*>access 5da77486</).map(\.1)
    #expect(styles.count >= 5 && Set(styles).count == 1)
    #expect(html.contains("<input type=\"radio\" name=\"token\" id=\"t-5da77486\">"))
    #expect(html.matches(of: /<label for="t-5da77486">/).count == 1)
    #expect(html.contains("#t-5da77486:checked~main .step:not(.has-5da77486)"))
    #expect(html.matches(of: /class="step[^"]* has-5da77486/).count == 4)
  }

  @Test("other tokens have other colours, each of which the style defines and uses")
  func colours() {
    let html = page(.refused)
    let used = Set(html.matches(of: /class="token (k-[0-9a-f]+)"/).map(\.1))
    let rules = html.matches(of: /\n\.(k-[0-9a-f]+)\{--hue:([0-9]+);--sat:1\}/)
    #expect(Set(rules.map(\.1)) == used && Set(rules.map(\.2)).count == used.count, "\(rules.map(\.0))")
    #expect(html.contains(/\n\.token\{[^}]*background:hsl\(var\(--hue\)/))
  }

  @Test("the first 24 tokens can be followed")
  func manyTokens() {
    let entries = (0..<30).map { number in
      TraceEntry(
        number: number, time: .sample, offset: 0, process: 1, isInBackground: false,
        step: .event(.saved(access: "000000\(number + 10)")))
    }
    let html = TracePage.html(entries, title: "x", program: .standard)
    #expect(html.matches(of: /<label for="t-0/).count == 24)
    #expect(html.contains("access 00000039</code>"))
  }

  @Test("a token has its kind wherever it is shown, and its form as a title")
  func kinds() {
    let html = page(.refused)
    #expect(
      !html.contains("‹") && html.contains("POST /token (refresh_token) <code class=\"token k-1b8885b8\">refresh 1b8"))
    #expect(html.contains("title=\"opaque, 43 chars\">refresh c0ffee12</code>"))
    #expect(html.contains("Bearer <code class=\"token k-d00ab342\" title=\"redacted\">access d00ab342</code>"))
  }

  @Test("no token has the colour of an outcome: red, amber or green")
  func hues() {
    let tokens = (10..<34).map { TraceToken(fingerprint: "000000\($0)") }
    let hues = TraceToken.hues(of: tokens).map(\.hue)
    #expect(hues.allSatisfy { (175...325).contains($0) } && Set(hues).count == hues.count, "\(hues)")
  }

  @Test("the browser has a lane, with the authorization request and its return")
  func browser() throws {
    let html = page(.login)
    #expect(html.contains("<b>browser</b>"))
    let row = try #require(html.firstMatch(of: /id="e3">(?s:.*?)<\/details>/)).0
    let line =
      "GET /authorize client_id=cli scope=openid offline_access items.read resource=https://api.example.com "
      + "redirect_uri=http://127.0.0.1:4711/callback state=‹43 chars›"
    #expect(row.contains(line), "\(row)")
    #expect(row.contains("<tr><th>nonce</th><td>‹43 chars›</td></tr>"))
    #expect(html.contains("return to http://127.0.0.1:4711/callback"))
  }

  @Test("one line sums the flow up, with the exit status")
  func verdict() {
    func text(_ sample: TraceSample, _ exit: Int32?) -> String { TraceVerdict(sample.entries, exit: exit).text }
    #expect(text(.refused, 0) == "401 invalid_token → refreshed → 201: exit 0")
    #expect(text(.valid, nil) == "200")
    #expect(
      text(.failing, 3)
        == "no response → /token 503 temporarily_unavailable → /token 400 invalid_grant → login required: exit 3")
    #expect(text(.login, 0) == "back from the browser: exit 0")
    #expect(text(.batch, 22) == "404 no such item → 200 × 2: exit 22")
    let run = TraceRun(commandLine: "authctl call --header 'X: ‹…›' items", version: "authctl 0.1.0", exit: 22)
    let html = TracePage.html(TraceSample.refused.entries, title: "x", program: .standard, run: run)
    #expect(html.contains("<p class=\"verdict failure\">401 invalid_token → refreshed → 201: exit 22</p>"))
    #expect(html.contains("<code>authctl call --header &#39;X: ‹…›&#39; items</code>"))
    #expect(html.contains("<span>authctl 0.1.0</span>"))
  }

  @Test("the claims of a JWT are shown while its token is chosen")
  func claims() {
    var run = TraceRun()
    run.tokens["5da77486"] = Redaction().readable("eyJhbGciOiJub25lIn0.eyJzdWIiOiI8Yj5hbGljZSJ9.c2lnbmF0dXJl")
    let html = TracePage.html(TraceSample.refused.entries, title: "x", program: .standard, run: run)
    #expect(html.contains("<section class=\"claims c-5da77486\" aria-label=\"Claims\">"))
    #expect(html.contains("&quot;sub&quot;: &quot;&lt;b&gt;alice&quot;") && !html.contains("c2lnbmF0dXJl"))
    #expect(html.contains("#t-5da77486:checked~header .c-5da77486{display:block}"))
    #expect(html.matches(of: /<small>claims<\/small>/).count == 1)
  }

  @Test("what is stored and what is used is said once, until it changes")
  func once() {
    func entry(_ number: Int, _ event: AuthEvent) -> TraceEntry {
      TraceEntry(
        number: number, time: .sample, offset: Double(number), process: 1, isInBackground: false, step: .event(event))
    }
    let (loaded, used) = (
      AuthEvent.loaded(access: "5da77486", expiresAt: nil), AuthEvent.usable(access: "5da77486", because: "it is valid")
    )
    let entries = [loaded, used, loaded, used, .saved(access: "5da77486"), loaded, loaded].enumerated().map {
      entry($0, $1)
    }
    let texts = TraceSequence(entries, program: "x").steps.map(\.text)
    #expect(texts.map { $0.prefix(6) } == ["stored", "store ", "stored"], "\(texts)")
  }

  @Test("a long pause takes little of the scale")
  func pause() {
    let axis = TraceAxis([0.004...0.065, 9.415...9.453])
    #expect(axis.pauses == [0.065...9.415])
    #expect(axis.place(0.004) == 0 && axis.place(9.453) > 0.999)
    #expect((0.5...0.65).contains(axis.place(0.065)) && axis.place(9.415) - axis.place(0.065) < 0.09)
    #expect(axis.marks.count >= 3 && axis.marks.contains(9.415), "\(axis.marks)")
    #expect(TraceAxis([]).marks.isEmpty && TraceAxis([1...1]).place(1) == 0)
    #expect(page(.login).contains("<text class=\"wait\""))
    #expect(page(.failing).matches(of: /<rect class="pause"/).count == 2)
  }

  @Test("the lane of the program has its name, and an arrow without a response ends in a cross")
  func arrows() {
    let html = TracePage.html(
      TraceSample.failing.entries, title: "x", program: ProgramName(calledBy: "/usr/bin/authc"))
    #expect(html.contains("<b>authc</b>") && !html.contains("<b>authctl</b>"))
    #expect(html.matches(of: /<div class="row failure reply lost">/).count == 1)
    #expect(html.contains("\n.lost .arrow::after{"))
  }

  @Test("states what is not shown of a body")
  func bodies() {
    var exchange = TraceExchange(role: .api, method: "GET", url: "https://a.example.com/")
    exchange.status = 200
    func html(_ body: TraceExchange.Body) -> String {
      exchange.responseBody = body
      let entry = TraceEntry(
        number: 1, time: .sample, offset: 0, process: 1, isInBackground: false, step: .exchange(exchange))
      return TracePage.html([entry], title: "x", program: .standard)
    }
    #expect(html(.init(text: nil, mediaType: "image/png", size: 812)).contains("812 bytes of image/png, not shown"))
    #expect(html(.init(text: nil, mediaType: "", size: nil)).contains("a body of unknown size, not shown"))
    let cut = html(.init(text: "{\"a\":[1", mediaType: "application/json", size: 70_000, isCut: true))
    #expect(cut.contains("<pre>{&quot;a&quot;:[1</pre>"))
    #expect(cut.contains("only the beginning of 70000 bytes of application/json"))
    #expect(!html(.init(text: "", mediaType: "", size: 0)).contains("<pre>"))
  }

  @Test("the first line states when it began, how many requests there are, and how long it took")
  func facts() {
    let html = page(.refused)
    #expect(html.contains("2026-01-02 03:04:05 UTC"))
    #expect(html.contains("<span>3 requests</span> <span>114 ms</span> <span>2 processes</span>"))
    #expect(page(.valid).contains("<span>1 request</span> <span>55 ms</span></p>"))
    #expect(TracePage.html([], title: "x", program: .standard).contains("No step was recorded."))
  }

  @Test("bars show the requests on a scale of time")
  func bars() {
    let html = page(.refused)
    #expect(html.matches(of: /<svg class="bar/).count == 3)
    #expect(html.contains("<a href=\"#e6\">POST /token</a>"))
    #expect(html.contains("<span><b class=\"warning\">401</b> · 23 ms</span>"))
    #expect(html.contains("<span>200 · 31 ms</span>"))
    #expect(html.matches(of: /([0-9]+ ms)<\/text>/).map(\.1) == ["20 ms", "40 ms", "60 ms", "80 ms", "100 ms"])
    #expect(page(.failing).contains("<span><b class=\"failure\">no response</b> · 2 ms</span>"))
  }
}
