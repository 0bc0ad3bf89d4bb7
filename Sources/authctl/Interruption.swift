import AuthCore
import CProcess
import SystemPackage

/// Lets the program do something before a signal ends it.
enum Interruption {
  /// Runs a function before a signal ends the process. If that is not possible, the signal ends it at once.
  static func precede(with work: @escaping @Sendable () -> Void) {
    let pipe = FileDescriptor(rawValue: cprocess_await_end())
    guard pipe.rawValue >= 0 else { return }
    WorkerThread.start("interruption") {
      var byte: [UInt8] = [0]
      // Fails only if the pipe was closed, which nothing does.
      guard (try? unsafe byte.withUnsafeMutableBytes { try unsafe pipe.read(into: $0) }) == 1 else { return }
      work()
      cprocess_leave_section()
    }
  }

  /// Runs a function at each SIGHUP, unless the terminal was closed: then the program ends.
  static func handleHangups(with work: @escaping @Sendable () -> Void) {
    let pipe = FileDescriptor(rawValue: cprocess_await_hangup())
    guard pipe.rawValue >= 0 else { return }
    WorkerThread.start("hangup") {
      // Several at once are one.
      var bytes = [UInt8](repeating: 0, count: 4096)
      while let count = try? unsafe bytes.withUnsafeMutableBytes({ try unsafe pipe.read(into: $0) }), count > 0 {
        if !cprocess_end_with_terminal() { work() }
      }
    }
  }
}
