import AuthCore

/// Sums a trace up in one line: `401 invalid_token → refreshed → 401 invalid_token: exit 22`.
struct TraceVerdict: Sendable {
  /// The most parts that are shown; of more, those in the middle are left out.
  private static let most = 9

  /// The line; empty if nothing happened that counts.
  let text: String
  /// Whether the command has failed; nil if that is unknown.
  let isFailure: Bool?

  /// Sums a trace up.
  ///
  /// - Parameter exit: the exit status of the command; nil if it was interrupted.
  init(_ entries: [TraceEntry], exit: Int32?) {
    let parts = entries.compactMap { entry in TraceVerdict.part(entry).map { (TraceVerdict.end(entry), $0) } }
      .enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map(\.element.1)
    var runs: [(text: String, count: Int)] = []
    for part in parts {
      if runs.last?.text == part { runs[runs.count - 1].count += 1 } else { runs.append((part, 1)) }
    }
    var shown = runs.map { $0.count > 1 ? "\($0.text) × \($0.count)" : $0.text }
    if shown.count > TraceVerdict.most { shown.replaceSubrange(4..<shown.count - 4, with: ["…"]) }
    let end = exit.map { "exit \($0)" }
    text = [shown.joined(separator: " → "), end ?? ""].filter { !$0.isEmpty }.joined(separator: ": ")
    isFailure = exit.map { $0 != 0 }
  }

  private static func end(_ entry: TraceEntry) -> Double {
    guard case .exchange(let exchange) = entry.step else { return entry.start }
    return entry.start + exchange.seconds
  }

  private static func part(_ entry: TraceEntry) -> String? {
    switch entry.step {
    case .exchange(let exchange): part(exchange)
    case .visit(let visit): visit.isReturn ? "back from the browser" : nil
    case .event(.refreshed): "refreshed"
    case .event(.adopted): "token of another process"
    case .event(.refreshFailed): "refresh failed"
    case .event(.loginRequired): "login required"
    case .event(.revoked): "revoked"
    case .event(.cleared): "removed"
    case .event, .note: nil
    }
  }

  private static func part(_ exchange: TraceExchange) -> String? {
    let isProbe = exchange.role == .server && (exchange.method == "GET" || exchange.status < 400)
    guard exchange.failure == nil else { return "no response" }
    guard !isProbe else { return nil }
    let error = exchange.role == .api ? exchange.refusal : exchange.errorCode
    let path = exchange.role == .api ? "" : Escaped.text(exchange.path, limit: 40) + " "
    return path + "\(exchange.status)" + (error.map { " " + Escaped.text($0, limit: 40) } ?? "")
  }
}

extension TraceExchange {
  /// The error code of the API's challenge (RFC 6750, section 3), else of its response; nil if there is none.
  fileprivate var refusal: String? {
    guard status >= 400 else { return nil }
    let fields = responseFields.filter { $0.name.lowercased() == "www-authenticate" }
    if let error = fields.flatMap({ Challenge.all(in: $0.value) }).lazy.compactMap({ $0["error"] }).first {
      return error
    }
    return (responseBody?.text).flatMap { try? JSONValue(parsing: $0.utf8) }?["error"]?.string
  }
}
