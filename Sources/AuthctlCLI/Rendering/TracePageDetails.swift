import AuthCore

/// Writes a request and its response with all header fields, bodies and timings, as HTML.
struct TracePageDetails: Sendable {
  private let exchange: TraceExchange
  private let entry: TraceEntry
  private let pills: TracePills

  /// Creates the details of a request.
  init(_ exchange: TraceExchange, of entry: TraceEntry, _ pills: TracePills) {
    self.exchange = exchange
    self.entry = entry
    self.pills = pills
  }

  /// Returns the panel that an authorization request opens.
  static func html(_ visit: TraceVisit, _ pills: TracePills) -> String {
    """
    <div class="panel">
    <section class="whole"><h2>Authorization request</h2>
    <p class="line">\(HTML.text(visit.url))</p>
    \(table(visit.fields, pills))</section>
    </div>

    """
  }

  /// The panel that an arrow opens.
  var html: String {
    """
    <div class="panel">
    <section><h2>Request</h2>
    <p class="line">\(HTML.text(exchange.method)) \(pills.html(exchange.url))</p>
    \(fields(exchange.requestFields))\(body(exchange.requestBody))</section>
    <section><h2>Response</h2>
    \(response)</section>
    <section class="timings"><h2>Timings</h2>
    \(timings)<p class="soft">\(place)</p></section>
    </div>

    """
  }

  private var response: String {
    if let failure = exchange.failure { return "<p class=\"line lost\">no response: \(HTML.text(failure))</p>\n" }
    let version = exchange.httpVersion == "0" ? "" : "HTTP/\(HTML.text(exchange.httpVersion)) "
    return "<p class=\"line\">\(version)\(exchange.statusLine)</p>\n" + fields(exchange.responseFields)
      + body(exchange.responseBody)
  }

  private func fields(_ fields: [TraceExchange.Field]) -> String { TracePageDetails.table(fields, pills) }

  private static func table(_ fields: [TraceExchange.Field], _ pills: TracePills) -> String {
    guard !fields.isEmpty else { return "" }
    let rows = fields.map { "<tr><th>\(HTML.text($0.name))</th><td>\(pills.html($0.value))</td></tr>" }
    return "<table>\(rows.joined(separator: "\n"))</table>\n"
  }

  // MARK: - Bodies

  private func body(_ body: TraceExchange.Body?) -> String {
    guard let body, body.size != 0 || body.text?.isEmpty == false else { return "" }
    let size = body.size.map { "\($0) bytes" } ?? "a body of unknown size"
    let type = body.mediaType.isEmpty ? "" : " of \(HTML.text(body.mediaType))"
    guard let text = body.text else { return "<p class=\"soft\">\(size)\(type), not shown</p>\n" }
    let remark = body.isCut ? "<p class=\"soft\">only the beginning of \(size)\(type)</p>\n" : ""
    return "<pre>\(pills.html(TracePageDetails.laidOut(text, body.mediaType), isMultiline: true))</pre>\n" + remark
  }

  /// Returns JSON in lines, a form with one field a line, and any other text unchanged.
  static func laidOut(_ text: String, _ mediaType: String) -> String {
    let type = mediaType.lowercased().prefix(upToAny: ";")
    if type.ends(withBytes: "json"), let lines = JSONLayout(colour: false).text(of: Array(text.utf8)[...]) {
      return String(decoding: lines, as: UTF8.self)
    }
    if type.starts(withBytes: "application/x-www-form-urlencoded") {
      return FormEncoding.decode(text).map { "\($0.name)=\($0.value)" }.joined(separator: "\n")
    }
    return text
  }

  // MARK: - Timings

  private var timings: String {
    let parts = TraceTimeline.durations(exchange.timings).map { part in
      "<span><i class=\"p-\(part.name)\"></i>\(part.label) \(TracePageDetails.tenths(part.milliseconds))</span>"
    }
    let total = "<b>total \(TracePageDetails.tenths(exchange.seconds * 1000))</b>"
    return "<p class=\"phases\">\((parts + [total]).joined(separator: " "))</p>\n"
  }

  private var place: String {
    let remote = exchange.remote.map { "server at \(HTML.text($0)), " } ?? ""
    return "\(remote)sent by process \(entry.process)\(entry.isInBackground ? ", the background refresh" : "")"
  }

  /// Returns milliseconds with one digit after the point.
  private static func tenths(_ milliseconds: Double) -> String {
    let tenths = Int((min(milliseconds, 1e12) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) ms"
  }
}
