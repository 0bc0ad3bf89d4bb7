import Foundation
import TestSupport

/// The address that a login asks the person to open, and what is at its redirect URI.
struct AuthorizationURL {
  /// Path and query, as they are asked for.
  let target: String
  /// The port of the redirect URI.
  let port: UInt16
  private let items: [URLQueryItem]

  /// Finds the address in what a login has printed.
  /// - Throws: `SessionError` where there is none.
  init(in text: String) throws {
    guard let line = text.split(whereSeparator: \.isWhitespace).first(where: { $0.contains("/authorize?") }),
      let parts = URLComponents(string: String(line)), let items = parts.queryItems,
      let port = items.first(where: { $0.name == "redirect_uri" })?.value.flatMap({ URL(string: $0)?.port })
    else { throw SessionError("no address in: \(text)") }
    target = parts.percentEncodedPath + "?" + (parts.percentEncodedQuery ?? "")
    self.items = items
    self.port = UInt16(port)
  }

  /// A parameter of the request; nil where it is absent.
  func parameter(_ name: String) -> String? { items.first { $0.name == name }?.value }

  /// Asks the waiting login for something as a browser would: a path with a query, or a whole address.
  func visit(
    _ target: String, method: String = "GET", form: String? = nil, headers: [String: String] = [:]
  ) throws -> LoopbackResponse {
    let connection = try LoopbackConnection(port: port)
    defer { connection.close() }
    let path = target.hasPrefix("http") ? "/" + target.split(separator: "/", maxSplits: 2)[2] : target
    let type = form == nil ? [] : [(name: "Content-Type", value: "application/x-www-form-urlencoded")]
    let fields = type + headers.map { (name: $0.key, value: $0.value) }
    try connection.write(method: method, path: path, headers: fields, body: form.map { Data($0.utf8) })
    return try connection.readResponse()
  }
}
