import FoundationEssentials

/// Writes the requests of a flow as an HTTP archive (HAR 1.2).
///
/// The parts can be written one by one: ``start``, entries separated by commas, ``end``. Members whose names begin with
/// an underscore are additions, as the specification allows.
package struct HTTPArchive: Sendable {
  private let creator: String
  private let version: String

  /// Creates the writer.
  ///
  /// - Parameters:
  ///   - creator: the name of the program.
  ///   - version: the version of the program.
  package init(creator: String, version: String) {
    self.creator = creator
    self.version = version
  }

  /// The text before the first entry.
  package var start: String {
    let creator = HTTPArchive.text(.object(["name": .string(creator), "version": .string(version)])) ?? "{}"
    return #"{"log":{"version":"1.2","creator":"# + creator + #","entries":["# + "\n"
  }

  /// The text after the last entry.
  package var end: String { "\n]}}\n" }

  /// Returns an entry as JSON; nil for a step that is no request.
  package func entry(_ entry: FlowEntry) -> String? {
    guard case .exchange(let exchange) = entry.step else { return nil }
    let timings = exchange.timings
    var members: [String: JSONValue] = [
      "startedDateTime": .string(entry.timestamp), "time": .milliseconds(timings.total),
      "request": HTTPArchive.request(exchange), "response": HTTPArchive.response(exchange), "cache": .object([:]),
      "timings": HTTPArchive.timings(timings), "_number": .integer(Int64(entry.number)),
      "_process": .integer(Int64(entry.process)), "_background": .bool(entry.isInBackground),
      "_role": .string(exchange.role.rawValue),
    ]
    if let remote = exchange.remote, let colon = remote.lastIndex(of: ":") {
      members["serverIPAddress"] = .string(remote[..<colon].filter { $0 != "[" && $0 != "]" })
      members["connection"] = .string(String(remote[remote.index(after: colon)...]))
    }
    return HTTPArchive.text(.object(members))
  }

  private static func text(_ value: JSONValue) -> String? {
    // Fails for an infinite number only, and no time is infinite.
    try? value.text()
  }

  private static func request(_ exchange: FlowExchange) -> JSONValue {
    var members: [String: JSONValue] = [
      "method": .string(exchange.method), "url": .string(exchange.url), "httpVersion": version(exchange),
      "cookies": .array([]), "headers": fields(exchange.requestFields), "queryString": query(exchange.url),
      "headersSize": .integer(-1), "bodySize": .integer(exchange.requestBody.map { $0.size ?? -1 } ?? 0),
    ]
    if let body = exchange.requestBody {
      var content: [String: JSONValue] = ["mimeType": .string(body.mediaType), "text": .string(body.text ?? "")]
      if let comment = comment(body) { content["comment"] = .string(comment) }
      if body.mediaType.lowercased().hasPrefix("application/x-www-form-urlencoded"), let text = body.text, !body.isCut {
        content["params"] = pairs(FormEncoding.decode(text))
      }
      members["postData"] = .object(content)
    }
    return .object(members)
  }

  private static func response(_ exchange: FlowExchange) -> JSONValue {
    let body = exchange.responseBody
    var content: [String: JSONValue] = [
      "size": .integer(body?.size ?? 0), "mimeType": .string(body?.mediaType ?? ""),
    ]
    if let text = body?.text { content["text"] = .string(text) }
    if let comment = body.flatMap({ comment($0) }) { content["comment"] = .string(comment) }
    let location = exchange.responseFields.first { $0.name.lowercased() == "location" }
    let reason = exchange.reason.isEmpty ? ReasonPhrase.standard(for: exchange.status) : exchange.reason
    var members: [String: JSONValue] = [
      "status": .integer(Int64(exchange.status)), "statusText": .string(reason), "httpVersion": version(exchange),
      "cookies": .array([]), "headers": fields(exchange.responseFields), "content": .object(content),
      "redirectURL": .string(location?.value ?? ""), "headersSize": .integer(-1),
      "bodySize": .integer(body?.size ?? -1),
    ]
    if let failure = exchange.failure {
      members["comment"] = .string(failure)
      members["_error"] = .string(failure)
    }
    return .object(members)
  }

  /// What the text of a body lacks; nil if it is whole.
  private static func comment(_ body: FlowExchange.Body) -> String? {
    if body.isCut { return "cut: the first 64 KiB of \(body.size.map { "\($0) bytes" } ?? "a stream")" }
    guard body.text == nil, body.size != 0 else { return nil }
    return "not recorded: \(body.size.map { "\($0) bytes" } ?? "a stream")"
  }

  private static func version(_ exchange: FlowExchange) -> JSONValue {
    .string(exchange.httpVersion == "0" ? "unknown" : "HTTP/" + exchange.httpVersion)
  }

  private static func fields(_ fields: [FlowExchange.Field]) -> JSONValue {
    pairs(fields.map { ($0.name, $0.value) })
  }

  private static func query(_ url: String) -> JSONValue {
    guard let mark = url.firstIndex(of: "?") else { return .array([]) }
    return pairs(FormEncoding.decode(url[url.index(after: mark)...].prefix { $0 != "#" }))
  }

  private static func pairs(_ pairs: [(name: String, value: String)]) -> JSONValue {
    .array(pairs.map { .object(["name": .string($0.name), "value": .string($0.value)]) })
  }

  /// The phases in the order of HAR: `ssl` is a part of `connect`, and -1 stands for a phase that did not take place.
  /// `send` is a part of `wait`: libcurl does not report it.
  private static func timings(_ timings: FlowExchange.Timings) -> JSONValue {
    let connect = timings.connect.map { $0 + (timings.tls ?? 0) }
    let known = [timings.dns, connect, timings.wait, timings.receive].reduce(0) { $0 + ($1 ?? 0) }
    let blocked = max(0, timings.total - known)
    return .object([
      "blocked": .milliseconds(blocked), "dns": .milliseconds(timings.dns ?? -1),
      "connect": .milliseconds(connect ?? -1), "ssl": .milliseconds(timings.tls ?? -1),
      "send": .milliseconds(0), "wait": .milliseconds(timings.wait ?? 0),
      "receive": .milliseconds(timings.receive ?? 0),
    ])
  }
}

extension JSONValue {
  /// Creates a number with at most three decimal places.
  static func milliseconds(_ value: Double) -> JSONValue {
    .number(value.isFinite ? (value * 1000).rounded() / 1000 : 0)
  }
}

extension FlowEntry {
  /// The time in the form of RFC 3339, with milliseconds.
  package var timestamp: String {
    time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
