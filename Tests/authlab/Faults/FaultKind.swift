/// The ways to fail.
enum FaultKind: String, Codable, Sendable, CaseIterable {
  /// The answer comes late: after `milliseconds`, or as soon as the faults are cleared.
  case delay
  /// The answer is `status` with `body`.
  case status
  /// No answer comes, and the connection stays open.
  case hang
  /// The connection is closed without an answer.
  case drop
  /// The answer is a piece of JSON.
  case malformed
  /// The answer is a page of HTML.
  case html
  /// The answer has no body and no content type.
  case empty
  /// The answer is 401 in the form of the endpoint.
  case always401
  /// The answer is a redirect to `location`.
  case redirect
  /// The answer is 429 (or `status`) with `Retry-After`, `milliseconds` rounded up to seconds.
  case retryAfter = "retry_after"
  /// The answer is 10 MiB.
  case flood
  /// The answer is an object with one more member of `bytes`, 2 MB unless given, before its others.
  case pad
  /// The answer breaks off half way.
  case truncate
}
