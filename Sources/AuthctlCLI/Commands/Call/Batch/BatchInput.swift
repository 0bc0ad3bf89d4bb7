import AuthCore
import Dispatch
import SystemPackage

/// The lines of a file or a pipe, read on demand.
struct BatchInput {
  private let file: FileDescriptor
  private let name: String
  private var lines = BatchLines()

  /// Opens the input.
  ///
  /// - Parameter path: `-` for standard input.
  /// - Throws: ``AuthError/usage(_:)`` if it can't be read.
  init(_ path: String, _ context: Context) throws(AuthError) {
    name = "--batch \(Escaped.text(path))"
    do {
      file = try path == "-" ? context.console.input : .open(FilePath(path), .readOnly, options: [.closeOnExec])
    } catch {
      throw BatchInput.unreadable(name, error)
    }
  }

  /// Returns the next line; nil at the end.
  ///
  /// - Throws: ``AuthError/usage(_:)`` if the input can't be read; `CancellationError`, also while it waits.
  nonisolated(nonsending) mutating func next() async throws -> BatchLines.Line? {
    while true {
      if let line = lines.next() { return line }
      let part: [UInt8]
      do {
        part = try await read()
      } catch Errno.wouldBlock {
        // Another process has set O_NONBLOCK on the open file that it shares with this one.
        try await ContinuousClock().sleep(for: .milliseconds(10))
        continue
      } catch let error as Errno {
        throw BatchInput.unreadable(name, error)
      }
      guard !part.isEmpty else { return lines.rest() }
      lines.append(part)
    }
  }

  /// Reads the bytes that are available; empty at the end.
  private func read() async throws -> [UInt8] {
    let arrival = OneShot<[UInt8]>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        arrival.begin(continuation)
        // A separate thread: a read from a pipe may block forever, which Swift's task threads must not.
        DispatchQueue(label: "batch input").async { [file] in arrival.settle(Result { try file.readPart() }) }
      }
    } onCancel: {
      arrival.settle(.failure(CancellationError()))
    }
  }

  private static func unreadable(_ name: String, _ error: any Error) -> AuthError {
    .usage(name, why: "can't be read: \(error)", hint: "check the path and its mode")
  }
}

extension FileDescriptor {
  fileprivate func readPart() throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = try unsafe buffer.withUnsafeMutableBytes { try unsafe read(into: $0) }
    buffer.removeLast(buffer.count - count)
    return buffer
  }
}
