import AuthCore
import FoundationEssentials
import SystemPackage

/// What a process that renews in the background tells the one that waits for it: a line of JSON each.
enum RenewalReport: Codable, Sendable {
  /// Something has happened.
  case event(AuthEvent)
  /// A header line was seen on the wire.
  case wire(WireLine)
  /// The new pair is in the store.
  case stored
  /// There is none.
  case failed(AuthError)
}

/// The end of the pipe into which reports go. Nobody may be there any more to read them: that changes nothing.
struct RenewalReports: Sendable {
  let pipe: FileDescriptor

  /// Sends one.
  func send(_ report: RenewalReport) {
    guard let line = try? JSONEncoder().encode(report) else { return }
    // Fails where whoever waited is gone.
    _ = try? pipe.writeAll(line + [UInt8(ascii: "\n")])
  }

  /// Reads all reports until the other process has ended, on the thread that calls.
  static func read(from pipe: FileDescriptor, _ handle: (RenewalReport) -> Void) {
    let decoder = JSONDecoder()
    var rest: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16384)
    while true {
      let count = (try? unsafe buffer.withUnsafeMutableBytes { try unsafe pipe.read(into: $0) }) ?? 0
      guard count > 0 else { return }
      rest += buffer.prefix(count)
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        if let report = try? decoder.decode(RenewalReport.self, from: Data(rest[..<end])) { handle(report) }
        rest.removeSubrange(...end)
      }
    }
  }
}
