/// Why a private session could not be had.
public struct SessionError: Error, CustomStringConvertible {
  /// What happened.
  public let description: String

  /// Makes an error.
  public init(_ description: String) {
    self.description = description
  }
}
