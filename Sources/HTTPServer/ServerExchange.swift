import Dispatch
import NIOCore
import Synchronization
package import SystemPackage

/// A request and its response. One thread or task at a time reads the body, and one writes the response; none of them
/// is a thread of the server. The functions that block end with an error after the time limits of the server.
///
/// An exchange ends with its handler: a response that has not been completed by then is aborted.
package final class ServerExchange: Sendable {
  /// The request.
  package let request: ServerRequest
  /// The state, which the connection shares.
  let state: Mutex<ExchangeState>
  private let departure = DispatchSemaphore(value: 0)

  /// Creates the exchange for a request.
  init(_ request: ServerRequest, _ state: sending ExchangeState) {
    self.request = request
    self.state = Mutex(state)
  }

  /// Whether the head of the response has been given.
  package var hasBegun: Bool { state.withLock { $0.hasBegun } }

  // MARK: - Request body

  /// Copies bytes of the body that have arrived. Asks a client that waits for `100 Continue` to send the body.
  ///
  /// - Parameter buffer: the memory for the bytes, which must not be empty.
  /// - Returns: the number of bytes; 0 at the end of the body, nil if none has arrived.
  /// - Throws: `Errno.connectionReset` if the client is gone, `Errno.timedOut` if it is too slow, `Errno.badMessage` if
  ///   the body is malformed.
  package func readNow(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int? {
    try state.withLock { (state) throws(Errno) in
      guard try state.isReadable() else { return nil }
      let count = unsafe state.body.read(into: buffer)
      state.resumeReading()
      return count
    }
  }

  /// Calls a function once when bytes of the body, its end, or the end of the client is there; immediately if it is.
  /// Only one reader can wait at a time.
  package func whenReadable(_ action: @escaping @Sendable () -> Void) {
    let isThere = state.withLock { state in
      guard state.failure == nil, state.body.count == 0, !state.body.isComplete else { return true }
      state.waiter = action
      return false
    }
    if isThere { action() }
  }

  /// Reads the body until it ends, or is longer than `limit` bytes. The bytes after these can be read afterwards.
  ///
  /// - Returns: the bytes, and whether they are the whole body.
  /// - Throws: the same as ``readNow(into:)``.
  package func readBody(upTo limit: Int) async throws(Errno) -> (bytes: [UInt8], isWhole: Bool) {
    var bytes: [UInt8] = []
    while true {
      let room = limit - bytes.count
      let (piece, isComplete, isLonger) = try state.withLock { (state) throws(Errno) in
        guard try state.isReadable() else { return ([UInt8](), false, false) }
        let piece = state.body.read(upTo: room)
        state.resumeReading()
        return (piece, state.body.isComplete && state.body.count == 0, state.body.count > 0)
      }
      bytes += piece
      if isComplete || isLonger { return (bytes, isComplete) }
      await withCheckedContinuation { continuation in whenReadable { continuation.resume() } }
    }
  }

  // MARK: - Response

  /// Sends the head of the response. A response without `Content-Length` is sent in chunks, or to an HTTP/1.0 client
  /// until the connection closes. `Connection: close` closes the connection after it; other fields for the connection
  /// and `Transfer-Encoding` are omitted.
  ///
  /// - Throws: `Errno.invalidArgument` for a second head, a status below 200, a malformed field, or a
  ///   `Content-Length` that is invalid or not allowed; otherwise, the same as ``write(_:)``.
  package func begin(status: Int, fields: [(name: String, value: String)]) throws(Errno) {
    try state.withLock { (state) throws(Errno) in
      try state.writeHead(status: status, fields: fields)
      state.flush()
    }
  }

  /// Sends bytes of the body. Blocks the calling thread while more than 256 KiB wait to be sent. The body of a response
  /// that has none (HEAD, 204, 304) is discarded.
  ///
  /// - Throws: `Errno.connectionReset` if the client is gone, `Errno.timedOut` if it does not take bytes,
  ///   `Errno.invalidArgument` without a head, after the end, or for more bytes than `Content-Length`.
  package func write(_ bytes: [UInt8]) throws(Errno) {
    try state.withLock { (state) throws(Errno) in
      try state.writeBody(bytes)
      state.flush()
    }
    while try isFull() { departure.wait() }
  }

  private func isFull() throws(Errno) -> Bool {
    try state.withLock { (state) throws(Errno) in
      if let failure = state.failure { throw failure }
      state.isWriterWaiting = state.unsent + state.outgoing.readableBytes > ServerLimits.bufferedBytes
      return state.isWriterWaiting
    }
  }

  /// Completes the response. A response with fewer bytes than its `Content-Length`, or without a head, is aborted.
  package func end() {
    state.withLock { state in
      state.writeEnd()
      state.flush()
    }
  }

  /// Ends the response before the end of its body: after what has been written, the connection is closed normally. For
  /// servers that fail on purpose.
  package func endEarly() {
    state.withLock { state in
      state.endEarly()
      state.flush()
    }
  }

  /// Closes the connection without completing the response.
  package func abort() {
    state.withLock { state in
      state.abort()
      state.flush()
    }
  }

  /// Sends a complete response with its `Content-Length`. Nothing is sent if the client is gone, or a response has
  /// begun; a malformed field aborts the response.
  package func respond(status: Int, fields: [(name: String, value: String)], body: [UInt8]) {
    state.withLock { state in
      guard !state.hasBegun, !state.hasEnded else { return }
      do throws(Errno) {
        // RFC 9110, section 8.6: a 204 response has no Content-Length.
        let length = status == 204 ? [] : [(name: "Content-Length", value: "\(body.count)")]
        try state.writeHead(status: status, fields: fields + length)
        try state.writeBody(body)
        state.writeEnd()
      } catch {
        state.abort()
      }
      state.flush()
    }
  }

  // MARK: - End of the client

  /// Calls a function once when the client is gone, or immediately if it is gone already. The function must not block.
  /// It is not called after the end of the response.
  package func whenGone(_ action: @escaping @Sendable () -> Void) {
    let isGone = state.withLock { state in
      if state.failure == nil, !state.hasEnded { state.goneActions.append(action) }
      return state.failure != nil
    }
    if isGone { action() }
  }

  // MARK: - For the connection

  /// Ends all waits with an error, and calls the functions of ``whenGone(_:)``.
  ///
  /// - Returns: whether a response has begun.
  @discardableResult
  func fail(_ failure: Errno) -> Bool {
    let (actions, hasBegun) = state.withLock { state in
      if state.failure == nil { state.failure = failure }
      defer { state.goneActions = [] }
      return (state.goneActions, state.hasBegun)
    }
    wakeReader()
    wakeWriter()
    for action in actions { action() }
    return hasBegun
  }

  /// Wakes the thread or task that waits for the body.
  func wakeReader() {
    let waiter = state.withLock { state in
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?()
  }

  /// Wakes the thread that waits until bytes have been sent.
  func wakeWriter() {
    let isWaiting = state.withLock { state in
      defer { state.isWriterWaiting = false }
      return state.isWriterWaiting
    }
    if isWaiting { departure.signal() }
  }

  /// Ends the exchange after its handler: sends 500, or aborts the response if it has begun.
  func handlerEnded() {
    guard !state.withLock({ $0.hasEnded }) else { return }
    if hasBegun { abort() } else { respond(status: 500, fields: [], body: []) }
  }
}
