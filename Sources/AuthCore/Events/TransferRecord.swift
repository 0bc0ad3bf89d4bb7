import HTTPTypes

/// A request and its response as far as they are known, with their secrets.
package struct TransferRecord: Sendable {
  /// The number of bytes of the response's body that are kept. A view shows fewer, so that it recognizes a secret at
  /// its own limit as a whole.
  static let bodyLimit = 72 << 10

  /// The request as the program states it.
  let transfer: Transfer
  /// The time when the transport was asked to send the request.
  let begun: ContinuousClock.Instant
  /// The time from which only the network delays the request: its token, if it has one, is known.
  var ready: ContinuousClock.Instant?
  /// The fields that carry the token and its proof.
  var credential: [HTTPField] = []
  /// The names of these fields, in lower case.
  var credentialNames: Set<String> { Set(credential.map(\.name.canonicalName)) }
  /// Whether there is no token for the request, which is then not sent.
  var isWithheld = false
  /// The beginning of the response's body, as it arrived.
  private(set) var body: [UInt8] = []
  /// The report of the transport.
  var report: TransferReport? {
    didSet { if let report { start = .now - report.times.total } }
  }
  /// The time of the transfer's beginning, by the report: after any wait for others.
  private(set) var start: ContinuousClock.Instant
  /// The response, or why there is none; nil as long as the transport has not returned.
  package internal(set) var outcome: Result<TransferResponse, any Error>?
  private var sent = HeaderLines()
  private var received = HeaderLines()
  private var isForProxy = false

  /// Starts the record of a request.
  init(_ transfer: Transfer) {
    self.transfer = transfer
    begun = .now
    start = begun
    if transfer.credential == nil { ready = begun }
  }

  /// The header lines of the request, as they were sent last; if none were observed, those that the program states.
  var requestLines: [String] {
    guard isForProxy || sent.lines.isEmpty else { return Array(sent.lines.dropFirst()) }
    let standard = transfer.standardFields.filter { transfer.fields[$0.name] == nil }
    return (Array(transfer.fields) + standard + credential).map(\.line)
  }

  /// The status line and the header lines of the last response; empty if none were observed.
  var responseLines: [String] { received.lines }

  /// Keeps a header line.
  ///
  /// - Returns: whether the line is the end of the request's header.
  mutating func take(_ line: WireLine) -> Bool {
    switch line {
    case .sent(let text):
      let isStart = sent.isComplete && !text.isEmpty
      if isStart { isForProxy = text.starts(withBytes: "CONNECT ") }
      sent.add(text, isStart: isStart)
      return text.isEmpty && !isForProxy
    case .received(let text):
      // The response of a proxy to CONNECT is not the server's.
      if !isForProxy { received.add(text, isStart: text.starts(withBytes: "HTTP/")) }
      return false
    default: return false
    }
  }

  /// Keeps a part of the response's body.
  ///
  /// - Returns: whether more is kept.
  mutating func take(_ part: [UInt8]) -> Bool {
    let left = TransferRecord.bodyLimit - body.count
    body += part.prefix(left)
    return part.count < left
  }

  /// The lines of one header at a time; the last one counts.
  private struct HeaderLines {
    private(set) var lines: [String] = []
    private(set) var isComplete = true

    /// Adds a line.
    ///
    /// - Parameter isStart: whether the line begins another header.
    mutating func add(_ line: String, isStart: Bool) {
      if isStart {
        lines = []
        isComplete = false
      }
      // Lines after the header belong to a trailer.
      if !isComplete, !line.isEmpty { lines.append(line) }
      if line.isEmpty { isComplete = true }
    }
  }
}

extension HTTPField {
  /// The field as a header line.
  var line: String { "\(name.rawName): \(value)" }
}
