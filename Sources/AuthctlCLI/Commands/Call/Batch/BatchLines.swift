/// Splits what is read of an input into lines.
struct BatchLines {
  /// A line as it came.
  enum Line: Sendable, Equatable {
    /// Its bytes, without the line feed.
    case text([UInt8])
    /// It is longer than ``longest``; its bytes are gone.
    case tooLong
  }

  /// The length beyond which a line is not kept, in bytes.
  static let longest = 16 << 20

  private let limit: Int
  private var bytes: [UInt8] = []
  private var start = 0
  // How far the bytes have been looked through for a line feed.
  private var seen = 0
  private var isSkipping = false

  /// - Parameter limit: the length beyond which a line is not kept, in bytes.
  init(limit: Int = BatchLines.longest) {
    self.limit = limit
  }

  /// Takes the next part of the input.
  mutating func append(_ part: [UInt8]) {
    bytes.removeFirst(start)
    seen -= start
    start = 0
    bytes += part
  }

  /// The next whole line; nil where its end has not come yet.
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

  /// What stands behind the last line feed; nil where nothing does.
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
