import Foundation

/// A library for `LD_PRELOAD` that lets a call for a session file fail, or kills the process at it.
public struct FileFaults: Sendable {
  /// The calls, in the order in which a refresh makes them.
  public enum Call: String, Sendable, CaseIterable {
    case fallocate, pwrite, ftruncate, fsync, rename
    /// The renaming of the file in which room was reserved.
    case complete
  }

  private let library: CProgram

  /// Compiles it.
  /// - Throws: `SessionError`.
  public init() throws {
    library = try CProgram(tortureSource: "filefaults", as: .library)
  }

  /// The environment in which the calls from one number on, counted in each process from 1, fail or kill.
  ///
  /// - Parameters:
  ///   - count: how many of them; the next ones succeed.
  ///   - error: the number of the error; 0 kills the process before the call.
  public func environment(_ call: Call, from number: Int, count: Int = 1, error: Int32) -> [String: String] {
    ["LD_PRELOAD": library.path, "TEST_FILE_FAULT": "\(call.rawValue) \(number) \(count) \(error)"]
  }
}
