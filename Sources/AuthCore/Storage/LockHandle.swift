import FoundationEssentials
import Glibc
import Synchronization
public import SystemPackage

/// A lock while it is held: who holds its file open holds it, also in another process.
public final class LockHandle: Sendable {
  private let state: Mutex<FileDescriptor?>

  /// Describes a lock that is held, by an open file or in memory.
  public init(file: FileDescriptor? = nil) {
    state = Mutex(file)
  }

  /// The locked file, for a process that is to go on holding it; nil where the lock is none of the file system's.
  public var file: FileDescriptor? { state.withLock { $0 } }

  /// Lets go of it: a process that was given the file holds the lock from now on, and alone. One that is stopped, and
  /// can't let go, would otherwise hold up everybody.
  public func release() {
    let file = state.withLock { file in
      defer { file = nil }
      return file
    }
    // It is closed also where the system reports an error.
    try? file?.close()
  }

  /// What the last holder has left for the next ones; nil where that is nothing, or can't be read.
  var note: Data? {
    guard let file else { return nil }
    var bytes = [UInt8](repeating: 0, count: LockHandle.largestNote)
    let count = try? unsafe bytes.withUnsafeMutableBytes { try unsafe file.read(fromAbsoluteOffset: 0, into: $0) }
    return count.map { Data(bytes.prefix($0)) }
  }

  /// Leaves a note, or takes it away.
  ///
  /// - Throws: the file system's error; nothing rests on the note, which only spares others a question.
  func leave(_ note: Data?) throws(Errno) {
    guard let file else { return }
    guard ftruncate(file.rawValue, 0) == 0 else { throw Errno(rawValue: errno) }
    guard let note else { return }
    do {
      _ = try file.writeAll(toAbsoluteOffset: 0, note.prefix(LockHandle.largestNote))
    } catch let error as Errno {
      throw error
    } catch {
      throw .ioError
    }
  }

  private static let largestNote = 8192
}
