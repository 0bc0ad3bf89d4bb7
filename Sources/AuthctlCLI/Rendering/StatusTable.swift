import AuthCore

/// A table of sessions for a terminal, one line each.
struct StatusTable: Sendable {
  /// One session.
  struct Row: Sendable {
    /// The name of the profile.
    let profile: String
    /// The state, and the parameter of its colour (ECMA-48, SGR).
    let state: (text: String, tint: String)
    /// The user; empty if unknown.
    var user = ""
    /// The validity of the access token; empty if there is none.
    var access = ""
    /// The part of the access token's lifetime that is left, from 0 to 1; nil if unknown.
    var left: Double?
    /// How the session is refreshed; empty if there is none.
    var refresh = ""
    /// The APIs; empty if there is none.
    var api = ""
    /// What the user has to do; nil for nothing.
    var remark: String?
  }

  /// The sessions.
  let rows: [Row]
  /// The width of the terminal in columns.
  let width: Int
  /// Whether the lines are coloured.
  let colour: Bool
  /// Whether the terminal shows characters other than ASCII.
  let hasUnicode: Bool

  private static let headings = ["PROFILE", "STATE", "USER", "ACCESS", "REFRESH", "API"]
  /// The columns that are cut if the table is too wide, and their minimum widths.
  private static let shrinkable = [(column: 5, least: 8), (2, 6), (0, 8)]
  private static let gap = "  "
  private static let barWidth = 8

  /// The lines, with the remarks below the table.
  var text: String {
    var hasBars = rows.contains { $0.left != nil }
    var widths = self.widths(hasBars: hasBars)
    if total(widths) > width, hasBars {
      hasBars = false
      widths = self.widths(hasBars: false)
    }
    for (column, least) in StatusTable.shrinkable where total(widths) > width {
      widths[column] = max(min(least, widths[column]), widths[column] - (total(widths) - width))
    }
    let heading = line(StatusTable.headings, widths) { _, cell in cell.tinted("1", if: colour) }
    let lines = rows.map { row in
      line(cells(row, hasBars: hasBars), widths) { column, cell in
        cell.tinted(row.state.tint, if: colour && (column == 1 || column == 3))
      }
    }
    let remarks = rows.compactMap { row in row.remark.map { "\(row.profile): \($0)".tinted("33", if: colour) } }
    return ([heading] + lines + remarks).map { $0 + "\n" }.joined()
  }

  private func cells(_ row: Row, hasBars: Bool) -> [String] {
    let bar = hasBars ? row.left.map(bar) ?? String(repeating: " ", count: StatusTable.barWidth) : ""
    let access = row.access.isEmpty ? dash : bar.isEmpty ? row.access : bar + " " + row.access
    return [row.profile, row.state.text, row.user, access, row.refresh, row.api].map { $0.isEmpty ? dash : $0 }
  }

  private func bar(_ left: Double) -> String {
    let full = Int((min(max(left, 0), 1) * Double(StatusTable.barWidth)).rounded(.up))
    return String(repeating: hasUnicode ? "█" : "#", count: full)
      + String(repeating: hasUnicode ? "░" : ".", count: StatusTable.barWidth - full)
  }

  private var dash: String { hasUnicode ? "–" : "-" }

  private func widths(hasBars: Bool) -> [Int] {
    let table = [StatusTable.headings] + rows.map { cells($0, hasBars: hasBars) }
    return StatusTable.headings.indices.map { column in table.map { $0[column].count }.max() ?? 0 }
  }

  private func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + StatusTable.gap.count * (widths.count - 1) }

  private func line(_ cells: [String], _ widths: [Int], _ tint: (Int, String) -> String) -> String {
    let padded = zip(cells, widths).enumerated().map { column, cell in
      let text = fitted(cell.0, to: cell.1)
      let isLast = column == cells.count - 1
      return tint(column, text) + (isLast ? "" : String(repeating: " ", count: cell.1 - text.count))
    }
    return padded.joined(separator: StatusTable.gap)
  }

  private func fitted(_ text: String, to width: Int) -> String {
    guard text.count > width else { return text }
    let end = hasUnicode ? "…" : "..."
    return String(text.prefix(max(0, width - end.count)) + end.prefix(width))
  }
}
