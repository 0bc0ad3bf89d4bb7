import AuthctlCLI
import Dispatch
import Glibc

/// Ends the program on hang-up, interrupt and termination: at once, but for a renewal that is under way.
final class Signals {
  private let sources: [any DispatchSourceSignal]

  init(context: Context, terminal: TerminalConsole) {
    sources = [SIGHUP, SIGINT, SIGTERM].map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      // Its registration installs the handler that the source needs: ignoring the signal as well would put that out of
      // force. Until then a signal ends the process, as it should.
      source.setEventHandler {
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
    exit(status)
  }
}
