import AuthCore
import Foundation
import TestSupport

@testable import AuthctlCLI

/// A browser whose person logs in at an in-process server and comes back to the waiting login over loopback.
struct FakeBrowser: Browser {
  /// What the person does.
  enum Action: Sendable {
    /// Logs in and allows everything.
    case approve
    /// Denies.
    case deny
    /// Comes back with another `state`.
    case changeState
    /// Comes back without a code.
    case dropCode
    /// Comes back with the code twice.
    case repeatCode
  }

  /// The server of the pages.
  let server: LabServer
  var action = Action.approve
  /// The password of `alice`.
  var password = "alice-pass"
  /// Called with the page that the waiting login shows.
  var onPage: @Sendable (LoopbackResponse) -> Void = { _ in }
  /// Takes the address at which the browser ends, where that is on another machine; nil if it is on this one.
  var onEnd: (@Sendable (String) async throws -> Void)?
  /// Whether there is a browser at all.
  var isAvailable = true

  func open(_ url: String) async -> Bool {
    // A page that can't be opened is what the command reports; the test sees it by its outcome.
    (try? await visit(url)) ?? false
  }

  private func visit(_ url: String) async throws -> Bool {
    let page = try await server.send("GET", String(url.dropFirst(server.origin.count)))
    guard page.status < 400 else { return false }
    var location = page.header("location")
    if location == nil, let match = page.text.firstMatch(of: /name="request" value="([^"]*)"/) {
      let form = [
        (name: "request", value: String(match.1)), ("username", "alice"), ("password", password),
        ("decision", action == .deny ? "deny" : "allow"),
      ]
      location = try await server.post("/authorize/decide", form: form).header("location")
    }
    guard let location, var parts = URLComponents(string: location), let port = parts.port else { return false }
    parts.queryItems = parts.queryItems?.compactMap { item in
      switch (action, item.name) {
      case (.changeState, "state"): URLQueryItem(name: "state", value: "changed")
      case (.dropCode, "code"): nil
      default: item
      }
    }
    if action == .repeatCode, let code = parts.queryItems?.first(where: { $0.name == "code" }) {
      parts.queryItems?.append(code)
    }
    if let onEnd {
      try await onEnd(parts.string ?? "")
      return true
    }
    let target = parts.percentEncodedPath + "?" + (parts.percentEncodedQuery ?? "")
    let shown = try await Self.get(target, port: UInt16(port))
    onPage(shown)
    return shown.status == 200
  }

  /// Asks the waiting login for something, on a thread that may block.
  static func get(_ target: String, port: UInt16) async throws -> LoopbackResponse {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            let connection = try LoopbackConnection(port: port)
            defer { connection.close() }
            try connection.write(method: "GET", path: target, headers: [], body: nil)
            return try connection.readResponse()
          })
      }
    }
  }
}
