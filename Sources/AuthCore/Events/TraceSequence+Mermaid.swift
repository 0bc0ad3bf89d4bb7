extension TraceSequence {
  /// The longest diagram in characters; GitHub draws none above 50,000.
  private static let limit = 45_000
  /// The longest text of a step in characters.
  private static let longest = 160

  /// Returns the diagram as text for Mermaid, as GitHub and other wikis draw it.
  ///
  /// Of a trace that is too long for one diagram the first steps are drawn, and a note states how many are missing.
  package func mermaid() -> String {
    var text = "sequenceDiagram\n"
    let names = lanes.indices.map(identifier)
    for (lane, name) in zip(lanes, names) {
      let host = lane.host.isEmpty ? "" : "<br/>" + TraceSequence.cleaned(lane.host)
      text += "    participant \(name) as \(TraceSequence.cleaned(lane.name))\(host)\n"
    }
    for (number, step) in steps.enumerated() {
      guard text.unicodeScalars.count < TraceSequence.limit else {
        return text + "    Note over \(names[0]): \(steps.count - number) more steps are not shown\n"
      }
      let label = "\(TraceSequence.milliseconds(step.time)) · \(TraceSequence.cleaned(step.text))"
      switch step.form {
      case .note(let lane): text += "    Note over \(names[lane]): \(label)\n"
      case .arrow(let from, let to):
        let line = !step.isReply ? "->>" : step.isLost ? "--x" : "-->>"
        text += "    \(names[from])\(line)\(names[to]): \(label)\n"
      }
    }
    return text
  }

  /// Returns a time as `12 ms`, and from ten seconds on as `12.3 s`.
  package static func milliseconds(_ seconds: Double) -> String {
    guard seconds >= 10 else { return "\(Int((seconds * 1000).rounded())) ms" }
    let tenths = Int((min(seconds, 1e9) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) s"
  }

  private func identifier(_ lane: Int) -> String {
    let kind = lanes[lane].kind
    let number = lanes[...lane].count { $0.kind == kind }
    return switch kind {
    case .program: "program"
    case .background: "background"
    case .storage: "storage"
    case .browser: "browser"
    case .server: "server\(number)"
    case .api: "api\(number)"
    case .others: "others"
    }
  }

  /// Returns a text of at most 160 characters in which no character has a meaning for Mermaid, Markdown or HTML.
  private static func cleaned(_ text: String) -> String {
    var shown = ""
    let scalars = Array(text.unicodeScalars.prefix(longest))
    for (index, scalar) in scalars.enumerated() {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", " ", ".", ",", "/", "_", "-", "(", ")", "'", "?", "!", "=", "+":
        shown.unicodeScalars.append(scalar)
      // Mermaid removes a semicolon at the end of a line with `style`, a colon and a code without a space between.
      case ":" where index + 1 < scalars.count && scalars[index + 1] == " ": shown.unicodeScalars.append(scalar)
      case _ where scalar.value >= 0xA0: shown.unicodeScalars.append(scalar)
      default: shown += "#\(scalar.value);"
      }
    }
    return text.unicodeScalars.count > longest ? shown + "…" : shown
  }
}
