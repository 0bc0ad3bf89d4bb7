/// What becomes of pushed authorization requests (RFC 9126).
enum PushedRequests: String, Codable, Sendable {
  /// There are none, and nothing is said of them.
  case off
  /// They are offered beside the usual ones.
  case offered
  /// Authorization requests must be pushed.
  case required
  /// They are offered, but nothing is at the address.
  case missing
}
