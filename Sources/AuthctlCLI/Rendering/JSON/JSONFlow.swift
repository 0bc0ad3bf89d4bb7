/// JSON that is laid out while it arrives: each value when it is whole, so that also a stream of them is seen as it
/// comes.
///
/// What is not JSON, or too long to be kept until it is whole, is passed on as it is from there on.
struct JSONFlow: Sendable {
  /// The longest value that is laid out, in bytes.
  static let limit = 1 << 20

  private let layout: JSONLayout
  // What belongs to the value that isn't whole yet.
  private var held: [UInt8] = []
  // How far it has been looked through, and whether there was more than white space.
  private var position = 0
  private var hasBegun = false
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var isPassing = false

  init(_ layout: JSONLayout) { self.layout = layout }

  /// Takes a part of the text; what is to be shown now.
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

  /// Takes the end of the text; what is left to be shown.
  mutating func end() -> [UInt8] {
    guard !isPassing else { return [] }
    // A number at the top has no end of its own.
    return layout.text(of: held[...]) ?? pass(from: 0)
  }

  private mutating func pass(from start: Int) -> [UInt8] {
    isPassing = true
    defer { held = [] }
    return Array(held[start...])
  }

  /// Looks on for the end of the next value: the place after it.
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

  /// Whether a value at the top ends with a byte.
  private mutating func ends(with byte: UInt8) -> Bool {
    if isInString {
      isInString = isEscaped || byte != UInt8(ascii: "\"")
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      return !isInString && depth == 0
    }
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
      // Only a number or a word can be what it ends.
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
