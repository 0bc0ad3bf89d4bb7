import Dispatch
import Foundation

/// Ends the process when it is asked to.
final class ProcessEndings {
  private let sources: [any DispatchSourceSignal]

  /// Ends with status 0 on SIGTERM and SIGINT, from the moment this returns.
  init() {
    let isRegistered = DispatchSemaphore(value: 0)
    sources = [SIGTERM, SIGINT].map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      // Nothing is left to flush, and other threads still run.
      source.setEventHandler { _exit(0) }
      source.setRegistrationHandler { isRegistered.signal() }
      source.activate()
      return source
    }
    // Registration takes its time; who is told that the server listens may send a signal at once.
    for _ in sources { isRegistered.wait() }
  }

  /// Ends with status 0 when standard input ends.
  func exitWithStdin() {
    Thread.detachNewThread {
      while !FileHandle.standardInput.availableData.isEmpty {}
      _exit(0)
    }
  }
}
