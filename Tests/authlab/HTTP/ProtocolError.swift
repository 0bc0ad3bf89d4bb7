/// A request that breaks HTTP itself: it is answered with `status`, then the connection is closed.
struct ProtocolError: Error {
  /// The status code to answer with.
  let status: Int
  /// What is wrong, for the client's eyes.
  let reason: String
}
