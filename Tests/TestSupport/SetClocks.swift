package import AuthCore
import Foundation
import Synchronization

/// The clocks of a machine that is set, suspended and restarted: at first the sample time, ten minutes after
/// the start.
package final class SetClocks: Sendable {
  private let state = Mutex(ClockReading(time: .sample, boot: .sample))

  /// Shows the sample time.
  package init() {}

  /// What the clocks show.
  package var reading: ClockReading { state.withLock { $0 } }

  /// Time advances, also while the machine is suspended.
  package func pass(_ seconds: Double) {
    state.withLock { $0 = ClockReading(time: $0.time + seconds, boot: $0.boot.map { $0.later(seconds) }) }
  }

  /// The local clock is set, or the machine was halted without noticing it.
  package func set(_ seconds: Double) { state.withLock { $0.time += seconds } }

  /// The machine is restarted.
  package func restart() { state.withLock { $0.boot = BootTime(id: "second", seconds: 5) } }
}

extension BootTime {
  /// Ten minutes after the start of some machine.
  package static let sample = BootTime(id: "first", seconds: 600)

  fileprivate func later(_ seconds: Double) -> BootTime { BootTime(id: id, seconds: self.seconds + seconds) }
}
