import AuthCore
import CAuthCurl
import SystemPackage

/// Reads and writes local files, which may be pipes, terminals or sockets that are not ready.
enum LocalFile {
  /// Does one read or write, and retries it while the file is not ready.
  ///
  /// - Parameter output: the file that is written and waited for; nil for a read.
  /// - Throws: ``TransportError/outputClosed``, ``TransportError/localFile(detail:)``, `CancellationError`.
  static func retrying(
    _ purpose: String, _ output: FileDescriptor?, for job: TransferTask, _ work: () throws -> Int
  ) throws -> Int {
    while true {
      do {
        return try job.localFile(work)
      } catch Errno.wouldBlock {
        // Another process has set O_NONBLOCK on a file that it shares with this one. Each wait is short enough for a
        // cancellation; the source of a spool is not known here, so that a read is simply retried.
        ccurl_wait_writable(output?.rawValue ?? -1, output == nil ? 5 : 100)
      } catch Errno.brokenPipe {
        throw TransportError.outputClosed
      } catch let error as Errno {
        throw TransportError.localFile(detail: "\(purpose): \(error)")
      }
    }
  }
}
