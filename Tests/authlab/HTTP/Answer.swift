/// What becomes of a request: an answer, or one of the ways in which a server fails to give one.
enum Answer: Sendable {
  /// The whole answer.
  case response(Response)
  /// An answer that promises more bytes than come, then the end of the connection.
  case truncated(Response)
  /// The end of the connection without a byte.
  case drop
  /// Nothing, until the client gives up.
  case hang
}
