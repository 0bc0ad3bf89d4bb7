/// A text with its escapes decoded, and the place of each byte in the original.
///
/// It decodes percent-encodings, the escapes of JSON, and the character references of HTML for ASCII punctuation and
/// for numbers, in any nesting and in linear time.
struct UnescapedText {
  /// The bytes without escapes.
  private(set) var bytes: [UInt8] = []
  /// Whether the original contains an escape, or a line break that is left out.
  let isChanged: Bool
  private let isFolded: Bool
  /// For each byte the beginning and the end of what stands for it in the original; empty if nothing is changed.
  private var starts: [Int32] = []
  private var ends: [Int32] = []

  /// Decodes a text.
  ///
  /// - Parameter isFolded: whether line breaks are left out, and a space becomes `+`, for which it may stand in a form.
  init(_ original: [UInt8], isFolded: Bool) {
    self.isFolded = isFolded
    isChanged = original.contains { UnescapedText.isSpecial($0, isFolded) }
    bytes.reserveCapacity(original.count)
    guard isChanged else {
      bytes = isFolded ? original.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 } : original
      return
    }
    starts.reserveCapacity(original.count)
    ends.reserveCapacity(original.count)
    for (place, byte) in original.enumerated() {
      append(byte, Int32(place), Int32(place + 1))
      while let escape = escapeAtEnd() { replace(escape) }
    }
  }

  /// Returns the part of the original that a part of the text stands for.
  func original(_ range: Range<Int>) -> Range<Int> {
    guard isChanged, let last = range.last else { return range }
    return Int(starts[range.lowerBound])..<Int(ends[last])
  }

  /// Whether two bytes that follow each other do so in the original, too: no line break is left out between them.
  func areAdjacent(_ first: Int, _ second: Int) -> Bool { !isChanged || ends[first] == starts[second] }

  /// The number of bytes before the end, or before a character or an escape at the end that is not complete.
  var countOfWhole: Int {
    var count = bytes.count - (bytes.suffix(3).elementsEqual("\u{FFFD}".utf8) ? 3 : 0)
    let near = bytes[..<count].suffix(UnescapedText.longestEscape)
    if let start = near.lastIndex(where: { UnescapedText.isSpecial($0, false) }) {
      let rest = near[(start + 1)...]
      let isPartial =
        switch (bytes[start], rest.first) {
        case (UInt8(ascii: "&"), _): rest.allSatisfy { $0 == UInt8(ascii: "#") || $0.isAlphanumeric }
        case (UInt8(ascii: "\\"), UInt8(ascii: "u")): UnescapedText.isNumber(rest.dropFirst(), below: 4)
        case (UInt8(ascii: "\\"), UInt8(ascii: "x")): UnescapedText.isNumber(rest.dropFirst(), below: 2)
        case (UInt8(ascii: "\\"), _): rest.isEmpty
        default: UnescapedText.isNumber(rest, below: 2)
        }
      if isPartial { count = start }
    }
    return highSurrogate(before: count) == nil ? count : count - 3
  }

  private static func isNumber(_ text: ArraySlice<UInt8>, below length: Int) -> Bool {
    text.count < length && text.allSatisfy { $0.hexadecimalValue != nil }
  }

  private static let longestEscape = 12

  private static func isSpecial(_ byte: UInt8, _ isFolded: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "%"), UInt8(ascii: "\\"), UInt8(ascii: "&"): true
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"): isFolded
    default: false
    }
  }

  // MARK: - Escapes

  /// An escape at the end of the bytes.
  private struct Escape {
    let length: Int
    let decoded: [UInt8]

    init(_ length: Int, _ decoded: [UInt8]) { (self.length, self.decoded) = (length, decoded) }
  }

  private mutating func append(_ byte: UInt8, _ start: Int32, _ end: Int32) {
    if isFolded, byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { return }
    bytes.append(isFolded && byte == UInt8(ascii: " ") ? UInt8(ascii: "+") : byte)
    starts.append(start)
    ends.append(end)
  }

  private mutating func replace(_ escape: Escape) {
    let (start, end) = (starts[bytes.count - escape.length], ends[bytes.count - 1])
    bytes.removeLast(escape.length)
    starts.removeLast(escape.length)
    ends.removeLast(escape.length)
    for byte in escape.decoded { append(byte, start, end) }
  }

  /// Returns the escape that the last byte completes.
  private func escapeAtEnd() -> Escape? {
    let count = bytes.count
    guard count >= 2, let last = bytes.last else { return nil }
    if let escape = hexadecimal(last) { return escape }
    if last == UInt8(ascii: ";") { return reference() }
    guard bytes[count - 2] == UInt8(ascii: "\\") else { return nil }
    switch last {
    case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "/"), UInt8(ascii: "'"): return Escape(2, [last])
    case UInt8(ascii: "n"), UInt8(ascii: "r"): return Escape(2, [UInt8(ascii: "\n")])
    case UInt8(ascii: "t"): return Escape(2, [UInt8(ascii: "\t")])
    default: return nil
    }
  }

  /// Returns `%61`, `\x61` or `\u0061`.
  private func hexadecimal(_ last: UInt8) -> Escape? {
    let count = bytes.count
    guard count >= 3, let low = last.hexadecimalValue, let high = bytes[count - 2].hexadecimalValue else {
      return nil
    }
    let byte = high << 4 | low
    if bytes[count - 3] == UInt8(ascii: "%") { return Escape(3, [byte]) }
    guard count >= 4 else { return nil }
    if bytes[count - 3] == UInt8(ascii: "x"), bytes[count - 4] == UInt8(ascii: "\\") { return Escape(4, [byte]) }
    guard count >= 6, bytes[count - 5] == UInt8(ascii: "u"), bytes[count - 6] == UInt8(ascii: "\\"),
      let first = bytes[count - 4].hexadecimalValue, let second = bytes[count - 3].hexadecimalValue
    else { return nil }
    let unit = UInt32(first) << 12 | UInt32(second) << 8 | UInt32(byte)
    // The two halves of a character beyond the first 65,536 (RFC 8259, section 7).
    if (0xDC00...0xDFFF).contains(unit), let high = highSurrogate(before: count - 6) {
      return Escape(9, UnescapedText.utf8(0x10000 + (high - 0xD800) << 10 + (unit - 0xDC00)))
    }
    return Escape(6, UnescapedText.utf8(unit))
  }

  /// Returns the first half of a character before a position, where it is decoded to three bytes.
  private func highSurrogate(before place: Int) -> UInt32? {
    guard place >= 3, bytes[place - 3] == 0xED else { return nil }
    let unit = 0xD000 | UInt32(bytes[place - 2] & 0x3F) << 6 | UInt32(bytes[place - 1] & 0x3F)
    return (0xD800...0xDBFF).contains(unit) ? unit : nil
  }

  /// Returns `&#97;`, `&#x61;` or `&amp;`.
  private func reference() -> Escape? {
    let end = bytes.count - 1
    let near = bytes[max(0, end - UnescapedText.longestEscape)..<end]
    guard let start = near.lastIndex(of: UInt8(ascii: "&")) else { return nil }
    let name = String(decoding: near[(start + 1)...], as: UTF8.self)
    let length = end + 1 - start
    if let decoded = UnescapedText.references[name] { return Escape(length, [decoded]) }
    guard let decimal = name.dropping(prefix: "#") else { return nil }
    let hexadecimal = decimal.dropping(prefix: "x") ?? decimal.dropping(prefix: "X")
    let read = hexadecimal.map { UInt32($0, radix: 16) } ?? UInt32(decimal)
    guard let value = read, value <= 0x10FFFF else { return nil }
    return Escape(length, UnescapedText.utf8(value))
  }

  private static let references: [String: UInt8] = [
    "amp": UInt8(ascii: "&"), "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"), "quot": UInt8(ascii: "\""),
    "apos": UInt8(ascii: "'"), "sol": UInt8(ascii: "/"), "plus": UInt8(ascii: "+"), "equals": UInt8(ascii: "="),
    "colon": UInt8(ascii: ":"), "period": UInt8(ascii: "."), "lowbar": UInt8(ascii: "_"),
  ]

  /// Returns the bytes of a character (RFC 3629, section 3), also those of half a character.
  private static func utf8(_ value: UInt32) -> [UInt8] {
    func part(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(value >> shift & 0x3F) }
    switch value {
    case ..<0x80: return [UInt8(value)]
    case ..<0x800: return [0xC0 | UInt8(value >> 6), part(0)]
    case ..<0x10000: return [0xE0 | UInt8(value >> 12), part(6), part(0)]
    default: return [0xF0 | UInt8(value >> 18), part(12), part(6), part(0)]
    }
  }
}
