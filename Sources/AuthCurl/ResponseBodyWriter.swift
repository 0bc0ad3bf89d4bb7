import AuthCore

/// Writes the body of a response to its destination.
struct ResponseBodyWriter {
  /// How much of an unneeded body is read before the connection is closed, in bytes.
  static let discardLimit: Int64 = 64 << 10

  /// The destination of the body.
  var destination = BodyDestination.discard
  /// The body, if it is collected.
  private(set) var collected: [UInt8] = []
  /// The body, while it is held back.
  private var held: [UInt8] = []
  /// The number of bytes received.
  private(set) var count: Int64 = 0

  /// Writes a part of the body.
  ///
  /// - Returns: false if enough was received and the rest is not needed.
  /// - Throws: ``TransportError`` or `CancellationError`.
  mutating func take(_ part: RawSpan, for job: TransferTask) throws -> Bool {
    count += Int64(part.byteCount)
    if case .hold(let limit, let decide) = destination {
      if part.byteCount <= limit - held.count {
        part.append(to: &held)
        return true
      }
      try release(to: decide(nil), for: job)
    }
    return try pass(part, for: job)
  }

  /// Ends the body; `isWhole` is false if it is incomplete.
  ///
  /// - Throws: ``TransportError`` or `CancellationError`.
  mutating func end(isWhole: Bool, for job: TransferTask) throws {
    guard case .hold(_, let decide) = destination else { return }
    try release(to: decide(isWhole ? held : nil), for: job)
  }

  private mutating func release(to destination: BodyDestination, for job: TransferTask) throws {
    self.destination = destination
    let held = self.held
    self.held = []
    _ = try held.withSpan { try pass($0, for: job) }
  }

  private mutating func pass(_ part: RawSpan, for job: TransferTask) throws -> Bool {
    switch destination {
    case .hold:
      throw TransportError.unusable(detail: "a response can't be held back twice")
    case .collect(let limit):
      guard part.byteCount <= limit - collected.count else { throw TransportError.responseTooLarge(limit: limit) }
      part.append(to: &collected)
      return true
    case .write(let file):
      try part.write(to: file, for: job)
      return true
    case .change(let change, let file):
      var bytes: [UInt8] = []
      part.append(to: &bytes)
      try change(bytes).withSpan { try $0.write(to: file, for: job) }
      return true
    case .pass(let receive):
      var bytes: [UInt8] = []
      part.append(to: &bytes)
      try receive(bytes)
      return true
    case .discard:
      return count <= ResponseBodyWriter.discardLimit
    }
  }
}
