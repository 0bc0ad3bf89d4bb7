import NIOCore
import Synchronization
import SystemPackage

extension ServerConnection {
  private static let pieceBytes = 64 << 10

  /// Sends what the handler has written.
  func flushResponse() {
    guard let exchange, let context, !isLingering else { return }
    let (bytes, hasEnded, isAborted, hasBegun) = exchange.state.withLock { state in
      (state.takeOutgoing(), state.hasEnded, state.isAborted, state.hasBegun)
    }
    if isAborted { return cut() }
    if !hasBegun { times.bodyProgress = .now() }
    send(bytes, of: exchange, on: context)
    if hasEnded, bytes.readableBytes == 0, exchange.state.withLock({ $0.unsent == 0 }) { responseSent() }
    updateTimer()
  }

  /// Writes bytes in pieces, so that the handler can continue before the last one is sent.
  private func send(_ bytes: ByteBuffer, of exchange: ServerExchange, on context: ChannelHandlerContext) {
    guard bytes.readableBytes > 0 else { return }
    if times.sendProgress == nil { (times.sendProgress, times.unsentBytes) = (.now(), .max) }
    var rest = bytes
    while let piece = rest.readSlice(length: min(rest.readableBytes, Self.pieceBytes)), piece.readableBytes > 0 {
      let promise = context.eventLoop.makePromise(of: Void.self)
      promise.futureResult.assumeIsolated().whenSuccess { self.sent(piece.readableBytes, of: exchange) }
      context.write(wrapOutboundOut(piece), promise: promise)
    }
    context.flush()
  }

  private func sent(_ count: Int, of exchange: ServerExchange) {
    let (unsent, hasEnded) = exchange.state.withLock { state in
      state.unsent -= count
      return (state.unsent, state.hasEnded && state.outgoing.readableBytes == 0)
    }
    times.sendProgress = unsent == 0 ? nil : .now()
    exchange.wakeWriter()
    guard self.exchange === exchange, hasEnded, unsent == 0 else { return }
    // Later, not in the middle of the write that has completed.
    context?.eventLoop.assumeIsolated().execute { [self] in
      if self.exchange === exchange { responseSent() }
    }
  }

  /// Sends a response of the server itself, and closes the connection.
  func refuse(status: Int, fields: [ServerRequest.Field] = []) {
    guard let context, !isLingering else { return }
    exchange = nil
    var encoder = ResponseEncoder(method: "GET", isHTTP10: false, closes: true)
    var bytes = context.channel.allocator.buffer(capacity: 256)
    do throws(Errno) {
      try encoder.writeHead(status: status, fields: fields + [("Content-Length", "0")], to: &bytes)
    } catch {
      return close()
    }
    context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
    linger()
  }

  /// Closes the output, and discards input for a short time: if unread input is in the socket when it is closed, the
  /// kernel resets the connection, and the client may lose the response.
  func linger() {
    guard let context, !isLingering else { return }
    exchange?.fail(.connectionReset)
    exchange = nil
    isLingering = true
    times.lingerStart = .now()
    guard !isInputClosed else { return close() }
    context.close(mode: .output, promise: nil)
    context.read()
    updateTimer()
  }

  /// Closes the connection.
  func close() { context?.close(promise: nil) }

  /// Closes the connection in the middle of a response. TCP connections are reset, so that a body that ends with its
  /// connection does not look complete.
  func cut() {
    if context != nil, exchange?.hasBegun == true { accepted.resetOnClose() }
    close()
  }
}
