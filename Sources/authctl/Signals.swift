import AuthctlCLI
import Dispatch
import Glibc
import Synchronization

/// Ends the program on hang-up, interrupt and termination: at once, but for a renewal that is under way.
final class Signals {
  private let sources: [any DispatchSourceSignal]
  private let arrival = Arrival()

  init(context: Context, terminal: TerminalConsole) {
    let arrival = arrival
    sources = [SIGHUP, SIGINT, SIGTERM].map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      // Its registration installs the handler that the source needs: ignoring the signal as well would put that out of
      // force. Until then a signal ends the process, as it should.
      source.setEventHandler {
        arrival.number.withLock { $0 = $0 ?? number }
        terminal.restoreEcho()
        Task {
          await context.renewals.finish()
          exit(128 + number)
        }
      }
      source.activate()
      return source
    }
  }

  /// Ends the program; what is done until here is done with the sources alive.
  func leave(_ status: Int32) -> Never {
    // The command may be at its end before the signal's own task has its turn; the signal counts all the same.
    exit(arrival.number.withLock { $0 }.map { 128 + $0 } ?? status)
  }
}

/// The first signal that has arrived.
private final class Arrival: Sendable {
  let number = Mutex<Int32?>(nil)
}
