import NIOCore
import SystemPackage

/// What the threads of a handler and the event loop share of an exchange.
struct ExchangeState: Sendable {
  private static let continueHead = "HTTP/1.1 100 Continue\r\n\r\n"

  /// The body of the request.
  var body = RequestBodyBuffer()
  /// What is called when bytes of the body, its end, or a failure is there.
  var waiter: (@Sendable () -> Void)?
  /// Whether the client waits for `100 Continue`.
  var awaitsContinue: Bool
  /// Whether the connection has stopped reading because the body is not read.
  var isPaused = false
  /// The bytes of the response that the event loop has not taken yet.
  var outgoing = ByteBuffer()
  /// The number of bytes that the event loop has taken, but not sent yet.
  var unsent = 0
  /// Whether a thread waits until bytes have been sent.
  var isWriterWaiting = false
  /// Whether the head of the response has been given.
  private(set) var hasBegun = false
  /// Whether the response is complete or aborted.
  private(set) var hasEnded = false
  /// Whether the response is aborted.
  private(set) var isAborted = false
  /// Why the exchange has failed.
  var failure: Errno?
  /// What is called when the client is gone.
  var goneActions: [@Sendable () -> Void] = []

  private var encoder: ResponseEncoder
  private let link: ConnectionLink
  private var isFlushScheduled = false

  /// Creates the state at the start of a request.
  init(_ link: ConnectionLink, encoder: ResponseEncoder, awaitsContinue: Bool) {
    self.link = link
    self.encoder = encoder
    self.awaitsContinue = awaitsContinue
  }

  /// Whether the connection is closed after the response.
  var closes: Bool { encoder.closes }

  // MARK: - Request body

  /// Returns whether bytes or the end of the body are there. If not, asks a waiting client for the body.
  ///
  /// - Throws: the failure of the exchange.
  mutating func isReadable() throws(Errno) -> Bool {
    if let failure { throw failure }
    guard body.count == 0, !body.isComplete else { return true }
    if awaitsContinue, !hasBegun {
      awaitsContinue = false
      outgoing.writeString(Self.continueHead)
      flush()
    }
    return false
  }

  /// Lets the connection read again when half of the buffer is free.
  mutating func resumeReading() {
    guard isPaused, body.count <= ServerLimits.bufferedBytes / 2 else { return }
    isPaused = false
    link.resumeReading()
  }

  // MARK: - Response

  /// Adds the head of the response.
  ///
  /// - Throws: the failure, or `Errno.invalidArgument`.
  mutating func writeHead(status: Int, fields: [ServerRequest.Field]) throws(Errno) {
    try checkOpen()
    guard !hasBegun else { throw .invalidArgument }
    // RFC 9110, section 10.1.1: the client may send the body or not, so the start of its next request is unknown.
    if awaitsContinue { encoder.close() }
    try encoder.writeHead(status: status, fields: fields, to: &outgoing)
    hasBegun = true
  }

  /// Adds bytes of the body.
  ///
  /// - Throws: the failure, or `Errno.invalidArgument`.
  mutating func writeBody(_ bytes: [UInt8]) throws(Errno) {
    try checkOpen()
    guard hasBegun else { throw .invalidArgument }
    try encoder.writeBody(bytes, to: &outgoing)
  }

  /// Completes the response, or aborts an incomplete one.
  mutating func writeEnd() {
    guard !hasEnded, failure == nil else { return }
    do throws(Errno) {
      guard hasBegun else { throw .invalidArgument }
      try encoder.writeEnd(to: &outgoing)
      hasEnded = true
      goneActions = []
    } catch {
      abort()
    }
  }

  /// Ends the response without the rest of its body.
  mutating func endEarly() {
    encoder.close()
    (hasEnded, goneActions) = (true, [])
  }

  /// Aborts the response.
  mutating func abort() {
    guard !hasEnded else { return }
    (hasEnded, isAborted) = (true, true)
    goneActions = []
  }

  /// Makes the response the last one of its connection.
  mutating func close() { encoder.close() }

  /// Lets the event loop send the bytes. Called with the lock, so that no event loop is used after a failure.
  mutating func flush() {
    guard !isFlushScheduled, failure == nil else { return }
    isFlushScheduled = true
    link.flush()
  }

  /// Takes the bytes that are to be sent.
  mutating func takeOutgoing() -> ByteBuffer {
    isFlushScheduled = false
    unsent += outgoing.readableBytes
    defer { outgoing = ByteBuffer() }
    return outgoing
  }

  private func checkOpen() throws(Errno) {
    if let failure { throw failure }
    guard !hasEnded else { throw .invalidArgument }
  }
}
