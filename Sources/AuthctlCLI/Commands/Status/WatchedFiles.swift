import AuthCore
import Dispatch
import Glibc
import SystemPackage

/// Waits on a thread of its own for failures in the folder of the locks, and for the end of the reader of the output.
///
/// It waits in poll(2): a pipe whose reader is gone is reported without a write, and nothing is asked at intervals.
struct WatchedFiles {
  /// What has happened.
  enum Change: Sendable {
    /// Files with these names in the folder have changed; nil for any of them.
    case files(Set<String>?)
    /// The reader of the output is gone.
    case readerGone
  }

  private let stopping: FileDescriptor

  /// Starts to wait.
  ///
  /// - Parameter report: receives every change, on the thread.
  /// - Throws: ``AuthError/failed(_:)`` if the folder can't be watched.
  init(
    in folder: FilePath, readerOf output: FileDescriptor, _ report: @escaping @Sendable (Change) -> Void
  ) throws(AuthError) {
    let watch: FolderWatch
    let ends: [Int32]
    do throws(Errno) {
      watch = try FolderWatch(folder)
      ends = try WatchedFiles.connectedPair()
    } catch {
      throw .failed(
        .init(
          "watching \(folder)", why: "\(error)",
          hint: "if too many files are watched, end other watchers or raise fs.inotify.max_user_instances (inotify(7))")
      )
    }
    stopping = FileDescriptor(rawValue: ends[0])
    DispatchQueue(label: "watched files").async {
      WatchedFiles.wait(for: watch, output, stop: ends[1], report)
      // Nothing is lost: both are only read.
      try? watch.descriptor.close()
      try? FileDescriptor(rawValue: ends[1]).close()
    }
  }

  /// Stops waiting.
  func stop() {
    // The thread sees that this end is closed.
    try? stopping.close()
  }

  private static func connectedPair() throws(Errno) -> [Int32] {
    var ends: [Int32] = [0, 0]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw Errno(rawValue: errno) }
    return ends
  }

  private static func wait(
    for watch: FolderWatch, _ output: FileDescriptor, stop: Int32, _ report: (Change) -> Void
  ) {
    var polled = [
      pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
      // Without events, only errors and the end of the other side are reported.
      pollfd(fd: output.rawValue, events: 0, revents: 0),
      pollfd(fd: watch.descriptor.rawValue, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      guard unsafe poll(&polled, nfds_t(polled.count), -1) >= 0 else {
        if errno == EINTR { continue }
        return
      }
      if polled[0].revents != 0 { return }
      if polled[1].revents != 0 { return report(.readerGone) }
      guard polled[2].revents != 0 else { continue }
      do throws(Errno) {
        report(.files(try watch.changedNames()))
      } catch {
        // It can't fail while it is open; if it does, the rest goes on without it.
        polled[2].fd = -1
      }
    }
  }
}
