import AuthCore

/// The claims of the tokens beside the server's statements, a row for each claim.
struct ClaimTable: Sendable {
  /// A row: the claim and its value in each column; nil if the column lacks it.
  struct Row: Sendable, Equatable {
    /// The name of the claim.
    let name: String
    /// The values, in the order of ``ClaimTable/columns``.
    let values: [JSONValue?]
    /// Whether the values differ.
    let differs: Bool
  }

  /// A line of text.
  struct Line: Sendable, Equatable {
    /// The columns.
    let text: String
    /// Whether the values differ.
    let differs: Bool
  }

  /// The headings: the tokens and endpoints that have claims.
  let columns: [String]
  /// The rows: every claim in a statement of the server.
  let rows: [Row]

  /// The widest column of values, in characters.
  private static let widest = 32

  /// Creates the table; without a statement it has no rows.
  init(_ report: InspectReport) {
    let statements = [("INTROSPECTION", report.introspection?.claims), ("USERINFO", report.userinfo?.claims)]
    let sources = report.tokens.map { ($0.name.uppercased(), $0.claims) } + statements
    let present = sources.compactMap { name, claims in claims.map { (name: name, claims: $0) } }
    columns = present.map(\.name)
    let names = Set(statements.flatMap { $0.1?.names ?? [] })
    rows = ClaimExplanation.sorted(names, as: ClaimExplanation.claims).map { name in
      Row(name: name, values: present.map { $0.claims[name] }, differs: report.serverDifferences.contains(name))
    }
  }

  /// The heading and the rows in columns; a long value is cut, the report as JSON has it whole.
  var lines: [Line] {
    guard !rows.isEmpty else { return [] }
    let heading = (["CLAIM"] + columns, false)
    let cells = rows.map { row in
      let values = row.values.map { Escaped.text($0?.readable ?? "-", limit: ClaimTable.widest) }
      return ([Escaped.text(row.name, limit: ClaimTable.widest)] + values, row.differs)
    }
    let all = [heading] + cells
    let widths = (0...columns.count).map { column in all.map { $0.0[column].count }.max() ?? 0 }
    return all.map { cells, differs in
      let padded = zip(cells, widths).map { $0.padded(to: $1) }.joined(separator: "  ")
      let end =
        padded.unicodeScalars.lastIndex { $0 != " " }.map { padded.unicodeScalars.index(after: $0) } ?? padded.endIndex
      return Line(text: String(padded[..<end]) + (differs ? "  differs" : ""), differs: differs)
    }
  }
}
