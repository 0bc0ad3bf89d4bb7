import AuthCore
import Synchronization
import SystemPackage

/// Where the answer of a call goes: standard output, or the file of `-o`, which is made when the answer has begun.
final class CallOutput: Sendable {
  private let path: String?
  private let includesHeader: Bool
  private let standardOutput: FileDescriptor
  private let file = Mutex<FileDescriptor?>(nil)

  /// - Parameter index: the place of the request among those of the command line, from 0.
  init(index: Int, _ invocation: Invocation, _ context: Context) {
    let paths = invocation.values(CallOptions.output)
    let path = paths.indices.contains(index) ? paths[index] : nil
    self.path = path == "-" ? nil : path
    includesHeader = invocation.has(CallOptions.include) || invocation.has(CallOptions.head)
    standardOutput = context.console.output
  }

  /// Opens the output and writes the header to it where that is wanted.
  func begin(_ answer: HTTPAnswer) throws -> BodyDestination {
    let output = try opened()
    if includesHeader { _ = try output.writeAll(answer.rawHeader) }
    return .write(to: output)
  }

  /// Writes what comes after the body, and closes the file: only then it is sure that all of it was taken.
  func end(_ answer: HTTPAnswer) throws {
    guard let output = file.withLock({ $0 }) else { return }
    if includesHeader { _ = try output.writeAll(answer.rawTrailer) }
    if path != nil { try output.close() }
  }

  private func opened() throws -> FileDescriptor {
    let output = try path.map { path in
      do {
        return try FileDescriptor.open(
          FilePath(path), .writeOnly, options: [.create, .truncate, .closeOnExec],
          permissions: [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
      } catch {
        throw AuthError.failed(
          .init(
            "-o \(Printable.text(path))", why: "it can't be written: \(error)", hint: "check the folder and its mode"))
      }
    }
    file.withLock { $0 = output ?? standardOutput }
    return output ?? standardOutput
  }
}
