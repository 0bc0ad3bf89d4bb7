import FoundationEssentials
import HTTPTypes
import Synchronization
import SystemPackage

/// Records one request and its response for a trace.
final class TraceTransfer: Sendable {
  /// The size of a recorded body in bytes; the rest is left out.
  static let bodyLimit = 64 << 10

  /// What is recorded of the request, without its response.
  private struct Request {
    /// Replaces the secrets of the request and of its response.
    let redaction: TransferRedaction
    /// The lines of its header; nil if none is recorded yet.
    var lines: [String]?
    var exchange: TraceExchange
  }

  private let transfer: Transfer
  private let redaction: Redaction?
  private let request: Mutex<Request>

  /// Starts to record a request.
  ///
  /// - Parameter redaction: replaces secrets; nil if they are kept.
  init(_ transfer: Transfer, redaction: Redaction?) {
    self.transfer = transfer
    self.redaction = redaction
    request = Mutex(Request(redaction: TransferRedaction(redaction, transfer), exchange: TraceTransfer.blank(transfer)))
  }

  /// Records what is known of the request, while the server processes it.
  func prepare(_ record: TransferRecord) { _ = recorded(record) }

  /// Returns the request with its response, or why there was no complete one, and the time when it began.
  func exchange(_ record: TransferRecord, failure: String?) -> (TraceExchange, begun: ContinuousClock.Instant) {
    let request = recorded(record)
    var exchange = request.exchange
    exchange.failure = failure.map { request.redaction.text($0) }
    fill(&exchange, record, request.redaction)
    let report = record.report
    let phases = TracePhases(report, token: record.ready.map { record.start.duration(to: $0) } ?? .zero)
    exchange.timings = phases?.timings ?? TraceExchange.Timings(total: record.begun.duration(to: .now).seconds * 1000)
    if let report {
      if report.httpVersion != "0" { exchange.httpVersion = report.httpVersion }
      let address = report.remote.address
      let host = address.contains(bytes: ":") ? "[\(address)]" : address
      if !address.isEmpty { exchange.remote = "\(host):\(report.remote.port)" }
    }
    return (exchange, phases.map { record.start + $0.pause } ?? record.begun)
  }

  /// Returns what is recorded of the request. It is made once for the same header.
  private func recorded(_ record: TransferRecord) -> Request {
    let lines = record.requestLines
    return request.withLock { request in
      guard request.lines != lines else { return request }
      // A header that was sent again, as to a proxy that requires a password, is recorded as if it were the first.
      if request.lines != nil {
        request = Request(redaction: TransferRedaction(redaction, transfer), exchange: TraceTransfer.blank(transfer))
      }
      let redaction = request.redaction
      let names = record.credentialNames
      redaction.learn(lines, credential: names)
      request.lines = lines
      request.exchange.url = redaction.text(transfer.url.string)
      request.exchange.requestFields = lines.compactMap {
        TraceTransfer.field(in: redaction.line($0, credential: names))
      }
      // Its own fields have their fingerprints; in all other places the token is replaced.
      for field in record.credential { redaction.keep(field.value) }
      request.exchange.requestBody = transfer.body.map { requestBody($0, redaction) }
      return request
    }
  }

  private static func blank(_ transfer: Transfer) -> TraceExchange {
    TraceExchange(role: transfer.isForServer ? .server : .api, method: transfer.method.rawValue, url: "")
  }

  private func fill(_ exchange: inout TraceExchange, _ record: TransferRecord, _ redaction: TransferRedaction) {
    let response = try? record.outcome?.get()
    let words = record.responseLines.first?.split(atAny: " ") ?? []
    let arrived = words.count > 1 ? Int(words[1]) ?? 0 : 0
    // Interim responses are not the response (RFC 9110, section 15.2).
    let status = response?.status ?? (arrived >= 200 ? arrived : 0)
    guard status > 0 else { return }
    exchange.status = status
    if let version = words.first?.split(atAny: "/").last { exchange.httpVersion = String(version) }
    let hasLines = arrived == status
    if hasLines {
      var reason = ""
      for word in words.dropFirst(2) { reason += reason.isEmpty ? String(word) : " \(word)" }
      exchange.reason = redaction.text(Escaped.text(reason, limit: 100))
    }
    let lines = hasLines ? Array(record.responseLines.dropFirst()) : response?.fields.map(\.line) ?? []
    redaction.learn(lines, credential: [])
    exchange.responseFields = lines.compactMap { TraceTransfer.field(in: redaction.received($0)) }
    let type = TraceTransfer.value(of: "content-type", in: lines)
    let isEncoded = !transfer.decodesContent && !TraceTransfer.value(of: "content-encoding", in: lines).isEmpty
    let bytes = record.body.isEmpty ? response?.body ?? [] : record.body
    let size = response?.bodyCount ?? record.report?.sizes.received ?? Int64(bytes.count)
    // Metadata is fetched with GET; a custom server may issue tokens in response to any method.
    let isIssued = transfer.isForServer && (transfer.method != .get || !transfer.secrets.isEmpty)
    var body = body(bytes, type, size: max(size, 0), isText: !isEncoded, isIssued: isIssued, redaction)
    body.text = body.text.map { redaction.serverText($0) }
    exchange.responseBody = body
  }

  /// Returns the field in a header line; nil if there is none.
  private static func field(in line: String) -> TraceExchange.Field? {
    // The names of HTTP/2 have no colon at their start: those of its request line are left out.
    let parts = line.split(atAny: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return nil }
    return TraceExchange.Field(name: String(parts[0]), value: String(parts[1].drop(anyOf: " ")))
  }

  private static func value(of name: String, in lines: [String]) -> String {
    lines.lazy.compactMap(field).first { $0.name.lowercased() == name }?.value ?? ""
  }

  private func requestBody(_ body: RequestBody, _ redaction: TransferRedaction) -> TraceExchange.Body {
    let type = transfer.fields[.contentType] ?? transfer.standardFields[.contentType] ?? ""
    guard let bytes = TraceTransfer.beginning(of: body) else {
      return TraceExchange.Body(text: nil, mediaType: type, size: body.knownLength)
    }
    if case .file = body { redaction.learn(body: bytes) }
    let size = body.knownLength ?? Int64(bytes.count)
    return self.body(bytes, type, size: size, isText: transfer.fields[.contentEncoding] == nil, redaction)
  }

  /// Returns the bytes of a body, or the beginning of a file; nil if they can't be read again.
  private static func beginning(of body: RequestBody) -> [UInt8]? {
    switch body {
    case .bytes(let bytes): return bytes
    case .file(let file, let offset, let length):
      let count = Int(min(length, Int64(TransferRecord.bodyLimit)))
      var bytes = [UInt8](repeating: 0, count: count)
      // What can't be read is not recorded; the transfer itself reports the error.
      let read = try? unsafe bytes.withUnsafeMutableBytes { try unsafe file.read(fromAbsoluteOffset: offset, into: $0) }
      return read.map { Array(bytes.prefix($0)) }
    case .stream, .sequence: return nil
    }
  }

  /// Returns the recorded part of a body: none of a binary one.
  ///
  /// - Parameter isIssued: whether it is the response of a server, which may issue secrets under any name.
  private func body(
    _ bytes: [UInt8], _ type: String, size: Int64, isText: Bool, isIssued: Bool = false, _ redaction: TransferRedaction
  ) -> TraceExchange.Body {
    let part = bytes.prefix(TransferRecord.bodyLimit)
    guard isText, let text = TraceTransfer.text(part, type) else {
      return TraceExchange.Body(text: nil, mediaType: type, size: size)
    }
    let isCut = size > Int64(TraceTransfer.bodyLimit)
    let shown = isIssued ? redaction.issued(text, isCut: isCut) : redaction.body(text, isCut: isCut)
    guard isCut else { return TraceExchange.Body(text: shown, mediaType: type, size: size) }
    let beginning = String(decoding: shown.utf8.prefix(TraceTransfer.bodyLimit), as: UTF8.self)
    // A character that is cut apart is left out.
    let whole = String(beginning.dropping(suffix: "\u{FFFD}") ?? beginning[...])
    return TraceExchange.Body(text: whole, mediaType: type, size: size, isCut: true)
  }

  /// Returns bytes as text; nil if their content type is another one, or unknown and they are not UTF-8.
  private static func text(_ bytes: ArraySlice<UInt8>, _ type: String) -> String? {
    let essence = type.prefix(upToAny: ";").lowercased().filter { $0 != " " }
    let forms = ["json", "xml", "javascript", "x-www-form-urlencoded", "yaml", "graphql", "x-ndjson"]
    let isText =
      essence.starts(withBytes: "text/")
      || forms.contains { "/\(essence)".ends(withBytes: "/\($0)") || essence.ends(withBytes: "+\($0)") }
    guard essence.isEmpty || isText else { return nil }
    if let text = String(validating: bytes, as: UTF8.self) { return bytes.contains(0) ? nil : text }
    // At the end, a character may be cut apart.
    return isText ? String(decoding: bytes, as: UTF8.self) : nil
  }
}
