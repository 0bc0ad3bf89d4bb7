import AuthCore

/// Draws the requests of a flow as bars over a scale of time, as HTML.
struct FlowTimeline: Sendable {
  private struct Bar {
    let entry: FlowEntry
    let exchange: FlowExchange
  }

  /// Up to how many requests the bars are shown at once.
  private static let few = 12

  private let bars: [Bar]
  private let begin: Double
  private let end: Double

  /// Creates the bars of all requests.
  init(_ entries: [FlowEntry]) {
    bars = entries.compactMap { entry in
      if case .exchange(let exchange) = entry.step { Bar(entry: entry, exchange: exchange) } else { nil }
    }.sorted { $0.entry.start < $1.entry.start }
    begin = bars.map(\.entry.start).min() ?? 0
    end = max(begin + 0.001, bars.map { $0.entry.start + $0.exchange.seconds }.max() ?? 0)
  }

  /// The section of the page; empty if there is no request.
  var html: String {
    guard !bars.isEmpty else { return "" }
    let known = Set(bars.flatMap { FlowTimeline.durations($0.exchange.timings).map(\.name) })
    let phases = FlowTimeline.phases.filter { known.contains($0.name) }
      .map { "<span><i class=\"p-\($0.name)\"></i>\($0.label)</span>" }
    let rows = bars.map { bar in
      let name = "\(bar.exchange.method) \(bar.exchange.path)"
      return "<a href=\"#e\(bar.entry.number)\">\(HTML.text(name))</a>\(drawing(bar))"
        + "<span>\(result(bar.exchange)) · \(FlowSequence.milliseconds(bar.exchange.seconds))</span>\n"
    }
    return """
      <details class="timeline"\(bars.count <= FlowTimeline.few ? " open" : "")><summary>Time of each request</summary>
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
  static func durations(_ timings: FlowExchange.Timings) -> [(name: String, label: String, milliseconds: Double)] {
    let values = [timings.dns, timings.connect, timings.tls, timings.wait, timings.receive]
    return zip(phases, values).compactMap { phase, value in
      value.flatMap { $0.isFinite && $0 >= 0 ? (phase.name, phase.label, $0) : nil }
    }
  }

  private func drawing(_ bar: Bar) -> String {
    let parts = FlowTimeline.durations(bar.exchange.timings)
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

  private func result(_ exchange: FlowExchange) -> String {
    if exchange.failure != nil { return "<b class=\"failure\">no response</b>" }
    return exchange.status < 400 ? "\(exchange.status)" : "<b class=\"warning\">\(exchange.status)</b>"
  }

  private func rect(_ name: String, from start: Double, for seconds: Double) -> String {
    "<rect class=\"p-\(name)\" x=\"\(percent(start))\" width=\"\(percent(begin + seconds))\" y=\"2\" height=\"10\"/>"
  }

  /// The scale: a mark at every 1, 2 or 5 units, at most six.
  private var scale: String {
    let span = end - begin
    var step = 0.001
    var factors = [2, 2.5, 2][...]
    while span / step > 5 {
      step *= factors.removeFirst()
      if factors.isEmpty { factors = [2, 2.5, 2] }
    }
    var marks = ""
    var time = (begin / step).rounded(.up) * step
    while time <= begin + span * 0.95 {
      let place = percent(time)
      marks +=
        "<line x1=\"\(place)\" x2=\"\(place)\" y1=\"0\" y2=\"16\"/>"
        + "<text x=\"\(place)\" dx=\"3\" y=\"11\">\(FlowSequence.milliseconds(time))</text>"
      time += step
    }
    return "<svg class=\"scale\" aria-hidden=\"true\">\(marks)</svg>"
  }

  /// Returns the position of a time on the scale: `12.5%`.
  private func percent(_ time: Double) -> String {
    let hundredths = Int((min(1, max(0, (time - begin) / (end - begin))) * 10_000).rounded())
    return "\(hundredths / 100).\((hundredths % 100).digits())%"
  }
}
