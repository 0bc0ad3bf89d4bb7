import NIOCore
import SystemPackage

/// The times from which the limits of a connection count, and its timer.
struct ConnectionTimes {
  /// The end of the last response, or the start of the connection.
  var idleStart = NIODeadline.now()
  /// The arrival of the first byte of a head that is incomplete.
  var headStart: NIODeadline?
  /// The last arrival of a part of the body, or the time from which it is awaited.
  var bodyProgress = NIODeadline.now()
  /// The last time that the client took a part of the response; nil if none waits.
  var sendProgress: NIODeadline?
  /// The number of bytes that waited for the client when they were last counted.
  var unsentBytes = Int.max
  /// The start of reading a body that is not needed.
  var drainStart: NIODeadline?
  /// The start of the end of the connection.
  var lingerStart: NIODeadline?
  /// The task that looks for the end of a client that has closed its output.
  var watch: Scheduled<Void>?
  /// The task that runs at a deadline, and its time.
  var timer: (task: Scheduled<Void>, time: NIODeadline)?

  /// Cancels the tasks.
  mutating func cancel() {
    watch?.cancel()
    timer?.task.cancel()
    (watch, timer) = (nil, nil)
  }
}

/// The limits that end a connection or an exchange.
private enum Timeout {
  case idle
  case head
  case body
  case send
  case drain
  case linger
}

extension ServerConnection {
  /// Schedules the timer for the next deadline. A timer that is early enough stays, so that most requests need none.
  func updateTimer() {
    guard let context, let (_, deadline) = nextTimeout else { return }
    if let timer = times.timer {
      guard timer.time > deadline else { return }
      timer.task.cancel()
    }
    let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [self] in
      times.timer = nil
      timerFired()
    }
    times.timer = (task, deadline)
  }

  private func timerFired() {
    if let (timeout, deadline) = nextTimeout, deadline <= .now() { end(timeout) }
    updateTimer()
  }

  private var nextTimeout: (Timeout, NIODeadline)? {
    if let start = times.lingerStart { return (.linger, start + ServerLimits.lingerTime.amount) }
    guard exchange != nil else {
      if let start = times.headStart { return (.head, start + limits.headTime.amount) }
      return (.idle, times.idleStart + limits.idleTime.amount)
    }
    let piece = limits.pieceTime.amount
    if let start = times.drainStart { return (.drain, start + piece) }
    let body = awaitsBody ? times.bodyProgress + piece : nil
    let send = times.sendProgress.map { $0 + piece }
    if let send, send <= body ?? send { return (.send, send) }
    return body.map { (.body, $0) }
  }

  private func end(_ timeout: Timeout) {
    switch timeout {
    case .idle, .linger: close()
    case .drain: linger()
    case .head: refuse(status: RequestFault.timeout.rawValue)
    case .body: fail()
    case .send: if !hasSentBytes { fail() }
    }
  }

  private func fail() {
    exchange?.fail(.timedOut)
    cut()
  }

  /// Whether a part of a piece has been sent since the last count.
  private var hasSentBytes: Bool {
    let unsent = (try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    defer { times.unsentBytes = unsent }
    guard unsent < times.unsentBytes else { return false }
    times.sendProgress = .now()
    return true
  }
}

extension Duration {
  /// The duration for NIO.
  var amount: TimeAmount {
    .nanoseconds(components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000)
  }
}
