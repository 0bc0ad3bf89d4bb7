import HTTPTypes
public import Logging
import Synchronization

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

  private let transport: any HTTPTransport
  private let logger: Logger
  private let level: Logger.Level
  private let bodyLimit: Int
  private let redaction: Redaction
  private let numbers = Numbers()

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
    self.transport = transport
    self.logger = logger
    self.level = level
    self.bodyLimit = bodyLimit
    redaction = Redaction(secretNames: secretNames)
  }

  public var connectsFirst: Bool { transport.connectsFirst }

  /// Sends one request and logs it; see ``HTTPTransport/send(_:)``.
  ///
  /// - Throws: the errors of the wrapped transport.
  public func send(_ transfer: Transfer) async throws -> TransferResponse {
    guard logger.logLevel <= level else { return try await transport.send(transfer) }
    let log = LoggedTransfer(transfer, number: numbers.next(), redaction: redaction, bodyLimit: bodyLimit) {
      [logger, level] message, metadata in
      logger.log(level: level, "\(message)", metadata: metadata)
    }
    var watched = transfer
    if let credential = transfer.credential {
      watched.credential = {
        let fields = try await credential()
        log.request(credential: fields)
        return fields
      }
    } else {
      log.request()
    }
    do {
      let response = try await transport.send(watched)
      log.response(response)
      return response
    } catch {
      log.failure(error)
      throw error
    }
  }
}

/// Logs one request and its outcome.
private final class LoggedTransfer: Sendable {
  private let transfer: Transfer
  private let number: Int
  private let redaction: TransferRedaction
  private let bodyLimit: Int
  private let write: @Sendable (String, Logger.Metadata) -> Void
  private let start = Mutex(ContinuousClock().now)

  init(
    _ transfer: Transfer, number: Int, redaction: Redaction, bodyLimit: Int,
    write: @escaping @Sendable (String, Logger.Metadata) -> Void
  ) {
    self.transfer = transfer
    self.number = number
    self.redaction = TransferRedaction(redaction, transfer)
    self.bodyLimit = bodyLimit
    self.write = write
  }

  /// Logs the request as soon as its credential is known. The time for obtaining the credential does not count.
  func request(credential: [HTTPField] = []) {
    start.withLock { $0 = ContinuousClock().now }
    let standard = transfer.standardFields.filter { transfer.fields[$0.name] == nil }
    let lines = (Array(transfer.fields) + standard + credential).map { line($0) }
    let names = Set(credential.map(\.name.canonicalName))
    redaction.learn(lines, credential: names)
    var body: [UInt8] = []
    if case .bytes(let bytes) = transfer.body { body = bytes }
    let type = transfer.fields[.contentType] ?? transfer.standardFields[.contentType]
    let size = transfer.body.map { $0.length.map { ", \($0) bytes" } ?? ", a stream" } ?? ""
    write(place + size, metadata(lines.map { redaction.line($0, credential: names) }, body, type: type))
  }

  /// Logs the response.
  func response(_ response: TransferResponse) {
    let headers = response.fields.map { redaction.received(line($0)) }
    let message = "\(place): \(response.status) in \(duration), \(response.bodyCount) bytes"
    write(message, metadata(headers, response.body, type: response.fields[.contentType]))
  }

  /// Logs that there was no response.
  func failure(_ error: any Error) {
    write("\(place): failed after \(duration): \(shown("\(error)", limit: 1000))", [:])
  }

  private var place: String { "#\(number) \(transfer.method) \(shown(transfer.url.string, limit: 2000))" }

  private var duration: String {
    let seconds = start.withLock { $0 }.duration(to: ContinuousClock().now).seconds
    return "\(Int((seconds * 1000).rounded())) ms"
  }

  private func line(_ field: HTTPField) -> String { "\(field.name.rawName): \(field.value)" }

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
