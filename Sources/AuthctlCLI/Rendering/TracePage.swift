import AuthCore
import FoundationEssentials

/// Writes a trace as one HTML page: a sequence diagram whose arrows open their requests and responses.
///
/// The page has no script and loads nothing. Its style is allowed by a nonce, all other text is escaped.
struct TracePage: Sendable {
  /// Returns the page.
  ///
  /// - Parameters:
  ///   - title: what was recorded, for example the command; the names of the servers follow it.
  ///   - program: the name of the program, for its lane.
  ///   - run: what is known of the command.
  ///   - nonce: allows the style of the page, and nothing that a server has sent.
  static func html(
    _ entries: [TraceEntry], title: String, program: ProgramName, run: TraceRun = TraceRun(),
    nonce: String = SystemRandomText.make()
  ) -> String {
    TracePage(entries, title: title, program: program, run: run, nonce: nonce).html
  }

  private let entries: [TraceEntry]
  private let sequence: TraceSequence
  private let title: String
  private let nonce: String
  private let tokens: [TraceToken]
  private let pills: TracePills
  private let run: TraceRun

  private init(_ entries: [TraceEntry], title: String, program: ProgramName, run: TraceRun, nonce: String) {
    self.entries = entries
    self.run = run
    pills = TracePills(kinds: TraceKinds.all(in: entries))
    self.title = title
    self.nonce = nonce
    sequence = TraceSequence(entries, program: program.text)
    tokens = TraceToken.all(in: sequence)
  }

  private var html: String {
    let hosts = sequence.lanes.map(\.host).filter { !$0.isEmpty }
    let name = HTML.text(hosts.reduce(into: [title]) { if !$0.contains($1) { $0.append($1) } }.joined(separator: " · "))
    return """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-\(nonce)'; \
      img-src data:; base-uri 'none'; form-action 'none'">
      <meta name="referrer" content="no-referrer">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(name)</title>
      <link rel="icon" href="data:,">
      <style nonce="\(nonce)">
      \(TracePageStyle.text(lanes: sequence.lanes.count, tokens: tokens))
      </style>
      <body>
      \(filters)<header>
      <h1>\(name)</h1>
      \(outcome)<p class="facts">\(facts)</p>
      \(legend)\(claims)</header>
      <main>
      \(TraceTimeline(entries).html)\(diagram)</main>
      </body>
      </html>

      """
  }

  // MARK: - Head

  /// The command line, and the trace in one line.
  private var outcome: String {
    let verdict = TraceVerdict(entries, exit: run.exit)
    let tone = verdict.isFailure.map { $0 ? " failure" : " success" } ?? ""
    return (run.commandLine.isEmpty ? "" : "<p class=\"command\"><code>\(HTML.text(run.commandLine))</code></p>\n")
      + (verdict.text.isEmpty ? "" : "<p class=\"verdict\(tone)\">\(HTML.text(verdict.text))</p>\n")
  }

  /// The readable parts of each JWT, which the style shows while its token is chosen.
  private var claims: String {
    tokens.compactMap { token in
      run.tokens[token.fingerprint].map { readable in
        let parts = [("Header", readable.header), ("Claims", readable.claims)].map { name, text in
          "<h2>\(name)</h2><pre>\(HTML.text(TracePageDetails.laidOut(text, "json"), isMultiline: true))</pre>\n"
        }
        return "<section class=\"claims c-\(token.fingerprint)\" aria-label=\"Claims\">\(parts.joined())</section>\n"
      }
    }.joined()
  }

  private var facts: String {
    let exchanges = entries.count { if case .exchange = $0.step { true } else { false } }
    let end = sequence.steps.last?.time ?? 0
    let begin = entries.first.map { entry in
      entry.time.rfc3339.replacing(bytes: "T", with: " ").replacing(bytes: "Z", with: " UTC")
    }
    let processes = Set(entries.map(\.process)).count
    let parts = [
      begin, "\(exchanges) request\(exchanges == 1 ? "" : "s")", TraceSequence.milliseconds(end),
      processes > 1 ? "\(processes) processes" : nil, run.version.isEmpty ? nil : run.version,
    ]
    return parts.compactMap { $0.map { "<span>\(HTML.text($0))</span>" } }.joined(separator: " ")
  }

  /// The switches of ``legend``: the style dims all steps without the chosen token.
  private var filters: String {
    guard !tokens.isEmpty else { return "" }
    let ids = ["all"] + tokens.map(\.fingerprint)
    return ids.map { id in
      "<input type=\"radio\" name=\"token\" id=\"t-\(id)\"\(id == "all" ? " checked" : "")>\n"
    }.joined()
  }

  private var legend: String {
    guard !tokens.isEmpty else { return "" }
    let labels = tokens.map { token in
      let more = run.tokens[token.fingerprint] == nil ? "" : "<small>claims</small>"
      return "<label for=\"t-\(token.fingerprint)\">\(pills.html("‹\(token.fingerprint)›"))\(more)</label>"
    }
    return "<p class=\"legend\"><span>Follow a token:</span> \(labels.joined(separator: " ")) "
      + "<label for=\"t-all\" class=\"all\">all</label></p>\n"
  }

  // MARK: - Diagram

  private var diagram: String {
    guard !sequence.lanes.isEmpty else { return "<p>No step was recorded.</p>\n" }
    let heads = sequence.lanes.enumerated().map { index, lane in
      let host = lane.host.isEmpty ? "" : "<small>\(HTML.text(lane.host))</small>"
      return "<div class=\"lane l\(index) \(lane.kind)\"><b>\(HTML.text(lane.name))</b>"
        + "<b class=\"short\">\(HTML.text(lane.shortName))</b>\(host)</div>"
    }
    let lines = sequence.lanes.indices.map { "<i class=\"l\($0)\"></i>" }.joined()
    return """
      <p class="soft">Click a request to see its header fields, bodies and timings.</p>
      <section class="diagram" aria-label="Sequence diagram">
      <div class="row heads"><span></span><div class="lanes">\(heads.joined())</div></div>
      <div class="row lines" aria-hidden="true"><span></span><div class="lanes">\(lines)</div></div>
      \(rows)</section>

      """
  }

  /// The steps; a request and its response are one row if nothing happened between them.
  private var rows: String {
    var html = ""
    var rest = sequence.steps[...]
    var last = 0.0
    while let step = rest.popFirst() {
      let gap = TracePage.gap(step.time - last)
      var steps = [step]
      if case .arrow = step.form, let next = rest.first, next.entry == step.entry {
        steps.append(next)
        rest = rest.dropFirst()
      }
      html += row(steps, gap: gap)
      last = steps.last?.time ?? last
    }
    return html
  }

  /// Returns the class of the space before a step: more for a longer time.
  private static func gap(_ seconds: Double) -> String {
    switch seconds {
    case ..<0.05: ""
    case ..<0.5: " g1"
    case ..<5: " g2"
    default: " g3"
    }
  }

  private func row(_ steps: [TraceSequence.Step], gap: String) -> String {
    let entry = entries[steps[0].entry]
    let tokens = Set(steps.flatMap { TraceText.pieces(of: $0.text) }.compactMap(\.fingerprint))
    let classes = "step" + gap + (tokens.map { " has-" + $0 }.sorted().joined())
    let lines = steps.map { step in
      "<div class=\"row \(step.tone)\(step.isReply ? " reply" : "")\(step.isLost ? " lost" : "")\">"
        + "<time>\(TraceSequence.milliseconds(step.time))</time><div class=\"lanes\">\(drawing(step))</div></div>"
    }
    guard let details = details(entry) else { return "<div class=\"\(classes)\">\(lines.joined())</div>\n" }
    let id = steps[0].isReply ? "" : " id=\"e\(entry.number)\""
    return "<details class=\"\(classes)\"\(id)><summary>\(lines.joined())</summary>\n" + details + "</details>\n"
  }

  private func details(_ entry: TraceEntry) -> String? {
    switch entry.step {
    case .exchange(let exchange): TracePageDetails(exchange, of: entry, pills).html
    case .visit(let visit) where !visit.isReturn: TracePageDetails.html(visit, pills)
    case .visit, .event, .note: nil
    }
  }

  private func drawing(_ step: TraceSequence.Step) -> String {
    let text = pills.html(step.text)
    switch step.form {
    case .note(let lane):
      return "<span class=\"note n\(lane)\">\(text)</span>"
    case .arrow(let from, let to):
      let (left, right) = (min(from, to), max(from, to))
      // The text begins at the arrow and goes on to the side that has more room.
      let side = sequence.lanes.count - left >= right + 1 ? "from\(left)" : "to\(right)"
      return "<span class=\"text \(side)\">\(text)</span>"
        + "<span class=\"arrow a\(left)-\(right) \(to > from ? "right" : "left")\"></span>"
    }
  }
}
