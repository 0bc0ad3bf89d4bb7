import AuthCore

/// The lines of JSON that is being formatted.
struct JSONLines {
  /// The output so far.
  private(set) var text: [UInt8] = []

  private let bytes: ArraySlice<UInt8>
  private let colour: Bool

  /// - Parameter bytes: the text that the tokens are ranges of.
  init(bytes: ArraySlice<UInt8>, colour: Bool) {
    self.bytes = bytes
    self.colour = colour
  }

  /// Begins a line with the indentation of a depth.
  mutating func breakLine(_ depth: Int) {
    text.append(UInt8(ascii: "\n"))
    text += [UInt8](repeating: UInt8(ascii: " "), count: 2 * depth)
  }

  /// Appends a bracket or a comma.
  mutating func append(mark: UInt8) { text.append(mark) }

  /// Appends a key and its colon.
  mutating func append(key: Range<Int>) {
    append(key, tint: "1;34", isString: true)
    text += Array(": ".utf8)
  }

  /// Appends a string that is a value.
  mutating func append(string: Range<Int>) { append(string, tint: "32", isString: true) }

  /// Appends a number, digit by digit as it is written.
  mutating func append(number: Range<Int>) { append(number, tint: nil, isString: false) }

  /// Appends `true`, `false` or `null`.
  mutating func append(word: Range<Int>) {
    append(word, tint: bytes[word.lowerBound] == UInt8(ascii: "n") ? "90" : nil, isString: false)
  }

  private mutating func append(_ range: Range<Int>, tint: String?, isString: Bool) {
    let tint = colour ? tint : nil
    if let tint { text += Array("\u{1B}[\(tint)m".utf8) }
    if isString { text += JSONLines.harmless(bytes[range]) } else { text += bytes[range] }
    if tint != nil { text += Array("\u{1B}[0m".utf8) }
  }

  /// Returns a string without characters that control the terminal.
  ///
  /// JSON allows some of these (DEL, the controls from U+0080 on, line and paragraph separators, characters that change
  /// the direction of writing). They are replaced with the equivalent escape.
  private static func harmless(_ string: ArraySlice<UInt8>) -> [UInt8] {
    guard string.contains(where: { $0 >= 0x7F }) else { return Array(string) }
    return String(decoding: string, as: UTF8.self).unicodeScalars.reduce(into: []) { text, scalar in
      if scalar.drivesTerminal {
        text += Array(("\\u" + scalar.value.hexadecimal(4)).utf8)
      } else {
        text += UTF8.encode(scalar).map(Array.init) ?? []
      }
    }
  }
}
