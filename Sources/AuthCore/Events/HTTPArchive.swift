import FoundationEssentials

/// Writes the requests of a trace as an HTTP archive (HAR 1.2).
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
    var json = JSONWriter()
    json.appendObject { json in
      json.append("name", creator)
      json.append("version", version)
    }
    return #"{"log":{"version":"1.2","creator":"# + json.text + #","entries":["# + "\n"
  }

  /// The text after the last entry.
  package var end: String { "\n]}}\n" }

  /// Returns an entry as JSON, with its members sorted by name; nil for a step that is not a request.
  package func entry(_ entry: TraceEntry) -> String? {
    guard case .exchange(let exchange) = entry.step else { return nil }
    let remote = HTTPArchive.remote(exchange)
    // Written member by member: to create a JSONValue first takes several times as long.
    var json = JSONWriter()
    json.appendObject { json in
      json.append("_background", entry.isInBackground)
      json.append("_number", Int64(entry.number))
      json.append("_process", Int64(entry.process))
      json.append("_role", exchange.role.rawValue)
      json.append("cache") { $0.append("{}".utf8) }
      if let remote { json.append("connection", remote.port) }
      json.append("request") { HTTPArchive.append(requestOf: exchange, to: &$0) }
      json.append("response") { HTTPArchive.append(responseOf: exchange, to: &$0) }
      if let remote { json.append("serverIPAddress", remote.address) }
      json.append("startedDateTime", entry.time.rfc3339WithMilliseconds)
      json.append("time", milliseconds: exchange.timings.total)
      json.append("timings") { HTTPArchive.append(exchange.timings, to: &$0) }
    }
    return json.text
  }

  /// Returns the other end of the connection, an IPv6 address without its brackets; nil if there was none.
  private static func remote(_ exchange: TraceExchange) -> (address: String, port: String)? {
    guard let remote = exchange.remote, let colon = remote.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
    let host = remote[..<colon]
    let address = host.utf8.first == UInt8(ascii: "[") ? host.dropFirst().dropLast() : host
    return (String(address), String(remote[remote.utf8.index(after: colon)...]))
  }

  private static func append(requestOf exchange: TraceExchange, to json: inout JSONWriter) {
    json.appendObject { json in
      json.append("bodySize", exchange.requestBody.map { $0.size ?? -1 } ?? 0)
      json.append("cookies") { $0.append("[]".utf8) }
      json.append("headers") { append(exchange.requestFields, to: &$0) }
      json.append("headersSize", -1)
      json.append("httpVersion", version(exchange))
      json.append("method", exchange.method)
      if let body = exchange.requestBody { json.append("postData") { append(dataOf: body, to: &$0) } }
      json.append("queryString") { append(query(exchange.url), to: &$0) }
      json.append("url", exchange.url)
    }
  }

  private static func append(dataOf body: TraceExchange.Body, to json: inout JSONWriter) {
    json.appendObject { json in
      if let comment = comment(body) { json.append("comment", comment) }
      json.append("mimeType", body.mediaType)
      let isForm = body.mediaType.lowercased().starts(withBytes: "application/x-www-form-urlencoded")
      if isForm, let text = body.text, !body.isCut {
        json.append("params") { append(fields(FormEncoding.decode(text)), to: &$0) }
      }
      json.append("text", body.text ?? "")
    }
  }

  private static func append(responseOf exchange: TraceExchange, to json: inout JSONWriter) {
    let body = exchange.responseBody
    let location = exchange.responseFields.first { $0.name.lowercased() == "location" }
    json.appendObject { json in
      if let failure = exchange.failure { json.append("_error", failure) }
      json.append("bodySize", body?.size ?? -1)
      if let failure = exchange.failure { json.append("comment", failure) }
      json.append("content") { json in
        json.appendObject { json in
          if let comment = body.flatMap({ comment($0) }) { json.append("comment", comment) }
          json.append("mimeType", body?.mediaType ?? "")
          json.append("size", body?.size ?? 0)
          if let text = body?.text { json.append("text", text) }
        }
      }
      json.append("cookies") { $0.append("[]".utf8) }
      json.append("headers") { append(exchange.responseFields, to: &$0) }
      json.append("headersSize", -1)
      json.append("httpVersion", version(exchange))
      json.append("redirectURL", location?.value ?? "")
      json.append("status", Int64(exchange.status))
      json.append(
        "statusText", exchange.reason.isEmpty ? ReasonPhrase.standard(for: exchange.status) : exchange.reason)
    }
  }

  /// What the text of a body lacks; nil if it is whole.
  private static func comment(_ body: TraceExchange.Body) -> String? {
    if body.isCut { return "cut: the first 64 KiB of \(body.size.map { "\($0) bytes" } ?? "a stream")" }
    guard body.text == nil, body.size != 0 else { return nil }
    return "not recorded: \(body.size.map { "\($0) bytes" } ?? "a stream")"
  }

  private static func version(_ exchange: TraceExchange) -> String {
    exchange.httpVersion == "0" ? "unknown" : "HTTP/" + exchange.httpVersion
  }

  private static func query(_ url: String) -> [TraceExchange.Field] {
    guard let mark = url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [] }
    return fields(FormEncoding.decode(url.suffix(after: mark).prefix(upToAny: "#")))
  }

  private static func fields(_ pairs: [(name: String, value: String)]) -> [TraceExchange.Field] {
    pairs.map { TraceExchange.Field(name: $0.name, value: $0.value) }
  }

  private static func append(_ fields: [TraceExchange.Field], to json: inout JSONWriter) {
    json.appendArray(fields) { json, field in
      json.appendObject { json in
        json.append("name", field.name)
        json.append("value", field.value)
      }
    }
  }

  /// Appends the phases of HAR: `ssl` is a part of `connect`, and -1 stands for a phase that did not take place. `send`
  /// is a part of `wait`: libcurl does not report it.
  private static func append(_ timings: TraceExchange.Timings, to json: inout JSONWriter) {
    let connect = timings.connect.map { $0 + (timings.tls ?? 0) }
    let known = (timings.dns ?? 0) + (connect ?? 0) + (timings.wait ?? 0) + (timings.receive ?? 0)
    json.appendObject { json in
      json.append("blocked", milliseconds: max(0, timings.total - known))
      json.append("connect", milliseconds: connect ?? -1)
      json.append("dns", milliseconds: timings.dns ?? -1)
      json.append("receive", milliseconds: timings.receive ?? 0)
      json.append("send", milliseconds: 0)
      json.append("ssl", milliseconds: timings.tls ?? -1)
      json.append("wait", milliseconds: timings.wait ?? 0)
    }
  }
}

extension JSONWriter {
  fileprivate mutating func append(_ name: String, milliseconds: Double) {
    // Fails for an infinite number only, and no time is infinite.
    append(name) { try? $0.append(.milliseconds(milliseconds)) }
  }

  /// What was written.
  fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension JSONValue {
  /// Creates a number with at most three decimal places.
  static func milliseconds(_ value: Double) -> JSONValue {
    .number(value.isFinite ? (value * 1000).rounded() / 1000 : 0)
  }
}
