/// What can go wrong between a test and authlab.
public enum AuthlabError: Error, Equatable {
  /// The program did not say that it listens; this is what it said.
  case notStarted(String)
  /// An order was not understood; this is the response.
  case refused(String)
  /// The connection ended before the response was whole; so many bytes had come.
  case cutOff(bytes: Int)
  /// No byte came within the time-out.
  case silent
}
