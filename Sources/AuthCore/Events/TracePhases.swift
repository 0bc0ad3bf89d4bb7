/// The phases of a transfer without the time in which it waited for its token.
///
/// The connection is opened at the same time. Its phases count as if they had immediately preceded the request, so that
/// they follow each other.
struct TracePhases: Equatable {
  /// The time that does not count; the request begins after it.
  let pause: Duration
  /// The duration of each phase.
  let timings: TraceExchange.Timings

  /// - Parameter token: the time until the token was known; negative if it was known before the transfer began.
  init?(_ report: TransferReport?, token: Duration) {
    guard let report, report.times.total > .zero else { return nil }
    let times = report.times
    let isNew = report.newConnections > 0
    let isOpen = isNew ? max(times.nameLookup, times.connect, times.handshake) : .zero
    let end = times.startTransfer > .zero ? times.startTransfer : times.total
    pause = max(.zero, min(token, end) - isOpen)
    func milliseconds(_ from: Duration, _ to: Duration) -> Double? {
      to > .zero ? max(0, (to - from).seconds * 1000) : nil
    }
    var timings = TraceExchange.Timings(total: (times.total - pause).seconds * 1000)
    if isNew {
      timings.dns = milliseconds(.zero, times.nameLookup)
      timings.connect = milliseconds(times.nameLookup, times.connect)
      timings.tls = milliseconds(times.connect, times.handshake)
    }
    if times.startTransfer > .zero {
      timings.wait = milliseconds(max(times.preTransfer, isOpen + pause), times.startTransfer)
      timings.receive = milliseconds(times.startTransfer, times.total)
    }
    self.timings = timings
  }
}
