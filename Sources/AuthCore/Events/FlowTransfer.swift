import FoundationEssentials
import HTTPTypes
import Synchronization
import SystemPackage

/// Records one request and its response while they are sent and received.
final class FlowTransfer: Sendable {
  /// Receives the recorded request, its position in the flow, and the time when it began.
  typealias Receiver = @Sendable (FlowExchange, Int, ContinuousClock.Instant) -> Void

  /// The size of a recorded body in bytes; the rest is left out.
  static let bodyLimit = 64 << 10
  /// The number of further bytes that are read, so that a secret at the limit is recognized as a whole.
  private static let lookahead = 8 << 10

  private struct State {
    var sent = HeaderLines()
    var received = HeaderLines()
    var isForProxy = false
    var credential: [HTTPField] = []
    var body: [UInt8] = []
    var report: Report?
    var ready: Ready?
    /// Whether there is no token for the request, which is then not sent.
    var isWithheld = false
    var isEnded = false
  }

  /// The report of the transfer, and when it came: at the end of the transfer.
  private struct Report {
    let report: TransferReport
    let time = ContinuousClock.now
  }

  /// The moment from which only the network delays a request: its token, if it has one, is known.
  private struct Ready {
    let number: Int
    let time = ContinuousClock.now
  }

  /// What is recorded of the request, without its response.
  private struct Request {
    /// Replaces the secrets of the request and of its response.
    let redaction: TransferRedaction
    /// The lines of its header; nil if none is recorded yet.
    var lines: [String]?
    var exchange: FlowExchange
  }

  private let transfer: Transfer
  private let redaction: Redaction?
  private let begun = ContinuousClock.now
  private let number: @Sendable () -> Int
  private let receive: Receiver
  private let state = Mutex(State())
  private let request: Mutex<Request>

  /// Starts to record a request.
  ///
  /// - Parameters:
  ///   - redaction: replaces secrets; nil if they are kept.
  ///   - number: returns the next position in the flow. A request that waits for its token comes after the requests for
  ///     the token.
  ///   - receive: receives the result, once.
  init(
    _ transfer: Transfer, redaction: Redaction?, number: @escaping @Sendable () -> Int, _ receive: @escaping Receiver
  ) {
    self.transfer = transfer
    self.redaction = redaction
    request = Mutex(Request(redaction: TransferRedaction(redaction, transfer), exchange: FlowTransfer.blank(transfer)))
    self.number = number
    self.receive = receive
    if transfer.credential == nil { state.withLock { $0.ready = Ready(number: number()) } }
  }

  /// The request with observers. Those that it already has are called, too.
  var watched: Transfer {
    var watched = transfer
    if let credential = transfer.credential {
      watched.credential = { [self] in
        let fields: [HTTPField]
        do {
          fields = try await credential()
        } catch {
          state.withLock { $0.isWithheld = true }
          throw error
        }
        let ready = Ready(number: number())
        state.withLock { state in
          state.credential = fields
          state.ready = state.ready ?? ready
        }
        return fields
      }
    }
    watched.trace = { [self] line in
      // The server has the request and processes it: what is known already is recorded meanwhile, here, because another
      // thread would take longer to start.
      if let state = take(line) { _ = recorded(state) }
      transfer.trace?(line)
    }
    watched.report = { [self] report in
      state.withLock { $0.report = Report(report: report) }
      transfer.report?(report)
    }
    watched.received = { [self] part in
      let isEnough = state.withLock { state in
        let left = FlowTransfer.bodyLimit + FlowTransfer.lookahead - state.body.count
        state.body += part.prefix(left)
        return part.count >= left
      }
      let isRead = transfer.received?(part) ?? false
      return isRead || !isEnough
    }
    return watched
  }

  // MARK: - Header lines

  /// The lines of one header at a time; the last one counts.
  private struct HeaderLines {
    private(set) var lines: [String] = []
    private var isOpen = false

    /// Adds a line.
    ///
    /// - Parameter isStart: whether the line begins another header.
    mutating func add(_ line: String, isStart: Bool) {
      if isStart {
        lines = []
        isOpen = true
      }
      // Lines after the header belong to a trailer.
      if isOpen, !line.isEmpty { lines.append(line) }
      if line.isEmpty { isOpen = false }
    }

    var isComplete: Bool { !isOpen }
  }

  /// Keeps a header line.
  ///
  /// - Returns: the state if the line is the end of the request's header.
  private func take(_ line: WireLine) -> State? {
    state.withLock { state in
      switch line {
      case .sent(let text):
        if state.sent.isComplete, !text.isEmpty { state.isForProxy = text.starts(withBytes: "CONNECT ") }
        state.sent.add(text, isStart: state.sent.isComplete && !text.isEmpty)
        return text.isEmpty && !state.isForProxy ? state : nil
      case .received(let text):
        // The response of a proxy to CONNECT is not the server's.
        if !state.isForProxy { state.received.add(text, isStart: text.starts(withBytes: "HTTP/")) }
        return nil
      default: return nil
      }
    }
  }

  // MARK: - The result

  /// Records the response, or why there was no complete one; only the first call counts. A request that was not sent
  /// because there was no token for it is not recorded.
  func end(_ response: TransferResponse?, failure: String?) {
    let state = self.state.withLock { state -> State? in
      defer { state.isEnded = true }
      return state.isEnded ? nil : state
    }
    guard let state, !state.isWithheld else { return }
    let request = recorded(state)
    var exchange = request.exchange
    exchange.failure = failure.map { request.redaction.text($0) }
    fill(&exchange, response, state, request.redaction)
    let start = state.report.map { $0.time - $0.report.times.total } ?? begun
    let phases = FlowPhases(state.report?.report, token: state.ready.map { start.duration(to: $0.time) } ?? .zero)
    exchange.timings = phases?.timings ?? FlowExchange.Timings(total: begun.duration(to: .now).seconds * 1000)
    if let report = state.report?.report {
      if report.httpVersion != "0" { exchange.httpVersion = report.httpVersion }
      let address = report.remote.address
      let host = address.contains(bytes: ":") ? "[\(address)]" : address
      if !address.isEmpty { exchange.remote = "\(host):\(report.remote.port)" }
    }
    receive(exchange, state.ready?.number ?? number(), phases.map { start + $0.pause } ?? begun)
  }

  /// Returns what is recorded of the request. It is made once for the same header.
  private func recorded(_ state: State) -> Request {
    let isKnown = !state.isForProxy && !state.sent.lines.isEmpty
    let sent = isKnown ? Array(state.sent.lines.dropFirst()) : planned(state)
    return request.withLock { request in
      guard request.lines != sent else { return request }
      // A header that was sent again, as to a proxy that requires a password, is recorded as if it were the first.
      if request.lines != nil {
        request = Request(redaction: TransferRedaction(redaction, transfer), exchange: FlowTransfer.blank(transfer))
      }
      let redaction = request.redaction
      let names = Set(state.credential.map { $0.name.canonicalName })
      redaction.learn(sent, credential: names)
      request.lines = sent
      request.exchange.url = redaction.text(transfer.url.string)
      request.exchange.requestFields = sent.compactMap { FlowTransfer.field(in: redaction.line($0, credential: names)) }
      // Its own fields have their fingerprints; in all other places the token is replaced.
      for field in state.credential { redaction.keep(field.value) }
      request.exchange.requestBody = transfer.body.map { requestBody($0, redaction) }
      return request
    }
  }

  /// Returns the header lines of a request that was not sent, or whose lines were not observed.
  private func planned(_ state: State) -> [String] {
    let standard = transfer.standardFields.filter { transfer.fields[$0.name] == nil }
    return (Array(transfer.fields) + standard + state.credential).map { "\($0.name.rawName): \($0.value)" }
  }

  private static func blank(_ transfer: Transfer) -> FlowExchange {
    FlowExchange(role: transfer.isForServer ? .server : .api, method: transfer.method.rawValue, url: "")
  }

  private func fill(
    _ exchange: inout FlowExchange, _ response: TransferResponse?, _ state: State, _ redaction: TransferRedaction
  ) {
    let words = state.received.lines.first?.split(atAny: " ") ?? []
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
    let planned = response?.fields.map { "\($0.name.rawName): \($0.value)" } ?? []
    let lines = hasLines ? Array(state.received.lines.dropFirst()) : planned
    redaction.learn(lines, credential: [])
    exchange.responseFields = lines.compactMap { FlowTransfer.field(in: redaction.received($0)) }
    let type = FlowTransfer.value(of: "content-type", in: lines)
    let isEncoded = !transfer.decodesContent && !FlowTransfer.value(of: "content-encoding", in: lines).isEmpty
    let bytes = state.body.isEmpty ? response?.body ?? [] : state.body
    let size = response?.bodyCount ?? state.report?.report.sizes.received ?? Int64(bytes.count)
    // Metadata is fetched with GET; a custom server may issue tokens in response to any method.
    let isIssued = transfer.isForServer && (transfer.method != .get || !transfer.secrets.isEmpty)
    var body = body(bytes, type, size: max(size, 0), isText: !isEncoded, isIssued: isIssued, redaction)
    body.text = body.text.map { redaction.serverText($0) }
    exchange.responseBody = body
  }

  /// Returns the field in a header line; nil if there is none.
  private static func field(in line: String) -> FlowExchange.Field? {
    // The names of HTTP/2 have no colon at their start: those of its request line are left out.
    let parts = line.split(atAny: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return nil }
    return FlowExchange.Field(name: String(parts[0]), value: String(parts[1].drop(anyOf: " ")))
  }

  private static func value(of name: String, in lines: [String]) -> String {
    let line = lines.first { $0.lowercased().starts(withBytes: name + ":") }
    return line.map { String($0[($0.firstIndex(ofAny: ":") ?? $0.startIndex)...].drop(anyOf: ": ")) } ?? ""
  }

  private func requestBody(_ body: RequestBody, _ redaction: TransferRedaction) -> FlowExchange.Body {
    let type = transfer.fields[.contentType] ?? transfer.standardFields[.contentType] ?? ""
    guard let bytes = FlowTransfer.beginning(of: body) else {
      return FlowExchange.Body(text: nil, mediaType: type, size: body.knownLength)
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
      let count = Int(min(length, Int64(bodyLimit + lookahead)))
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
  ) -> FlowExchange.Body {
    let part = bytes.prefix(FlowTransfer.bodyLimit + FlowTransfer.lookahead)
    guard isText, let text = FlowTransfer.text(part, type) else {
      return FlowExchange.Body(text: nil, mediaType: type, size: size)
    }
    let isCut = size > Int64(FlowTransfer.bodyLimit)
    let shown = isIssued ? redaction.issued(text, isCut: isCut) : redaction.body(text, isCut: isCut)
    guard isCut else { return FlowExchange.Body(text: shown, mediaType: type, size: size) }
    let beginning = String(decoding: shown.utf8.prefix(FlowTransfer.bodyLimit), as: UTF8.self)
    // A character that is cut apart is left out.
    let whole = String(beginning.dropping(suffix: "\u{FFFD}") ?? beginning[...])
    return FlowExchange.Body(text: whole, mediaType: type, size: size, isCut: true)
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
