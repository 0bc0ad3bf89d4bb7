import Foundation
import TestSupport
import Testing

@Suite("login in a real Chromium, end to end")
struct ChromiumTests {
  /// Checks what is true of each last page, and looks at its views.
  private func check(_ visit: Chromium.Visit, title: String, _ texts: [String]) throws {
    #expect(visit.title == title)
    for text in texts { #expect(visit.text.contains(text), "\(text) in: \(visit.text)") }
    #expect(visit.console.isEmpty, "\(visit.console)")
    #expect(visit.scripts == 0)
    #expect(visit.requests.allSatisfy { $0.hasPrefix("data:") }, "\(visit.requests)")
    #expect(visit.foreign.isEmpty, "\(visit.foreign)")
    #expect(visit.views.keys.sorted() == ["desktop-dark", "desktop-light", "phone-dark", "phone-light"])
    for (name, view) in visit.views {
      #expect(view.overflow == 0, "\(title), \(name)")
      #expect(view.contrast >= 4.5, "\(title), \(name)")
      let image = try Data(contentsOf: URL(filePath: view.image))
      #expect(image.starts(with: [0x89] + Array("PNG".utf8)) && image.count > 2000, "\(title), \(name)")
    }
    for screen in ["desktop", "phone"] {
      let backs = Set(["light", "dark"].compactMap { visit.views["\(screen)-\($0)"]?.back })
      #expect(backs.count == 2, "light and dark differ: \(backs)")
    }
  }

  @Test("the last page of a success, a failure and a denial: text, width, colours, nothing loaded, no error")
  func pages() throws {
    let chromium = try Chromium()
    let place = try Workplace()
    let (first, request) = try place.startLogin()
    try check(
      chromium.visit(place.lab.origin + request.target, name: "success"), title: "Logged in",
      ["Logged in", "alice is logged in to profile work.", "You can close this window"])
    #expect(try first.wait().status == 0)

    let words = "<script>document.title='run'</script><h1>x</h1>" + String(repeating: "long", count: 60)
    let body = #"{\"error\":\"invalid_grant\",\"error_description\":\"\#(words)\"}"#
    try place.lab.fail(
      #"{"endpoint":"token.authorization_code","kind":"status","status":400,"body":"\#(body)"}"#)
    let (second, again) = try place.startLogin()
    try check(
      chromium.visit(place.lab.origin + again.target, name: "failure"), title: "Login failed",
      ["Login failed", "invalid_grant: " + words, "The login to profile work failed."])
    let failed = try second.wait()
    failed.expect(6, error: "invalid_grant")

    let (third, last) = try place.startLogin()
    try check(
      chromium.visit(place.lab.origin + last.target, .deny, name: "denial"), title: "Login denied",
      ["Login denied", "access_denied", "The login to profile work failed."])
    #expect(try third.wait().status == 6)
    withExtendedLifetime(chromium) {}
  }

  @Test("the whole login at glewlwyd: its own pages, consent, the last page, a call")
  func glewlwyd() throws {
    let server = try Glewlwyd(accessLifetime: 60, pages: true)
    let place = try GlewlwydTests().place(server)
    let run = try place.start(["login", "real", "--no-browser"])
    try run.waitUntilError(contains: "/auth?")
    try Waiting.until("the whole address") { run.errorSoFar.hasSuffix("\n") }
    let url = try #require(run.errorSoFar.split(whereSeparator: \.isWhitespace).first { $0.contains("/auth?") })
    let chromium = try Chromium()
    let visit = try chromium.visit(String(url), password: server.password, name: "glewlwyd")
    let outcome = try run.wait()
    try #require(outcome.status == 0, "\(outcome.error)")
    try check(visit, title: "Logged in", ["is logged in to profile real."])
    #expect(try place.pair("real").string("scope") == "openid read")
    #expect(try place.run("call", "userinfo").json().string("sub")?.isEmpty == false)
    withExtendedLifetime(chromium) {}
  }
}
