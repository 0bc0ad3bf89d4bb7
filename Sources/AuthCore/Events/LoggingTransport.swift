import HTTPTypes
public import Logging
import Synchronization

extension HTTPTransport {
  /// Returns a transport that sends requests by this one, and logs them; the parameters are those of
  /// ``LoggingTransport``.
  public func logged(
    to logger: Logger, level: Logger.Level = .debug, secretNames: [String] = [], bodyLimit: Int = 0
  ) -> LoggingTransport {
    LoggingTransport(self, logger: logger, level: level, secretNames: secretNames, bodyLimit: bodyLimit)
  }
}

/// Logs each request and its response without secrets, and sends it by another transport.
///
/// There is one message for the request and one for the response or the failure, with the same number. Both state the
/// method and the URL; the second also states the status, the duration and the size. The header fields are the
/// message's metadata (`headers`), as the program states them: not those that the transport adds by itself.
///
/// Secrets are replaced by `‹redacted›`: credentials, the values of header fields, parameters and members whose names
/// indicate a secret, JSON Web Tokens, and every value that was sent as a secret before. A token is shown with a
/// fingerprint (``Secret/fingerprint``), which distinguishes it from others.
public struct LoggingTransport: HTTPTransport {
  /// Numbers the requests from 1.
  private final class Numbers: Sendable {
    private let last = Atomic(0)
    func next() -> Int { last.add(1, ordering: .relaxed).newValue }
  }

  private let transport: ObservedTransport

  /// Wraps a transport. Unless the logger's level includes `level`, nothing is logged and no time is spent.
  ///
  /// - Parameter transport: sends the requests.
  /// - Parameter logger: receives the messages.
  /// - Parameter level: the level of all messages.
  /// - Parameter secretNames: names of further header fields, parameters and JSON members whose values are secrets,
  ///   such as `guestKey`; tokens, passwords, cookies and the like are known by their names.
  /// - Parameter bodyLimit: how many characters of a body are logged (`body` in the metadata), if it is JSON, a form or
  ///   text, and in memory; 0 for none. Bodies of requests to an authorization server are never logged.
  public init(
    _ transport: any HTTPTransport, logger: Logger, level: Logger.Level = .debug, secretNames: [String] = [],
    bodyLimit: Int = 0
  ) {
    let redaction = Redaction(secretNames: secretNames)
    let numbers = Numbers()
    self.transport = ObservedTransport(transport) { observed in
      guard logger.logLevel <= level else { return nil }
      let transfer = observed.transfer
      let log = LoggedTransfer(
        transfer: transfer, number: numbers.next(), redaction: TransferRedaction(redaction, transfer),
        bodyLimit: bodyLimit
      ) { logger.log(level: level, "\($0)", metadata: $1) }
      return TransferView(ready: { log.request($0) }, ended: { log.end($0) })
    }
  }

  public var connectsFirst: Bool { transport.connectsFirst }

  /// Sends one request and logs it; see ``HTTPTransport/send(_:)``.
  ///
  /// - Throws: the errors of the wrapped transport.
  public func send(_ transfer: Transfer) async throws -> TransferResponse {
    try await transport.send(transfer)
  }
}

/// Logs one request and its outcome.
private struct LoggedTransfer: Sendable {
  let transfer: Transfer
  let number: Int
  let redaction: TransferRedaction
  let bodyLimit: Int
  let write: @Sendable (String, Logger.Metadata) -> Void

  /// Logs the request.
  func request(_ record: TransferRecord) {
    let lines = record.requestLines
    let names = record.credentialNames
    redaction.learn(lines, credential: names)
    var body: [UInt8] = []
    if case .bytes(let bytes) = transfer.body { body = bytes }
    let type = transfer.fields[.contentType] ?? transfer.standardFields[.contentType]
    let size = transfer.body.map { $0.length.map { ", \($0) bytes" } ?? ", a stream" } ?? ""
    write(place + size, metadata(lines.map { redaction.line($0, credential: names) }, body, type: type))
  }

  /// Logs the response, or that there was none. The time for obtaining the credential does not count.
  func end(_ record: TransferRecord) {
    let seconds = (record.ready ?? record.begun).duration(to: .now).seconds
    let duration = "\(Int((seconds * 1000).rounded())) ms"
    switch record.outcome {
    case .success(let response):
      let headers = response.fields.map { redaction.received($0.line) }
      let message = "\(place): \(response.status) in \(duration), \(response.bodyCount) bytes"
      write(message, metadata(headers, response.body, type: response.fields[.contentType]))
    case .failure(let error):
      write("\(place): failed after \(duration): \(shown("\(error)", limit: 1000))", [:])
    case nil: break
    }
  }

  private var place: String { "#\(number) \(transfer.method) \(shown(transfer.url.string, limit: 2000))" }

  private func shown(_ text: String, limit: Int) -> String {
    Escaped.text(redaction.text(text), limit: limit)
  }

  private func metadata(_ headers: [String], _ body: [UInt8], type: String?) -> Logger.Metadata {
    var metadata: Logger.Metadata = ["headers": .array(headers.map { .string($0) })]
    guard bodyLimit > 0, !transfer.isConfidential, !body.isEmpty, LoggedTransfer.isText(type ?? "") else {
      return metadata
    }
    metadata["body"] = .string(shown(String(decoding: body, as: UTF8.self), limit: bodyLimit))
    return metadata
  }

  /// Whether a content type is JSON, a form or text, in which secrets can be recognized by name; false for multipart.
  private static func isText(_ type: String) -> Bool {
    let essence = type.prefix(upToAny: ";").lowercased().filter { $0 != " " }
    return essence.starts(withBytes: "text/") || essence.ends(withBytes: "/json") || essence.ends(withBytes: "+json")
      || essence == "application/x-www-form-urlencoded"
  }
}
