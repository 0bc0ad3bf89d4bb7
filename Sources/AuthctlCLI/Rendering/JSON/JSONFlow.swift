/// Formats JSON while it arrives: each value as soon as it is complete, also in a stream of values.
///
/// After text that is not JSON, or is too long to buffer, the rest is passed through unchanged.
struct JSONFlow: Sendable {
  /// The longest value that is formatted, in bytes.
  static let limit = 1 << 20

  private let layout: JSONLayout
  // The bytes of the incomplete value.
  private var held: [UInt8] = []
  // The number of bytes that have been scanned, and whether there was more than white space.
  private var position = 0
  private var hasBegun = false
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var isPassing = false

  init(_ layout: JSONLayout) { self.layout = layout }

  /// Accepts a part of the text and returns the output for now.
  mutating func take(_ part: [UInt8]) -> [UInt8] {
    guard !isPassing else { return part }
    held += part
    var shown: [UInt8] = []
    var start = 0
    while let end = endOfValue() {
      guard let text = layout.text(of: held[start..<end]) else { return shown + pass(from: start) }
      shown += text
      start = end
    }
    held.removeFirst(start)
    position -= start
    return held.count > JSONFlow.limit ? shown + pass(from: 0) : shown
  }

  /// Accepts the end of the text and returns the remaining output.
  mutating func end() -> [UInt8] {
    guard !isPassing else { return [] }
    // A top-level number has no closing character.
    return layout.text(of: held[...]) ?? pass(from: 0)
  }

  private mutating func pass(from start: Int) -> [UInt8] {
    isPassing = true
    defer { held = [] }
    return Array(held[start...])
  }

  /// Searches for the end of the next value and returns the position after it.
  private mutating func endOfValue() -> Int? {
    while position < held.count {
      let byte = held[position]
      position += 1
      guard ends(with: byte) else { continue }
      hasBegun = false
      return position
    }
    return nil
  }

  /// Returns whether a top-level value ends with a byte.
  private mutating func ends(with byte: UInt8) -> Bool {
    if isInString {
      isInString = isEscaped || byte != UInt8(ascii: "\"")
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      return !isInString && depth == 0
    }
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
      // The byte can only end a number or a word.
      return depth == 0 && hasBegun
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth = max(0, depth - 1)
      return depth == 0
    default: break
    }
    hasBegun = true
    return false
  }
}
