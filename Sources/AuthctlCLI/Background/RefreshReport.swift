import AuthCore
import FoundationEssentials
import SystemPackage

/// A report from a background refresh process to the process that waits for it, as one line of JSON.
enum RefreshReport: Codable, Sendable {
  /// Something has happened.
  case event(AuthEvent)
  /// A header line was seen on the wire.
  case wire(WireLine)
  /// The new pair is in the store.
  case stored
  /// There is none.
  case failed(AuthError)
}

/// The writing end of the pipe for reports. A reader that has already exited is not an error.
struct RefreshReports: Sendable {
  let pipe: FileDescriptor

  /// Sends one.
  func send(_ report: RefreshReport) {
    guard let line = try? JSONEncoder().encode(report) else { return }
    // Fails if the waiting process has exited.
    _ = try? pipe.writeAll(line + [UInt8(ascii: "\n")])
  }

  /// Reads all reports until the other process has ended, on the thread that calls.
  static func read(from pipe: FileDescriptor, _ handle: (RefreshReport) -> Void) {
    let decoder = JSONDecoder()
    var rest: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16384)
    while true {
      let count = (try? unsafe buffer.withUnsafeMutableBytes { try unsafe pipe.read(into: $0) }) ?? 0
      guard count > 0 else { return }
      rest += buffer.prefix(count)
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        if let report = try? decoder.decode(RefreshReport.self, from: Data(rest[..<end])) { handle(report) }
        rest.removeSubrange(...end)
      }
    }
  }
}
