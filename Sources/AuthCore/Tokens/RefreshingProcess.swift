import FoundationEssentials

/// The process that refreshed a token, or for which it was refreshed in the background.
public struct RefreshingProcess: Sendable, Equatable, Codable, CustomStringConvertible {
  /// The identifier of the process; it may have ended since.
  public var pid: Int32
  /// Whether the refresh ran in the background of this process, in a process that existed only for the refresh.
  public var isInBackground: Bool

  enum CodingKeys: String, CodingKey {
    case pid
    case isInBackground = "background"
  }

  /// Describes a process.
  public init(pid: Int32, isInBackground: Bool = false) {
    self.pid = pid
    self.isInBackground = isInBackground
  }

  /// The current process.
  package static var current: RefreshingProcess {
    RefreshingProcess(pid: ProcessInfo.processInfo.processIdentifier)
  }

  /// The process in words.
  public var description: String { "process \(pid)\(isInBackground ? " (background refresh)" : "")" }
}
