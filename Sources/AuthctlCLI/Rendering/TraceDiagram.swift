import AuthCore

/// Draws a trace as a sequence diagram for a terminal.
struct TraceDiagram: Sendable {
  /// Returns the diagram, no line of which is wider than `width` columns (at least 40).
  ///
  /// - Parameters:
  ///   - program: the name of the program, for its lane.
  ///   - isASCII: whether only ASCII characters are used.
  ///   - isColoured: whether the lines are coloured.
  static func text(
    _ entries: [TraceEntry], program: ProgramName, width: Int = 80, isASCII: Bool = false, isColoured: Bool = false
  ) -> String {
    let sequence = TraceSequence(entries, program: program.text)
    guard !sequence.lanes.isEmpty else { return "" }
    let diagram = TraceDiagram(sequence, width: max(40, width), isASCII: isASCII)
    return diagram.rows.map { $0.text(isColoured: isColoured) + "\n" }.joined()
  }

  /// The most lines that one text takes; the rest of it is left out.
  private static let mostLines = 8

  private let sequence: TraceSequence
  private let tokens: [TraceToken]
  private let width: Int
  private let isASCII: Bool
  /// The width of the times at the left, with the space after them.
  private let margin: Int
  /// The column of each lane's line.
  private let columns: [Int]

  private init(_ sequence: TraceSequence, width: Int, isASCII: Bool) {
    self.sequence = sequence
    tokens = TraceToken.all(in: sequence)
    self.width = width
    self.isASCII = isASCII
    let longest = sequence.steps.map { TraceSequence.milliseconds($0.time).count }.max() ?? 0
    let margin = longest + 1
    self.margin = margin
    let share = (width - margin) / sequence.lanes.count
    // A single lane leaves the room on its right for the notes.
    columns = sequence.lanes.count == 1 ? [margin] : sequence.lanes.indices.map { margin + share * $0 + share / 2 }
  }

  private var rows: [TextRow] {
    headings
      + sequence.steps.flatMap { step in
        switch step.form {
        case .note(let lane): note(step, over: columns[lane])
        case .arrow(let from, let to): arrow(step, from: columns[from], to: columns[to])
        }
      }
  }

  // MARK: - Headings

  /// The names of the lanes, and below them the hosts of those that are servers.
  private var headings: [TextRow] {
    let room = (columns.count > 1 ? columns[1] - columns[0] : width - margin) - 1
    let names = sequence.lanes.map { TextRow.columns($0.name) <= room ? $0.name : $0.shortName }
    let lines = [names, sequence.lanes.map(\.host)].filter { !$0.allSatisfy(\.isEmpty) }
    return lines.map { texts in
      var row = TextRow(width: width, tokens: tokens)
      for (column, text) in zip(columns, texts) {
        let shown = fitted(text, to: room)
        row.write(shown, at: max(margin, column - TextRow.columns(shown) / 2), "1")
      }
      return row
    }
  }

  // MARK: - Steps

  /// Returns the mark of a note in its lane, and its text at the right of it.
  private func note(_ step: TraceSequence.Step, over column: Int) -> [TextRow] {
    var rows = text(of: step, at: column + 2)
    rows[0].write(isASCII ? "*" : "●", at: column, tint(of: step))
    return rows
  }

  /// Returns one line if the text fits into the arrow, else the text in lines above it.
  private func arrow(_ step: TraceSequence.Step, from: Int, to: Int) -> [TextRow] {
    let (left, right) = (min(from, to) + 1, max(from, to))
    let room = right - left
    let text = shown(step.text)
    let fits = TextRow.columns(text) + 6 <= room
    var row = lifelines(fits ? step : nil)
    row.write(String(repeating: dash(isReply: step.isReply), count: room), at: left, tint(of: step))
    row.write(head(step, isRight: to > from), at: to > from ? right - 1 : left, tint(of: step))
    if fits {
      row.write(" \(text) ", at: left + (room - TextRow.columns(text)) / 2 - 1, tint(of: step))
      return [row]
    }
    return self.text(of: step, at: left + 1) + [row]
  }

  /// Returns the text of a step in as many rows as it takes; the time is on the first.
  private func text(of step: TraceSequence.Step, at column: Int) -> [TextRow] {
    wrapped(step.text, to: width - column).enumerated().map { index, line in
      var row = lifelines(index == 0 ? step : nil)
      row.write(line, at: column, tint(of: step))
      return row
    }
  }

  private func dash(isReply: Bool) -> String {
    isASCII ? (isReply ? "." : "-") : (isReply ? "╌" : "─")
  }

  private func head(_ step: TraceSequence.Step, isRight: Bool) -> String {
    if step.isLost { return isASCII ? "x" : "✗" }
    return isASCII ? (isRight ? ">" : "<") : (isRight ? "►" : "◄")
  }

  /// Returns a row with the lines of all lanes, and with the time of a step that begins on it.
  private func lifelines(_ step: TraceSequence.Step?) -> TextRow {
    var row = TextRow(width: width, tokens: tokens)
    for column in columns { row.write(isASCII ? "|" : "│", at: column, "2") }
    if let step {
      let time = TraceSequence.milliseconds(step.time)
      row.write(time, at: margin - 1 - time.count, "2")
    }
    return row
  }

  /// Returns the parameter of a step's colour (ECMA-48, SGR).
  private func tint(of step: TraceSequence.Step) -> String {
    switch step.tone {
    case .request: "36"
    case .success: "32"
    case .plain: "39"
    case .warning: "33"
    case .failure: "31"
    }
  }

  /// Returns a text in lines of a width in columns: broken at spaces, and within a word that is longer than a line.
  private func wrapped(_ text: String, to room: Int) -> [String] {
    var lines: [String] = []
    for word in TraceDiagram.words(of: text).map(shown) {
      if let last = lines.last, TextRow.columns(last) + 1 + TextRow.columns(word) <= room {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines += TraceDiagram.parts(of: word, room)
      }
    }
    guard lines.count > TraceDiagram.mostLines else { return lines.isEmpty ? [""] : lines }
    let last = lines[TraceDiagram.mostLines - 1] + String(repeating: " ", count: room)
    return lines.prefix(TraceDiagram.mostLines - 1) + [fitted(last, to: room)]
  }

  /// Returns the words of a text; a token with its marks is within one word.
  private static func words(of text: String) -> [String] {
    var words = [""]
    for piece in TraceText.pieces(of: text) {
      guard piece.fingerprint == nil else {
        words[words.count - 1] += piece.text
        continue
      }
      let parts = piece.text.split(atAny: " ", omittingEmptySubsequences: false).map(String.init)
      words[words.count - 1] += parts[0]
      words += parts.dropFirst()
    }
    return words.filter { !$0.isEmpty }
  }

  /// Returns a word in parts of a width in columns.
  private static func parts(of word: String, _ room: Int) -> [String] {
    guard TextRow.columns(word) > room else { return [word] }
    return word.reduce(into: [""]) { parts, character in
      if TextRow.columns(parts[parts.count - 1]) + TextRow.columns(String(character)) > room { parts.append("") }
      parts[parts.count - 1].append(character)
    }
  }

  /// Returns a text in the characters of the diagram.
  private func shown(_ text: String) -> String { isASCII ? TraceDiagram.ascii(text) : text }

  /// Returns a text in the characters of the diagram, cut to a width in columns.
  private func fitted(_ text: String, to room: Int) -> String {
    let text = shown(text)
    guard TextRow.columns(text) > room else { return text }
    let end = isASCII ? "..." : "…"
    var shown = ""
    for character in text {
      guard TextRow.columns(shown) + TextRow.columns(String(character)) + end.count <= room else { break }
      shown.append(character)
    }
    return shown + end.prefix(room)
  }

  private static func ascii(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { shown, scalar in
      switch scalar {
      case "‹": shown += "<"
      case "›": shown += ">"
      case "…": shown += "..."
      case "·": shown += "-"
      case _ where scalar.isASCII: shown.unicodeScalars.append(scalar)
      default: shown += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
  }
}
