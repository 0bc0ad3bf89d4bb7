import AuthctlCLI
import Dispatch
import Glibc

/// Ends the program on hang-up, interrupt and termination: at once, but for a renewal that is under way.
final class Signals {
  private let sources: [any DispatchSourceSignal]

  init(context: Context, terminal: TerminalConsole) {
    sources = [SIGHUP, SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler {
        terminal.restoreEcho()
        Task {
          await context.renewals.finish()
          exit(128 + number)
        }
      }
      source.resume()
      return source
    }
  }

  /// Ends the program.
  func leave(_ status: Int32) -> Never {
    exit(status)
  }
}
