import Foundation
import TestSupport
import Testing

@testable import AuthctlCLI

@Suite("the page of a recorded flow in a real Chromium") struct TracePageChromiumTests {
  private func look(_ sample: TraceSample, opening step: String, _ chromium: Chromium) throws -> Chromium.Look {
    let folder = try TemporaryDirectory()
    let file = folder.url.appending(path: "flow.html")
    let page = TracePage.html(sample.entries, title: "authctl call items", program: .standard)
    try Data(page.utf8).write(to: file)
    let look = try chromium.look(
      at: file, opening: "\(step) > summary time", choosing: "label[for^=t-]", name: "flow-\(sample.name)")
    let hosts = sample.name == "login" ? "" : " · api.example.com"
    #expect(look.title == "authctl call items" + (sample.name == "batch" ? "" : " · id.example.com") + hosts)
    #expect(look.console.isEmpty, "\(look.console)")
    #expect(look.scripts == 0 && look.foreign.isEmpty)
    #expect(look.requests.allSatisfy { $0 == file.absoluteString || $0 == "data:," }, "\(look.requests)")
    for (name, view) in look.views.merging(look.openViews, uniquingKeysWith: { view, _ in view }) {
      #expect(view.overflow == 0, "\(sample), \(name)")
      #expect(view.contrast >= 4.5, "\(sample), \(name)")
    }
    for view in look.openViews.values {
      #expect(view.overflow == 0 && view.contrast >= 4.5, "\(sample), opened: \(view)")
    }
    for screen in ["desktop", "phone"] {
      #expect(look.views["\(screen)-light"]?.back != look.views["\(screen)-dark"]?.back)
    }
    withExtendedLifetime(folder) {}
    return look
  }

  @Test("a click opens a request, another follows a token; nothing is loaded, nothing is wider than the screen")
  func refused() throws {
    let chromium = try Chromium()
    let look = try look(.refused, opening: "#e6", chromium)
    #expect(look.opened)
    #expect(look.dimmed == 6)
    for text in ["POST /token (refresh_token) refresh 1b8885b8", "refresh c0ffee12", "background refresh", "104 ms"] {
      #expect(look.text.contains(text), "\(text) in \(look.text)")
    }
    #expect(!look.text.contains("192.0.2.7"))
    withExtendedLifetime(chromium) {}
  }

  @Test("other flows, and a server whose texts try to leave their place")
  func others() throws {
    let chromium = try Chromium()
    for (sample, step) in [(TraceSample.login, "#e5"), (.batch, "#e2"), (.hostile, "#e2")] {
      let look = try look(sample, opening: step, chromium)
      #expect(look.opened, "\(sample)")
    }
    withExtendedLifetime(chromium) {}
  }
}
