import AuthCore

/// Draws the requests of a trace as bars over a scale of time, as HTML.
struct TraceTimeline: Sendable {
  private struct Bar {
    let entry: TraceEntry
    let exchange: TraceExchange
  }

  /// Up to how many requests the bars are shown at once.
  private static let few = 12

  private let bars: [Bar]
  private let axis: TraceAxis

  /// Creates the bars of all requests.
  init(_ entries: [TraceEntry]) {
    bars = entries.compactMap { entry in
      if case .exchange(let exchange) = entry.step { Bar(entry: entry, exchange: exchange) } else { nil }
    }.sorted { $0.entry.start < $1.entry.start }
    axis = TraceAxis(bars.map { $0.entry.start...$0.entry.start + $0.exchange.seconds })
  }

  /// The section of the page; empty if there is no request.
  var html: String {
    guard !bars.isEmpty else { return "" }
    let known = Set(bars.flatMap { TraceTimeline.durations($0.exchange.timings).map(\.name) })
    let phases = TraceTimeline.phases.filter { known.contains($0.name) }
      .map { "<span><i class=\"p-\($0.name)\"></i>\($0.label)</span>" }
    let rows = bars.map { bar in
      let name = "\(bar.exchange.method) \(bar.exchange.path)"
      return "<a href=\"#e\(bar.entry.number)\">\(HTML.text(name))</a>\(drawing(bar))"
        + "<span>\(result(bar.exchange)) · \(TraceSequence.milliseconds(bar.exchange.seconds))</span>\n"
    }
    return """
      <details class="timeline"\(bars.count <= TraceTimeline.few ? " open" : "")><summary>Time of each request</summary>
      <p class="phases">\(phases.joined(separator: " "))</p>
      <div class="bars">
      <span></span>\(scale)<span></span>
      \(rows.joined())</div>
      </details>

      """
  }

  /// The phases of a request in their order, with their names for the style and for people.
  static let phases: [(name: String, label: String)] = [
    ("dns", "DNS"), ("connect", "connect"), ("tls", "TLS"), ("wait", "wait"), ("receive", "receive"),
  ]

  /// Returns the duration of each phase that took place, in milliseconds.
  static func durations(_ timings: TraceExchange.Timings) -> [(name: String, label: String, milliseconds: Double)] {
    let values = [timings.dns, timings.connect, timings.tls, timings.wait, timings.receive]
    return zip(phases, values).compactMap { phase, value in
      value.flatMap { $0.isFinite && $0 >= 0 ? (phase.name, phase.label, $0) : nil }
    }
  }

  private func drawing(_ bar: Bar) -> String {
    let parts = TraceTimeline.durations(bar.exchange.timings)
    var rects = rect("total", from: bar.entry.start, for: bar.exchange.seconds)
    var start = bar.entry.start
    for part in parts {
      let seconds = min(part.milliseconds / 1000, bar.entry.start + bar.exchange.seconds - start)
      guard seconds > 0 else { continue }
      rects += rect(part.name, from: start, for: seconds)
      start += seconds
    }
    return "<svg class=\"bar\" aria-hidden=\"true\">\(rects)</svg>"
  }

  private func result(_ exchange: TraceExchange) -> String {
    if exchange.failure != nil { return "<b class=\"failure\">no response</b>" }
    return exchange.status < 400 ? "\(exchange.status)" : "<b class=\"warning\">\(exchange.status)</b>"
  }

  private func rect(_ name: String, from start: Double, for seconds: Double) -> String {
    let width = TraceTimeline.percent(axis.place(start + seconds) - axis.place(start))
    return "<rect class=\"p-\(name)\" x=\"\(percent(start))\" width=\"\(width)\" y=\"2\" height=\"10\"/>"
  }

  /// The scale: at most six marks, and each pause that is cut short.
  private var scale: String {
    let marks = axis.marks.map { time in
      "<line x1=\"\(percent(time))\" x2=\"\(percent(time))\" y1=\"0\" y2=\"16\"/>"
        + "<text x=\"\(percent(time))\" dx=\"3\" y=\"11\">\(TraceSequence.milliseconds(time))</text>"
    }
    let pauses = axis.pauses.map { pause in
      let (from, to) = (axis.place(pause.lowerBound), axis.place(pause.upperBound))
      return "<rect class=\"pause\" x=\"\(TraceTimeline.percent(from))\" width=\"\(TraceTimeline.percent(to - from))\""
        + " y=\"0\" height=\"14\"/><text class=\"wait\" x=\"\(TraceTimeline.percent((from + to) / 2))\" y=\"11\">"
        + "\(TraceSequence.milliseconds(pause.upperBound - pause.lowerBound))</text>"
    }
    return "<svg class=\"scale\" aria-hidden=\"true\">\((pauses + marks).joined())</svg>"
  }

  private func percent(_ time: Double) -> String { TraceTimeline.percent(axis.place(time)) }

  /// Returns a part of the scale's width: `12.5%`.
  private static func percent(_ part: Double) -> String {
    let hundredths = Int((min(1, max(0, part)) * 10_000).rounded())
    return "\(hundredths / 100).\((hundredths % 100).digits())%"
  }
}
