/// Splits the bytes of an input into lines.
struct BatchLines {
  /// A line as it was read.
  enum Line: Sendable, Equatable {
    /// The line's bytes, without the line feed.
    case text([UInt8])
    /// A line that is longer than ``longest``; its bytes are dropped.
    case tooLong
  }

  /// The length beyond which a line is not kept, in bytes.
  static let longest = 16 << 20

  private let limit: Int
  private var bytes: [UInt8] = []
  private var start = 0
  // The number of bytes that have been searched for a line feed.
  private var seen = 0
  private var isSkipping = false

  /// - Parameter limit: the length beyond which a line is not kept, in bytes.
  init(limit: Int = BatchLines.longest) {
    self.limit = limit
  }

  /// Appends the next part of the input.
  mutating func append(_ part: [UInt8]) {
    bytes.removeFirst(start)
    seen -= start
    start = 0
    bytes += part
  }

  /// Returns the next complete line; nil if its end has not been read yet.
  mutating func next() -> Line? {
    guard let end = bytes[seen...].firstIndex(of: UInt8(ascii: "\n")) else {
      seen = bytes.count
      if bytes.count - start > limit {
        isSkipping = true
        bytes = []
        (start, seen) = (0, 0)
      }
      return nil
    }
    return take(upTo: end)
  }

  /// Returns the text after the last line feed; nil if there is none.
  mutating func rest() -> Line? {
    guard start < bytes.count || isSkipping else { return nil }
    return take(upTo: bytes.count)
  }

  private mutating func take(upTo end: Int) -> Line {
    let isTooLong = isSkipping || end - start > limit
    let line = isTooLong ? Line.tooLong : .text(Array(bytes[start..<end]))
    start = min(end + 1, bytes.count)
    seen = start
    isSkipping = false
    return line
  }
}
