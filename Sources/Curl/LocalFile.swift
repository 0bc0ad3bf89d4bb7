import AuthCore
import CCurl
import SystemPackage

/// Reads and writes of local files, which may be pipes, terminals or sockets that are not ready.
enum LocalFile {
  /// Does one read or write, and again where the file was not ready.
  ///
  /// - Parameter output: the file that is written to, which is waited for; nil for a read.
  /// - Throws: ``TransportError/outputClosed``, ``TransportError/localFile(detail:)``, `CancellationError`.
  static func retrying(
    _ purpose: String, _ output: FileDescriptor?, for job: TransferTask, _ work: () throws -> Int
  ) throws -> Int {
    while true {
      do {
        return try job.localFile(work)
      } catch Errno.wouldBlock {
        // Someone has set O_NONBLOCK on a file that we share with them. It is waited for in steps short enough for a
        // cancellation; the source of a spool is not known here, so that a read is simply tried again.
        ccurl_wait_writable(output?.rawValue ?? -1, output == nil ? 5 : 100)
      } catch Errno.brokenPipe {
        throw TransportError.outputClosed
      } catch let error as Errno {
        throw TransportError.localFile(detail: "\(purpose): \(error)")
      }
    }
  }
}
