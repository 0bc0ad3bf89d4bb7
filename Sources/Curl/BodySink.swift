import AuthCore

/// Takes the body of an answer to where it belongs.
struct BodySink {
  /// How much of a body that nobody wants is read before the connection is given up; in bytes.
  static let discardLimit: Int64 = 64 << 10

  /// Where the body goes.
  var destination = BodyDestination.discard
  /// The body, where it is collected.
  private(set) var collected: [UInt8] = []
  /// How many bytes have come.
  private(set) var count: Int64 = 0

  /// Takes a part of the body.
  ///
  /// - Returns: false when enough has come and the rest is not wanted.
  /// - Throws: ``TransportError`` or `CancellationError`.
  mutating func take(_ part: RawSpan, for job: Job) throws -> Bool {
    count += Int64(part.byteCount)
    switch destination {
    case .collect(let limit):
      guard part.byteCount <= limit - collected.count else { throw TransportError.answerTooLarge(limit: limit) }
      part.append(to: &collected)
      return true
    case .write(let file):
      try part.write(to: file, for: job)
      return true
    case .discard:
      return count <= BodySink.discardLimit
    }
  }
}
