import NIOCore
import Synchronization
import SystemPackage

/// A connection: reads its requests one after the other, and gives each to the handler. All members are used on the
/// event loop of the connection only.
final class ServerConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// The limits of the server.
  let limits: ServerLimits
  /// The connection in NIO; nil after its end.
  private(set) var context: ChannelHandlerContext?
  /// The request that is being read or answered.
  var exchange: ServerExchange?
  /// Whether the request of the exchange has arrived completely.
  private(set) var isRequestComplete = false
  /// The times from which the limits count.
  var times = ConnectionTimes()
  /// Whether the connection is closed after the current response.
  var isLast = false
  /// Whether the client sends nothing more.
  private(set) var isInputClosed = false
  /// Whether input is discarded until the client closes the connection.
  var isLingering = false

  /// The socket of the connection.
  let accepted: AcceptedSocket

  private let handler: @Sendable (ServerExchange) async -> Void
  private let peer: ServerPeer?
  private var reader: RequestReader
  private var received = ByteBuffer()
  private var drained: Int?
  private var link: ConnectionLink?

  /// Creates a connection.
  ///
  /// - Parameter peer: the other end; nil if the connection only gets 503, because there are too many.
  init(
    _ accepted: AcceptedSocket, peer: ServerPeer?, _ limits: ServerLimits,
    handler: @escaping @Sendable (ServerExchange) async -> Void
  ) {
    (self.accepted, self.peer, self.limits, self.handler) = (accepted, peer, limits, handler)
    reader = RequestReader(limits)
  }

  // MARK: - Events of the channel

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func channelActive(context: ChannelHandlerContext) {
    link = ConnectionLink(self, on: context.eventLoop)
    if peer == nil { refuse(status: 503, fields: [("Retry-After", "1")]) }
    readMore()
    updateTimer()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isLingering else { return }
    var bytes = unwrapInboundIn(data)
    if received.readableBytes == 0 {
      received = bytes
    } else {
      received.discardReadBytes()
      received.writeBuffer(&bytes)
    }
    times.bodyProgress = .now()
    process()
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    readMore()
    updateTimer()
  }

  func channelInactive(context: ChannelHandlerContext) {
    times.cancel()
    self.context = nil
    link = nil
    exchange?.fail(.connectionReset)
    exchange = nil
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { close() }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case ChannelEvent.inputClosed:
      isInputClosed = true
      inputClosed()
    case ServerStop.afterResponse:
      isLast = true
      exchange?.state.withLock { $0.close() }
      if exchange == nil, !isLingering { close() }
    case ServerStop.immediately: cut()
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  // MARK: - Requests

  /// Reads from the socket again after the handler has taken a part of the body.
  func resumeReading() {
    times.bodyProgress = .now()
    readMore()
    updateTimer()
  }

  /// Whether the connection waits for the client to send a part of the request body.
  var awaitsBody: Bool {
    guard let exchange, !isRequestComplete else { return false }
    return exchange.state.withLock { !$0.isPaused && !$0.awaitsContinue }
  }

  private func readMore() {
    guard let context, !isInputClosed else { return }
    let isPaused = exchange?.state.withLock { $0.isPaused } ?? false
    guard !isPaused, received.readableBytes < ServerLimits.pipelinedBytes || exchange == nil else { return }
    context.read()
  }

  /// Interprets the bytes that have arrived, up to the end of the current request.
  func process() {
    do throws(RequestFault) {
      while !isLingering, context != nil, exchange == nil || !isRequestComplete,
        let part = try reader.next(from: &received)
      {
        switch part {
        case .head(let head): begin(head)
        case .body(let bytes): receive(bytes)
        case .end: endRequest()
        }
      }
    } catch {
      refuse(error)
    }
    if exchange == nil, received.readableBytes > 0 { times.headStart = times.headStart ?? .now() }
  }

  private func begin(_ head: RequestHead) {
    guard let link, let peer else { return }
    isLast = isLast || !head.isKeepAlive
    isRequestComplete = false
    times.headStart = nil
    times.bodyProgress = .now()
    let request = ServerRequest(
      method: head.method, target: head.target, isHTTP10: head.isHTTP10, fields: head.fields,
      contentLength: head.contentLength, isChunked: head.framing == .chunked, peer: peer,
      listener: accepted.listener)
    let encoder = ResponseEncoder(method: head.method, isHTTP10: head.isHTTP10, closes: isLast)
    let exchange = ServerExchange(
      request, ExchangeState(link, encoder: encoder, awaitsContinue: head.expectsContinue))
    self.exchange = exchange
    Task { [handler] in
      await handler(exchange)
      exchange.handlerEnded()
    }
  }

  private func receive(_ bytes: ByteBuffer) {
    if let count = drained {
      drained = count + bytes.readableBytes
      if count + bytes.readableBytes > ServerLimits.drainedBytes { linger() }
      return
    }
    exchange?.state.withLock { state in
      state.awaitsContinue = false
      state.body.append(bytes)
      state.isPaused = state.body.count >= ServerLimits.bufferedBytes
    }
    exchange?.wakeReader()
  }

  private func endRequest() {
    isRequestComplete = true
    exchange?.state.withLock { $0.body.isComplete = true }
    exchange?.wakeReader()
    if drained != nil { nextRequest() }
  }

  // MARK: - End of an exchange

  /// Continues after the response has been sent: with the next request, or with the unread rest of this one.
  func responseSent() {
    guard let exchange, context != nil, drained == nil else { return }
    let (closes, awaitsContinue) = exchange.state.withLock { state in
      state.isPaused = false
      return (state.closes, state.awaitsContinue)
    }
    isLast = isLast || closes
    guard !isRequestComplete else { return nextRequest() }
    let isTooLong = reader.remainingLength.map { $0 > ServerLimits.drainedBytes } ?? false
    guard !isLast, !isTooLong, !awaitsContinue, !isInputClosed else { return linger() }
    drained = 0
    times.drainStart = .now()
    process()
    readMore()
    updateTimer()
  }

  private func nextRequest() {
    exchange = nil
    drained = nil
    times.drainStart = nil
    times.idleStart = .now()
    guard !isLast else { return received.readableBytes > 0 ? linger() : close() }
    process()
    if exchange == nil, isInputClosed, !isLingering { return close() }
    readMore()
    updateTimer()
  }

  private func refuse(_ fault: RequestFault) {
    guard let exchange, !isRequestComplete else { return refuse(status: fault.rawValue) }
    if exchange.fail(.badMessage) || drained != nil { cut() } else { refuse(status: fault.rawValue) }
  }

  private func inputClosed() {
    if isLingering { return close() }
    guard exchange != nil, isRequestComplete else { return close() }
    watchPeer(after: .milliseconds(10))
  }

  /// Looks up whether the client has closed its socket completely, which looks like half of it at this end.
  private func watchPeer(after delay: TimeAmount) {
    times.watch = context?.eventLoop.assumeIsolated().scheduleTask(in: delay) { [self] in
      guard context != nil, exchange != nil else { return }
      guard !accepted.isPeerGone() else { return close() }
      watchPeer(after: min(.nanoseconds(delay.nanoseconds * 10), .seconds(10)))
    }
  }
}
