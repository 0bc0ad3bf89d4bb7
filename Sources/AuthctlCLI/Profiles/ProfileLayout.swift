import AuthCore

/// The output of `profile show` for people: titles, and below each the lines of a section in columns.
struct ProfileLayout: Sendable {
  /// Whether the defaults have a line each.
  let showsDefaults: Bool
  /// Whether titles are bold.
  let colour: Bool
  /// The width of the terminal, in which values are wrapped; nil outside of a terminal.
  let width: Int?

  /// Formats the settings and endpoints, one per line.
  func text(_ overview: ProfileOverview) -> String {
    let shown = overview.settings.filter { showsDefaults || $0.source != .standard }
    let hidden = overview.settings.count - shown.count
    let more = hidden == 0 ? "" : "  and \(hidden) defaults: --all shows them\n"
    return section("settings", shown) + more + section("endpoints", overview.endpoints, dropping: "endpoints.")
  }

  /// Formats the documents of the server; nothing if none was requested.
  func text(_ report: DiscoveryReport?) -> String {
    guard let report else { return "" }
    let found = report.documents.map { "  \($0.url): found\n" }
    let missed = report.misses.map { "  \($0.url): \(Escaped.text($0.reason))\n" }
    return title("discovery") + (found + missed).joined()
  }

  /// Formats the requests of a login, each with its parameters, one per line.
  func text(_ login: LoginOutline) -> String {
    let parts = login.requests.map { request in
      let head = request.isFromBrowser ? "the browser opens \(request.url)" : "POST \(request.url)"
      let authorization = request.authorization.map { "    Authorization: \($0)\n" } ?? ""
      let fields = zip(request.names, request.values).map { (Escaped.text($0), Escaped.text($1), "") }
      return "  \(head)\n" + authorization + rows(fields, indent: 4)
    }
    return title("requests of a login") + parts.joined()
  }

  /// Formats what the checks have found.
  func text(_ findings: [ProfileFinding]) -> String {
    title("checks") + (findings.isEmpty ? "  no problems found\n" : ProfileFinding.text(findings, colour: colour))
  }

  private func title(_ text: String) -> String { text.tinted("1", if: colour) + "\n" }

  private func section(_ name: String, _ rows: [ProfileOverview.Setting], dropping prefix: String = "") -> String {
    guard !rows.isEmpty else { return "" }
    let shown = rows.map { row in
      (String(row.key.dropping(prefix: prefix) ?? ""), Escaped.text(row.value.toml), row.source.text)
    }
    return title(name) + self.rows(shown, indent: 2)
  }

  /// Formats rows of a name, a value and a note; the value is wrapped within its column.
  private func rows(_ rows: [(name: String, value: String, note: String)], indent: Int) -> String {
    let first = rows.map { TextRow.columns($0.name) }.max() ?? 0
    let third = rows.map { TextRow.columns($0.note) }.max() ?? 0
    let room = width.map { max(16, $0 - indent - first - 2 - (third > 0 ? third + 2 : 0)) } ?? .max
    let wrapped = rows.map { width == nil ? [$0.value] : ProfileLayout.wrapped($0.value, to: room) }
    let second = min(wrapped.joined().map(TextRow.columns).max() ?? 0, width == nil ? 48 : room)
    let margin = String(repeating: " ", count: indent)
    return zip(rows, wrapped).map { row, parts in
      let begin = margin + row.name.padded(to: first) + "  "
      let line = row.note.isEmpty ? begin + parts[0] : begin + parts[0].padded(to: second) + "  " + row.note
      let rest = parts.dropFirst().map { "\n" + String(repeating: " ", count: indent + first + 2) + $0 }
      return line + rest.joined() + "\n"
    }.joined()
  }

  /// Divides a text into parts of at most a number of columns, at spaces if it has any.
  private static func wrapped(_ text: String, to width: Int) -> [String] {
    var lines = [""]
    for word in text.split(atAny: " ", omittingEmptySubsequences: false).map(String.init) {
      let joined = lines[lines.count - 1].isEmpty ? word : lines[lines.count - 1] + " " + word
      if TextRow.columns(joined) <= width {
        lines[lines.count - 1] = joined
        continue
      }
      if !lines[lines.count - 1].isEmpty { lines.append("") }
      for character in word {
        let longer = lines[lines.count - 1] + String(character)
        if TextRow.columns(longer) > width { lines.append(String(character)) } else { lines[lines.count - 1] = longer }
      }
    }
    return lines
  }
}

extension ProfileOverview {
  /// Returns settings or endpoints as JSON, by key.
  func json(_ rows: [Setting], dropping prefix: String = "") -> JSONValue {
    var members: [String: JSONValue] = [:]
    for row in rows {
      var member: [String: JSONValue] = ["value": row.value, "from": .string(row.source.word)]
      if case .file(let line) = row.source { member["line"] = .integer(Int64(line)) }
      if case .discovery(let url) = row.source { member["document"] = .string(url.description) }
      members[String(row.key.dropping(prefix: prefix) ?? "")] = .object(member)
    }
    return .object(members)
  }
}

extension String {
  /// Returns the text with spaces appended until it has this number of columns.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - TextRow.columns(self)))
  }
}
