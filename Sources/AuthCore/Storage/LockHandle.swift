import FoundationEssentials
import Glibc
import Synchronization
public import SystemPackage

/// A held lock. Every process that has its file open holds it.
public final class LockHandle: Sendable {
  private let state: Mutex<FileDescriptor?>

  /// Creates a handle for a lock that is held, by an open file or in memory.
  public init(file: FileDescriptor? = nil) {
    state = Mutex(file)
  }

  /// The locked file, for passing the lock to another process; nil if the lock is not in the file system.
  public var file: FileDescriptor? { state.withLock { $0 } }

  /// Releases the lock in this process. A process that received the file then holds it alone; otherwise a stopped
  /// process that can't release the lock would block all others.
  public func release() {
    let file = state.withLock { file in
      defer { file = nil }
      return file
    }
    // The file is closed even if the system reports an error.
    try? file?.close()
  }

  /// The note that the last holder left for the next ones, after the line of the ``Generation``; nil if there is none,
  /// or if it can't be read.
  var note: Data? {
    guard let file else { return nil }
    var bytes = [UInt8](repeating: 0, count: LockHandle.largestNote + Generation.lineLength)
    let count = try? unsafe bytes.withUnsafeMutableBytes { try unsafe file.read(fromAbsoluteOffset: 0, into: $0) }
    return count.map { Generation.rest(of: bytes.prefix($0)) }
  }

  /// Leaves a note, or removes it if `note` is nil.
  ///
  /// - Throws: the file system's error. The note is optional: it only saves other processes a request.
  func leave(_ note: Data?) throws(Errno) {
    guard let file else { return }
    let start = Generation.line(of: file) == nil ? 0 : Int64(Generation.lineLength)
    guard ftruncate(file.rawValue, Int(start)) == 0 else { throw Errno(rawValue: errno) }
    guard let note else { return }
    do {
      _ = try file.writeAll(toAbsoluteOffset: start, note.prefix(LockHandle.largestNote))
    } catch let error as Errno {
      throw error
    } catch {
      throw .ioError
    }
  }

  private static let largestNote = 8192 - Generation.lineLength
}
