import Dispatch
import Foundation

/// Ends the process when it is asked to.
final class ProcessEndings {
  private let sources: [any DispatchSourceSignal]

  /// Ends with status 0 on SIGTERM and SIGINT.
  init() {
    sources = [SIGTERM, SIGINT].map { number in
      // The source sees a signal only where it does not end the process by itself.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { exit(0) }
      source.activate()
      return source
    }
  }

  /// Ends with status 0 when standard input ends.
  func exitWithStdin() {
    Thread.detachNewThread {
      while !FileHandle.standardInput.availableData.isEmpty {}
      exit(0)
    }
  }
}
