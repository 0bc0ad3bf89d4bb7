import Foundation
import Synchronization

@testable import AuthCore

/// The clocks of a machine that is set, suspended and restarted: at first the sample time, ten minutes after
/// the start.
final class SetClocks: Sendable {
  private let state = Mutex(ClockReading(time: .sample, boot: .sample))

  var reading: ClockReading { state.withLock { $0 } }

  /// Time goes on, also while the machine is suspended.
  func pass(_ seconds: Double) {
    state.withLock { $0 = ClockReading(time: $0.time + seconds, boot: $0.boot.map { $0.later(seconds) }) }
  }

  /// Somebody sets the local clock, or the machine was halted without knowing it.
  func set(_ seconds: Double) { state.withLock { $0.time += seconds } }

  /// The machine is restarted.
  func restart() { state.withLock { $0.boot = BootTime(id: "second", seconds: 5) } }
}

extension BootTime {
  fileprivate func later(_ seconds: Double) -> BootTime { BootTime(id: id, seconds: self.seconds + seconds) }
}
