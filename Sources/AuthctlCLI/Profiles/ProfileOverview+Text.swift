import AuthCore

extension ProfileOverview {
  /// Formats the settings and endpoints in columns, one per line.
  func text() -> String {
    section("settings", settings, dropping: "") + section("endpoints", endpoints, dropping: "endpoints.")
  }

  private func section(_ title: String, _ rows: [Setting], dropping prefix: String) -> String {
    guard !rows.isEmpty else { return "" }
    let shown = rows.map { row in
      (String(row.key.dropping(prefix: prefix) ?? ""), Escaped.text(row.value.toml), row.source.text)
    }
    let first = min(shown.map(\.0.count).max() ?? 0, 36)
    let second = min(shown.map(\.1.count).max() ?? 0, 48)
    let lines = shown.map { key, value, source in
      "  \(key.padded(to: first))  \(value.padded(to: second))  \(source)\n"
    }
    return "\(title)\n" + lines.joined()
  }

  /// Returns settings or endpoints as JSON, by key.
  func json(_ rows: [Setting], dropping prefix: String = "") -> JSONValue {
    var members: [String: JSONValue] = [:]
    for row in rows {
      var member: [String: JSONValue] = ["value": row.value, "from": .string(row.source.word)]
      if case .file(let line?) = row.source { member["line"] = .integer(Int64(line)) }
      if case .discovery(let url) = row.source { member["document"] = .string(url.description) }
      members[String(row.key.dropping(prefix: prefix) ?? "")] = .object(member)
    }
    return .object(members)
  }
}

extension String {
  /// Returns the text with spaces appended until it has this number of characters.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
