import Foundation
import TestSupport
import Testing

@testable import AuthctlCLI

/// What a person sees while a login waits for them.
@Suite("LoginWaitRun") struct LoginWaitRunTests {
  /// Runs a browser login at a console.
  private func run(
    _ more: [String] = [], at console: FakeConsole, _ environment: [String: String], _ place: Workplace,
    browser: any Browser
  ) async -> Outcome {
    await place.run(
      place.browserLogin(["--timeout", "600s"] + more), at: console, environment: environment,
      with: .init(browser: browser))
  }

  @Test("on a terminal a line shows the time left and the redirect URI, and is gone at the end")
  func line() async throws {
    let place = try Workplace()
    let console = try FakeConsole(isOutputTerminal: true)
    let outcome = await run(at: console, ["TERM": "xterm"], place, browser: place.browser())
    outcome.expect(0)
    let first = try #require(console.statuses.first ?? nil)
    let line = /Waiting for the browser at http:\/\/127\.0\.0\.1:\d+\/callback … (10:00|9:\d\d) left/
    #expect(first.wholeMatch(of: line) != nil, "\(first)")
    #expect(try #require(console.statuses.last) == nil)
    #expect(!outcome.error.contains("Waiting") && outcome.error.contains("  \u{1B}[2m\(place.lab.origin)/authorize?"))
  }

  @Test("a narrow terminal gets a shorter line")
  func narrow() async throws {
    let place = try Workplace()
    let console = try FakeConsole(isOutputTerminal: true, width: 40)
    let outcome = await run(at: console, ["TERM": "xterm"], place, browser: place.browser())
    #expect(outcome.status == 0)
    let first = try #require(console.statuses.first ?? nil)
    #expect(first.wholeMatch(of: /Waiting for the browser … (10:00|9:\d\d) left/) != nil, "\(first)")
  }

  @Test(
    "no line without a terminal that can redraw it, with -q, and with JSON errors",
    arguments: [
      (false, "xterm", [String]()), (true, "dumb", []), (true, "", []), (true, "xterm", ["-q"]),
      (true, "xterm", ["--errors", "json"]),
    ])
  func noLine(isTerminal: Bool, term: String, options: [String]) async throws {
    let place = try Workplace()
    let console = try FakeConsole(isOutputTerminal: isTerminal)
    let environment = ["TERM": term, "VTE_VERSION": "6003", "COLORTERM": "truecolor"]
    let outcome = await run(options, at: console, environment, place, browser: place.browser())
    outcome.expect(0)
    #expect(console.statuses.isEmpty)
    let isQuiet = options == ["-q"]
    #expect(outcome.error.components(separatedBy: "/authorize?").count == (isQuiet ? 1 : 2), "\(outcome.error)")
    #expect(isQuiet || options.isEmpty == false || !outcome.error.contains("\u{1B}]8"))
  }

  @Test(
    "the page's URL is a link on a terminal that knows links, and plain on any other, and if colours are off",
    arguments: [
      (["TERM": "xterm-kitty"], [String](), true), (["TERM": "xterm"], [], false),
      (["TERM": "xterm-kitty", "NO_COLOR": "1"], [], false), (["TERM": "xterm-kitty"], ["--color", "never"], false),
      (["TERM": "xterm-kitty"], ["--errors", "json"], false),
    ])
  func link(environment: [String: String], options: [String], isLink: Bool) async throws {
    let place = try Workplace()
    let console = try FakeConsole(isOutputTerminal: true)
    let outcome = await run(options, at: console, environment, place, browser: place.browser())
    outcome.expect(0)
    let links = outcome.error.matches(of: /\e\]8;;(.+?)\e\\(.+?)\e\]8;;\e\\/)
    #expect(links.count == (isLink ? 1 : 0), "\(outcome.error)")
    #expect(links.allSatisfy { $0.1 == $0.2 && $0.1.hasPrefix(place.lab.origin + "/authorize?") })
    #expect(outcome.error.contains("/authorize?"))
  }

  @Test("a colour that is asked for makes no link in a pipe")
  func pipe() async throws {
    let place = try Workplace()
    let console = try FakeConsole()
    let outcome = await run(
      ["--color", "always"], at: console, ["TERM": "xterm-kitty"], place, browser: place.browser())
    #expect(outcome.status == 0 && !outcome.error.contains("\u{1B}]8"), "\(outcome.error)")
  }

  // MARK: - The last page

  /// The page that the browser shows after a login, and the login's outcome.
  private func lastPage(_ place: Workplace, _ action: FakeBrowser.Action = .approve) async throws -> (
    page: LoopbackResponse, outcome: Outcome
  ) {
    let (pages, shown) = AsyncStream<LoopbackResponse>.makeStream()
    var browser = place.browser(action)
    browser.onPage = { shown.yield($0) }
    let outcome = try await place.run(place.browserLogin(["--timeout", "600s"]), browser: browser)
    for await page in pages { return (page, outcome) }
    throw SessionError("no page")
  }

  @Test("the last page names who is logged in, and the profile")
  func success() async throws {
    let (page, outcome) = try await lastPage(Workplace())
    #expect(outcome.status == 0)
    #expect(page.status == 200 && page.text.contains("alice is logged in to profile work."), "\(page.text)")
    #expect(page.header("cache-control") == "no-store")
  }

  @Test("a code that can't be exchanged: the page has the server's error, escaped; status 6")
  func failure() async throws {
    let place = try Workplace()
    let body = #"{\"error\":\"invalid_grant\",\"error_description\":\"<script>alert(1)</script>\"}"#
    try await place.lab.fail(
      #"{"endpoint":"token.authorization_code","kind":"status","status":400,"body":"\#(body)"}"#)
    let (page, outcome) = try await lastPage(place)
    outcome.expect(6)
    #expect(page.text.contains("<h1>Login failed</h1>"), "\(page.text)")
    #expect(page.text.contains("invalid_grant: &lt;script&gt;alert(1)&lt;/script&gt;"), "\(page.text)")
    #expect(!page.text.contains("<script") && !page.text.contains("is logged in"))
    #expect(try place.stored() == nil)
  }

  @Test("a denied login: the page says so; status 6")
  func denial() async throws {
    let (page, outcome) = try await lastPage(Workplace(), .deny)
    outcome.expect(6)
    #expect(page.text.contains("<h1>Login denied</h1>") && page.text.contains("access_denied"), "\(page.text)")
  }

  @Test("a response of another server: the page shows the reason")
  func wrongIssuer() async throws {
    let place = try Workplace()
    try await place.lab.change(#"{"authorization_oddity":"wrong-iss"}"#)
    let (page, outcome) = try await lastPage(place)
    #expect(outcome.status == 6)
    #expect(page.text.contains("<h1>Login failed</h1>") && page.text.contains("another server"), "\(page.text)")
  }

  // MARK: - On another device

  private func deviceLogin(_ place: Workplace, _ more: [String] = []) -> [String] {
    ["login", "work", "--flow", "device", "--issuer", place.lab.origin, "--client-id", "cli"]
      + ["--api", place.lab.origin + "/api", "--scope", "api"] + more
  }

  /// A place whose server can be polled without its clock.
  private func devicePlace() async throws -> Workplace {
    let place = try Workplace()
    try await place.lab.change(#"{"device_interval":0}"#)
    return place
  }

  @Test("Enter opens the page of a device login, once; a line shows the time left")
  func enter() async throws {
    let place = try await devicePlace()
    let console = try FakeConsole(isTerminal: true, isOutputTerminal: true)
    console.pressEnter()
    console.pressEnter()
    let browser = NotingBrowser { [lab = place.lab] _ in
      (try? await lab.decideDevices(#"{"decision":"allow"}"#)) != nil
    }
    let outcome = await place.run(
      deviceLogin(place, ["--timeout", "600s"]), at: console, environment: ["TERM": "xterm"],
      with: .init(browser: browser))
    outcome.expect(0)
    #expect(browser.opened.count == 1 && browser.opened[0].contains("/device?user_code="), "\(browser.opened)")
    let lines = console.statuses.compactMap(\.self)
    let offered = /Waiting for approval … (10:00|9:\d\d) left. Press Enter to open the page here./
    let asked = lines.prefix { $0.wholeMatch(of: offered) != nil }
    #expect(!asked.isEmpty, "\(lines)")
    let rest = lines.dropFirst(asked.count)
    #expect(!rest.isEmpty && !rest.contains { $0.contains("Enter") }, "\(lines)")
    #expect(try #require(console.statuses.last) == nil)
    #expect(console.takeEnter(), "the second Enter was read, too")
  }

  @Test("an address of 200 KB is cut")
  func longPage() async throws {
    let place = try await devicePlace()
    let page = "https://id.example/" + String(repeating: "x", count: 200_000)
    try await place.response(
      at: "device_authorization", "malformed",
      [
        "body": #"{"device_code":"d","user_code":"u","verification_uri":"\#(page)","expires_in":600}"#, "count": 1,
      ])
    let outcome = try await place.run(deviceLogin(place, ["--timeout", "1s"]))
    #expect(outcome.error.contains("  https://id.example/xxx") && outcome.error.contains("x…\n"))
    #expect(outcome.error.utf8.count < 4000)
  }

  @Test("a browser that can't be started at Enter is reported, and the wait goes on")
  func failingBrowser() async throws {
    let place = try await devicePlace()
    let console = try FakeConsole(isTerminal: true, isOutputTerminal: true)
    console.pressEnter()
    let browser = NotingBrowser { [lab = place.lab] _ in
      try? await lab.decideDevices(#"{"decision":"allow"}"#)
      return false
    }
    let outcome = await place.run(
      deviceLogin(place), at: console, environment: ["TERM": "xterm"], with: .init(browser: browser))
    outcome.expect(0, error: "no browser could be started")
  }

  @Test(
    "Enter is not read if it can not be pressed: no terminal, no browser, --no-browser, --non-interactive, -q",
    arguments: [
      (false, true, [String]()), (true, false, []), (true, true, ["--no-browser"]), (true, true, ["--non-interactive"]),
      (true, true, ["-q"]),
    ])
  func noEnter(isTerminal: Bool, hasBrowser: Bool, options: [String]) async throws {
    let place = try await devicePlace()
    let console = try FakeConsole(isTerminal: isTerminal, text: Data("\n".utf8), isOutputTerminal: true)
    console.pressEnter()
    let browser = NotingBrowser()
    // The login has asked for its code before this is done, and polls a second later.
    let approval = Task { [lab = place.lab] in
      try await place.wait(for: "the code") { try await lab.count("device_authorization.ok") > 0 }
      try await lab.decideDevices(#"{"decision":"allow"}"#)
    }
    let outcome = await place.run(
      deviceLogin(place, options), at: console, environment: ["TERM": "xterm"],
      with: .init(browser: hasBrowser ? browser : NoBrowser()))
    try await approval.value
    outcome.expect(0)
    #expect(browser.opened.isEmpty && console.takeEnter())
    #expect(!console.statuses.contains { $0?.contains("Enter") == true })
  }
}
