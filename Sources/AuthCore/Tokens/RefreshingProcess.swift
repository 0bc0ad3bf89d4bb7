/// The process that refreshed a token.
public struct RefreshingProcess: Sendable, Equatable, Codable, CustomStringConvertible {
  /// The identifier of the process; it may have ended since.
  public var pid: Int32
  /// Whether the process existed only for the refresh, in the background of the command that requested it.
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

  /// The process in words.
  public var description: String { "process \(pid)\(isInBackground ? " (background refresh)" : "")" }
}
